/** Changes of roles, passwords and tokens, each with its audit entry: by the owner's page and by the command line. */
import { makeApiToken, sayUnassigned, type Access } from './access.ts'
import type { AccessPerson, PersonDraft } from './access-store.ts'
import { refuse, type Problem } from '../../language/problems.ts'
import { lookUp, t } from '../../language/translate.ts'
import { assignedRoles, isRole, toLogin, type AssignedRole } from '../config/values/roles.ts'

/** Who changes it: a login, or empty where nobody signs in. */
export type By = { by: string; address: string }

export type Changed<Value = undefined> = { ok: true; value: Value } | { ok: false; problem: Problem }

/**
 * `password`: a hash. `role` empty: as settings and groups say. `userId`: left out, the one that is entered stays. `isNew`: refused where
 * the login is entered already.
 */
type NewPerson = {
  login: string
  role: string
  names: boolean
  userId?: string | undefined
  password?: string
  isNew?: boolean
  /** At which the person was read. Default: now. */
  version?: number | undefined
}

type AccessParts = Pick<Access, 'store' | 'state' | 'audit' | 'clock' | 'settings' | 'endSessionsOf'>

type Rights = Pick<AccessPerson, 'role' | 'names' | 'user_id'>

const done: Changed = { ok: true, value: undefined }
const lastOwner: Changed = refuse('last_owner')
const loginForm = /^[^\s\p{Cc}]{1,320}$/u

export type AccessChanges = ReturnType<typeof createAccessChanges>

export function createAccessChanges({ store, state, audit, clock, settings, endSessionsOf }: AccessParts) {
  /** The change of another came first. */
  function refuseChange(stored: Rights | undefined, yours: Rights | undefined): Changed {
    const say = (rights: Rights | undefined) => (rights === undefined ? t('removed') : sayRights(rights))
    return refuse('changed_meanwhile', { stored: say(stored), yours: say(yours) })
  }

  /** Rules for groups do not count: they may match no one. */
  async function isLastOwner(login: string): Promise<boolean> {
    if (settings.owners.length > 0) return false
    const entered = (await store.readPeople()).filter(({ role }) => role === 'owner')
    return entered.length === 1 && entered[0]?.login === login
  }

  const owners = new Set(settings.owners.map(toLogin))
  const mayComeIn = (login: string, person: AccessPerson | undefined) =>
    owners.has(login) || (person !== undefined && person.role !== 'nobody')

  return {
    mayComeIn,

    /** Sets the fields in the call, and keeps the rest. */
    async setPerson(change: NewPerson & By): Promise<Changed> {
      const login = toLogin(change.login)
      const { role, names, by, address } = change
      if (!loginForm.test(login)) return refuse('not_a_login')
      if (role !== '' && !isAssigned(role)) return refuse('not_a_role', { roles: assignedRoles.join(', ') })
      if (role !== 'owner' && (await isLastOwner(login))) return lastOwner
      const person = await store.readPerson(login)
      if (change.isNew === true && person !== undefined) return refuse('already_entered')
      const next: PersonDraft = {
        login,
        role,
        names,
        user_id: change.userId ?? person?.user_id ?? '',
        password: change.password ?? person?.password ?? '',
      }
      const put = await store.writePerson(next, change.version ?? person?.version ?? 0)
      if (!put.ok) return refuseChange(put.kept?.value, next)
      // A new password ends sessions begun with the old one. So does a lost role.
      const lostRole = role === 'nobody' || (person?.role === 'owner' && role !== 'owner')
      if (change.password !== undefined || lostRole) await endSessionsOf(login)
      state.forget()
      const withNames = role === 'analyst' && names ? ' with names' : ''
      const password = change.password === undefined ? '' : ', new password'
      await audit(
        'role_change',
        by,
        `${login}: ${role || sayUnassigned(login, settings)}${withNames}${password}`,
        address,
      )
      return done
    },

    /** Whether a login is entered, and may come in. */
    async checkPerson(login: string): Promise<Changed> {
      const person = await store.readPerson(toLogin(login))
      return person === undefined || person.role === 'nobody' ? refuse('unknown_login') : done
    },

    /** `password`: a hash. `version`: of the person when their link or old password was checked. Ends every session. */
    async setPassword(change: { login: string; password: string; version: number } & By): Promise<Changed> {
      const { login, password, version, by, address } = change
      const { role = '', names = false, user_id = '' } = (await store.readPerson(login)) ?? {}
      const put = await store.writePerson({ login, role, names, user_id, password }, version)
      if (!put.ok) return refuse('wrong_password')
      await endSessionsOf(login)
      await audit('password_set', by, login, address)
      return done
    },

    /** `version`: as of `setPerson`. */
    async removePerson(change: { login: string; version?: number | undefined } & By): Promise<Changed> {
      const { version, by, address } = change
      const login = toLogin(change.login)
      const person = await store.readPerson(login)
      if (person === undefined) return refuse('unknown_login')
      if (await isLastOwner(login)) return lastOwner
      const removed = await store.removePerson(login, version ?? person.version)
      if (!removed.ok) return refuseChange(removed.kept?.value, undefined)
      await endSessionsOf(login)
      await audit('role_change', by, `${login}: removed`, address)
      return done
    },

    async signOutEverywhere({ login, by, address }: { login: string } & By): Promise<Changed> {
      await endSessionsOf(login)
      await audit('sign_out_everywhere', by, toLogin(login), address)
      return done
    },

    async createToken(
      request: { name: string; role: string; names: boolean; userId: string; days: number } & By,
    ): Promise<Changed<{ token: string; id: string; expiresAtMs: number }>> {
      const { name, role, names, userId, days, by, address } = request
      if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name)) return refuse('not_a_token_name')
      if (!isRole(role)) return refuse('not_a_token_role')
      if (!Number.isInteger(days) || days < 1 || days > 3_650) return refuse('not_a_token_life')
      if (role === 'manager' && userId === '') return refuse('manager_without_id')
      const { token, id, sha256 } = makeApiToken()
      const times = { created_at_ms: clock(), expires_at_ms: clock() + days * 86_400_000 }
      await store.writeToken({ id, name, sha256, role, names, user_id: userId, ...times })
      state.forget()
      await audit('token_change', by, `${id} made: ${role}`, address)
      return { ok: true, value: { token, id, expiresAtMs: times.expires_at_ms } }
    },

    async revokeToken({ id, by, address }: { id: string } & By): Promise<Changed> {
      if (!(await store.readTokens()).some((token) => token.id === id))
        return refuse('unknown_token', { token: id })
      await store.removeToken(id)
      state.forget()
      await audit('token_change', by, `${id} revoked`, address)
      return done
    },
  }
}

function isAssigned(role: string): role is AssignedRole {
  return (assignedRoles as readonly string[]).includes(role)
}

function sayRights({ role, names, user_id }: Rights): string {
  const word = role === '' ? t('no role') : role === 'nobody' ? t('blocked') : lookUp(role)
  return [word, names ? t('sees names') : '', user_id].filter(Boolean).join(', ')
}
