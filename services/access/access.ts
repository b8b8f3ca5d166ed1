/** Who somebody is, and their rights: the one place that turns a login, a cookie, a header or a token into rights. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { hashToken } from '../config/token.ts'
import { hold } from '../runtime/hold.ts'
import {
  toEverySession,
  type AccessStore,
  type AccessToken,
  type AuditAction,
  type Claim,
} from './access-store.ts'
import { isPassword } from './passwords.ts'
import { isRole, toLogin, toRuledRole, type Role, type RoleRule } from '../config/values/roles.ts'
import { sessionSchema, type Seals, type Session } from './session-cookie.ts'

/** `role` `null`: known, but without a role. */
export type Identity = {
  login: string
  role: Role | null
  names: boolean
  /** A manager's id at the platform; `null`: no person there has this login. */
  userId: string | null
  /** What the sign-in said. Undefined for a token. */
  claim?: Claim
}

export type AccessSettings = {
  /** Logins that are owners whatever else is said, so that nobody is locked out. */
  owners: readonly string[]
  /** None where people do not come with groups. */
  rules: readonly RoleRule[]
  sessionMs: number
  auditKeepMs: number
}

export function toAccessSettings(config: Config): AccessSettings {
  const hasGroups = config.dashboardAuth === 'oidc' || config.dashboardAuth === 'proxy'
  return {
    owners: config.dashboardOwners,
    rules: hasGroups ? config.dashboardRoles : [],
    sessionMs: config.dashboardSessionHours * 3_600_000,
    auditKeepMs: (config.retention.get('audit') ?? 365) * 86_400_000,
  }
}

/** The role of a login that is entered without one. */
export function sayUnassigned(login: string, { owners, rules }: Pick<AccessSettings, 'owners' | 'rules'>) {
  if (owners.some((owner) => toLogin(owner) === login)) return 'owner by DASHBOARD_OWNERS'
  return rules.length > 0 ? 'from sign-in groups' : 'no role'
}

export type Claims = { login: string; email: string; groups: readonly string[]; userId: string }

export type AccessDeps = {
  store: AccessStore
  seals: Seals
  settings: AccessSettings
  clock: () => number
  /** Called where an audit entry could not be written. */
  onError: (error: unknown) => void
}

export type Access = ReturnType<typeof createAccess>

export const tokenPrefix = 'rollcall_'
/** The last use of a token is written at most this often. */
const useEveryMs = 60_000
const userMaxAgeMs = 60_000
const maxUsers = 10_000
const purpose = 'session'

