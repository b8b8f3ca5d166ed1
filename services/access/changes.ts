/** Changes of roles, passwords and tokens, each with its audit entry: by the owner's page and by the command line. */
import { makeApiToken, sayUnassigned, type Access } from './access.ts'
import type { AccessPerson, AccessToken } from './access-store.ts'
import { refuse, type Problem } from '../../language/problems.ts'
import { createTurns } from '../runtime/turns.ts'
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
}

type AccessParts = Pick<
  Access,
  'store' | 'state' | 'audit' | 'clock' | 'settings' | 'endSessionsOf' | 'readLastEnd'
>

const done: Changed = { ok: true, value: undefined }
const lastOwner: Changed = refuse('last_owner')
/** Longer than a request takes. */
const requestMs = 60_000
const loginForm = /^[^\s\p{Cc}]{1,320}$/u

/**
 * A change of a person writes the whole row as it was found: of two at the same moment one would undo the other. Pages and commands of a
 * process take turns.
 */
const inTurn = createTurns()
const oneByOne =
  <Change>(make: (change: Change) => Promise<Changed>) =>
  (change: Change) =>
    inTurn(() => make(change))

export type AccessChanges = ReturnType<typeof createAccessChanges>

export function createAccessChanges({
  store,
  state,
  audit,
  clock,
  settings,
  endSessionsOf,
  readLastEnd,
}: AccessParts) {
  async function find(login: string): Promise<AccessPerson | undefined> {
    return (await store.readPeople()).find((person) => person.login === login)
  }

  /**
   * Whether an owner remains who was not entered. A rule for groups may match no one. It counts if another person makes
   * the change on a page, because that person is an owner. A person who lost the role a moment ago is none, although
   * their request still runs.
   */
  async function isOwnerLeft(login: string, by: string): Promise<boolean> {
    if (settings.owners.length > 0) return true
    const isByAnother = loginForm.test(by) && !by.startsWith('token:') && by !== login
    const hasRule = settings.rules.some(({ role }) => role === 'owner')
    return isByAnother && hasRule && clock() - (await readLastEnd(by)) > requestMs
  }

  async function isLastOwner(login: string, by: string): Promise<boolean> {
    if (await isOwnerLeft(login, by)) return false
    const owners = (await store.readPeople()).filter(({ role }) => role === 'owner')
    return owners.length === 1 && owners[0]?.login === login
  }

  /** Before the change: if another process sees the change, it sees the end too, and `isOwnerLeft` is right there. */
  async function endSessionsOfOwner(before: AccessPerson | undefined): Promise<void> {
    if (before?.role === 'owner') await endSessionsOf(before.login)
  }

  /** Another process may have removed the other owner meanwhile. Then the owner of this change stays. */
  async function keepOwner(before: AccessPerson | undefined, by: string): Promise<boolean> {
    if (before?.role !== 'owner') return false
    if ((await store.readPeople()).some(({ role }) => role === 'owner')) return false
    if (await isOwnerLeft(before.login, by)) return false
    await store.writePerson({ ...before, isRemoved: false, changedBy: by, nowMs: clock() })
    return true
  }

  const owners = new Set(settings.owners.map(toLogin))
  const mayComeIn = (login: string, person: AccessPerson | undefined) =>
    owners.has(login) || (person !== undefined && person.role !== 'nobody')

  return {
    mayComeIn,

    /** Sets the fields in the call, and keeps the rest. */
    setPerson: oneByOne(async (change: NewPerson & By) => {
      const login = toLogin(change.login)
      if (!loginForm.test(login)) return refuse('not_a_login')
      if (change.role !== '' && !isAssigned(change.role))
        return refuse('not_a_role', { roles: assignedRoles.join(', ') })
      if (change.role !== 'owner' && (await isLastOwner(login, change.by))) return lastOwner
      const person = await find(login)
      if (change.isNew === true && person !== undefined) return refuse('already_entered')
      const { by, address } = change
      if (change.role !== 'owner') await endSessionsOfOwner(person)
      await store.writePerson({
        login,
        role: change.role,
        names: change.names,
        user_id: change.userId ?? person?.user_id ?? '',
        password: change.password ?? person?.password ?? '',
        isRemoved: false,
        changedBy: by,
        nowMs: clock(),
      })
      if (await keepOwner(person, by)) return lastOwner
      // A new password ends sessions begun with the old one; being barred ends them, too.
      if (change.password !== undefined || change.role === 'nobody') await endSessionsOf(login)
      state.forget()
      const names = change.role === 'analyst' && change.names ? ' with names' : ''
      const password = change.password === undefined ? '' : ', new password'
      await audit(
        'role_change',
        by,
        `${login}: ${change.role || sayUnassigned(login, settings)}${names}${password}`,
        address,
      )
      return done
    }),

    /** Whether a login is entered, and may come in. */
    async checkPerson(login: string): Promise<Changed> {
      const person = await find(toLogin(login))
      return person === undefined || person.role === 'nobody' ? refuse('unknown_login') : done
    },

    /**
     * `password`: a hash. Ends every session. Only of somebody who may come in: they may have been removed a moment ago. `lastEnd`: of when
     * their link or old password was looked at; an owner may have set another one since.
     */
    setPassword: oneByOne(async (change: { login: string; password: string; lastEnd: number } & By) => {
      const { login, password, lastEnd, by, address } = change
      const person = await find(login)
      if (!mayComeIn(login, person)) return refuse('unknown_login')
      if ((await readLastEnd(login)) > lastEnd) return refuse('wrong_password')
      const row = person ?? { login, role: '' as const, names: false, user_id: '' }
      await store.writePerson({ ...row, password, isRemoved: false, changedBy: by, nowMs: clock() })
      await endSessionsOf(login)
      await audit('password_set', by, login, address)
      return done
    }),

    removePerson: oneByOne(async ({ login: typed, by, address }: { login: string } & By) => {
      const login = toLogin(typed)
      const person = await find(login)
      if (person === undefined) return refuse('unknown_login')
      if (await isLastOwner(login, by)) return lastOwner
      await endSessionsOfOwner(person)
      await store.writePerson({ ...person, password: '', isRemoved: true, changedBy: by, nowMs: clock() })
      if (await keepOwner(person, by)) return lastOwner
      await endSessionsOf(login)
      await audit('role_change', by, `${login}: removed`, address)
      return done
    }),

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
      const nowMs = clock()
      const expiresAtMs = nowMs + days * 86_400_000
      await store.writeToken({
        id,
        name,
        sha256,
        role,
        names,
        user_id: userId,
        created_at_ms: nowMs,
        expires_at_ms: expiresAtMs,
        isRevoked: false,
        changedBy: by,
        nowMs,
      })
      state.forget()
      await audit('token_change', by, `${id} made: ${role}`, address)
      return { ok: true, value: { token, id, expiresAtMs } }
    },

    /** By id, or by a name that only one token has. */
    async revokeToken({ idOrName, by, address }: { idOrName: string } & By): Promise<Changed<AccessToken>> {
      const tokens = await store.readTokens()
      const matches = tokens.filter(({ id, name }) => id === idOrName || name === idOrName)
      const [token] = matches
      if (token === undefined) return refuse('unknown_token', { token: idOrName })
      if (matches.length > 1) return refuse('ambiguous_token', { token: idOrName })
      const { used_at_ms: _, ...row } = token
      await store.writeToken({ ...row, isRevoked: true, changedBy: by, nowMs: clock() })
      state.forget()
      await audit('token_change', by, `${token.id} revoked`, address)
      return { ok: true, value: token }
    },
  }
}

function isAssigned(role: string): role is AssignedRole {
  return (assignedRoles as readonly string[]).includes(role)
}