export function createAccess({ store, seals, settings, clock, onError }: AccessDeps) {
  const users = new Map<string, ReturnType<typeof hold<string | null>>>()
  /** The facts that decide every request. A change by this process applies at once. Other processes follow within seconds. */
  const facts = hold(async () => {
    const [people, tokens, sessionEnds] = await Promise.all([
      store.readPeople(),
      store.readTokens(),
      store.readSessionEnds(),
    ])
    return {
      people: new Map(people.map((person) => [person.login, person])),
      tokens: new Map(tokens.map((token) => [token.sha256, token])),
      sessionEnds,
    }
  }, clock)
  const state = {
    read: facts.read,
    forget(): void {
      facts.forget()
      users.clear()
    },
  }
  const owners = new Set(settings.owners.map(toLogin))
  const writtenUses = new Map<string, number>()

  /** The platform's user with this e-mail, cached for a minute. */
  function findUser(email: string): Promise<string | null> {
    if (users.size >= maxUsers) users.clear()
    const user = users.get(email) ?? hold(() => store.findUser(email, clock()), clock, userMaxAgeMs)
    users.set(email, user)
    return user.read()
  }

  async function toIdentity(person: { login: string } & Claim): Promise<Identity> {
    const { login } = person
    const claim = { email: person.email, role: person.role, userId: person.userId }
    const { people } = await state.read()
    const assigned = people.get(login)
    const role = owners.has(login) ? 'owner' : toRole(assigned?.role || claim.role)
    const userId =
      assigned?.user_id || claim.userId || (claim.email === '' ? null : await findUser(claim.email))
    return { login, role, names: seesNames(role, assigned?.names ?? false), userId: userId || null, claim }
  }

  async function audit(action: AuditAction, login: string, detail: string, address: string): Promise<void> {
    const entry = { action, login, detail: detail.slice(0, 2_000), address }
    await store.writeAudit({ ...entry, nowMs: clock(), keepMs: settings.auditKeepMs }).catch(onError)
  }

  async function touchToken({ id, used_at_ms }: AccessToken): Promise<void> {
    const now = clock()
    if (now - Math.max(used_at_ms, writtenUses.get(id) ?? 0) < useEveryMs) return
    writtenUses.set(id, now)
    await store.writeTokenUse(id).catch(onError)
  }

  /**
   * When every session of a login was ended last; 0: never. Not from the held facts: an end of a second ago must not end a session that
   * begins after it.
   */
  const readLastEnd = (login: string) => store.readSessionEnd(toEverySession(login))

  return {
    settings,
    state,
    store,
    audit,

    async fromClaims({ login, email, groups, userId }: Claims): Promise<Identity> {
      const person = { email: toLogin(email), role: toRuledRole(settings.rules, groups), userId }
      return toIdentity({ login: toLogin(login), ...person })
    },

    /** Somebody who is not here now; `role` and `userId` as the last sign-in said them. */
    identify: toIdentity,

    /** Those of the settings, and those who were entered. */
    async readOwners(): Promise<string[]> {
      const { people } = await state.read()
      const entered = [...people.values()].filter(({ role }) => role === 'owner')
      return [...new Set([...owners, ...entered.map(({ login }) => login)])]
    },

    ruledRole: (groups: readonly string[]) => toRuledRole(settings.rules, groups),

    /**
     * `null`: no such login, blocked, no password, or a wrong one; each takes as long. `no_role`: the password is right. `lastEnd` and
     * `version` are of before: a new password that is set while this one is checked ends what it begins.
     */
    async fromPassword(
      login: string,
      password: string,
    ): Promise<{ lastEnd: number; version: number } | 'no_role' | null> {
      const key = toLogin(login)
      const lastEnd = await readLastEnd(key)
      // Nor from the held facts: another process may have set a new one.
      const person = await store.readPerson(key)
      if (!(await isPassword(password, person?.password))) return null
      const email = key.includes('@') ? key : ''
      const { role } = await toIdentity({ login: key, email, role: null, userId: '' })
      if (role !== null) return { lastEnd, version: person?.version ?? 0 }
      return person?.role === 'nobody' ? null : 'no_role'
    },

    /** `null`: unknown, expired or revoked. */
    async fromToken(token: string): Promise<Identity | null> {
      if (!token.startsWith(tokenPrefix)) return null
      const { tokens } = await state.read()
      const row = tokens.get(hashToken(token).toString('hex'))
      if (row === undefined || row.expires_at_ms <= clock()) return null
      await touchToken(row)
      const { id, names, user_id } = row
      const role = toRole(row.role)
      return { login: `token:${id}`, role, names: seesNames(role, names), userId: user_id || null }
    },

    /** A new id at every sign-in: a cookie from before means nothing after. */
    async newSession(
      person: Pick<Session, 'login' | 'email' | 'role' | 'userId'>,
      lastEnd?: number,
    ): Promise<Session> {
      return {
        ...person,
        id: randomBytes(16).toString('base64url'),
        signedInAt: clock(),
        lastEnd: lastEnd ?? (await readLastEnd(person.login)),
      }
    },

    seal: (session: Session) => seals.seal(purpose, session, session.signedInAt + settings.sessionMs),

    seals,

    /** `null`: not a session, ended, or of somebody who may not come in any more. */
    async fromCookie(text: string): Promise<{ identity: Identity; session: Session } | null> {
      const session = sessionSchema.safeParse(await seals.open(purpose, text)).data
      if (session === undefined || session.signedInAt + settings.sessionMs <= clock()) return null
      const { sessionEnds } = await state.read()
      if (sessionEnds.has(`session:${session.id}`)) return null
      if ((sessionEnds.get(toEverySession(session.login)) ?? 0) > session.lastEnd) return null
      return { identity: await toIdentity(session), session }
    },

    async endSession(session: Session): Promise<void> {
      await store.writeSessionEnd(`session:${session.id}`)
      state.forget()
    },

    /** Every session of this login, in every process. */
    async endSessionsOf(login: string): Promise<void> {
      await store.writeSessionEnd(toEverySession(toLogin(login)))
      state.forget()
    },

    clock,
  }
}

/** `null` for people who are blocked. */
export function toRole(role: string | null): Role | null {
  return role !== null && isRole(role) ? role : null
}

/** `isGranted`: an analyst sees names only where an owner has said so. */
function seesNames(role: Role | null, isGranted: boolean): boolean {
  return role === 'owner' || role === 'manager' || (role === 'analyst' && isGranted)
}

/** The token is shown once; only its hash is kept. */
export function makeApiToken(): { token: string; id: string; sha256: string } {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`
  const sha256 = hashToken(token).toString('hex')
  return { token, sha256, id: sha256.slice(0, 8) }
}
