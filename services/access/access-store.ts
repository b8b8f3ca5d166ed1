/** Roles, passwords, tokens and ended sessions, which are records, and the audit, which is a table of its own. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { toOwnError } from '../../reporting/errors.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { readStatements, selectRows, toDateTime } from '../clickhouse/statements.ts'
import type { Config } from '../config/config.ts'
import { hashToken } from '../config/token.ts'
import { assignedRoles, type Role, roles, toLogin } from '../config/values/roles.ts'
import { createRecords, type Kept, type Kind, type RecordsDeps } from '../records/records.ts'

const personKind = {
  name: 'person',
  schema: z.object({
    role: z.enum([...assignedRoles, '']),
    /** Whether an analyst sees names and emails. */
    names: z.boolean(),
    /** Id at the platform. Empty: found by email. */
    user_id: z.string(),
    /** scrypt hash with its salt and costs. Empty: none. */
    password: z.string(),
  }),
} as const
export type PersonDraft = z.infer<typeof personKind.schema> & { login: string }
/** `version`: at which it was read. */
export type AccessPerson = PersonDraft & { version: number }

const tokenKind = {
  name: 'token',
  schema: z.object({
    name: z.string(),
    sha256: z.string(),
    role: z.enum(roles),
    names: z.boolean(),
    user_id: z.string(),
    created_at_ms: z.number(),
    expires_at_ms: z.number(),
  }),
} as const
/** `used_at_ms` 0: never. */
export type AccessToken = z.infer<typeof tokenKind.schema> & { id: string; used_at_ms: number }

const nothing = z.object({})

export type AuditEntry = { at_ms: number; login: string; action: string; detail: string; address: string }

export type AuditAction =
  | 'sign_in'
  | 'sign_in_refused'
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'invitation'
  | 'password_asked'
  | 'password_set'
  | 'export'
  | 'role_change'
  | 'token_change'
  | 'guide_order'
  | 'remind'
  | 'replay'
  | 'erasure'
  | 'spool_forgotten'
  | 'log_adopted'
  | 'target_change'
  | 'note_change'

/** The statements of a sign-in about a person. `role`: by groups. Empty texts and `null`: nothing was said. */
export type Claim = { email: string; role: Role | null; userId: string }

/** What ends every session of a login. It names nobody, so an erasure can leave it: the cookies of somebody erased stay closed. */
export const toEverySession = (login: string) => `login:${hashToken(login).toString('base64url')}`

export type AccessStore = ReturnType<typeof createAccessStore>

const readSql = readStatements(import.meta.dirname)

/** Keys are read whole: a sign-out that is not listed would not hold. */
const limit = 100_000

export function createAccessStore(deps: RecordsDeps) {
  const { reader, writer } = deps
  const select = <Row>(name: string, params: Record<string, unknown>) =>
    selectRows<Row>(reader, readSql(name), params).catch((error: unknown) => {
      throw toOwnError(error, name)
    })
  const recordsOf = <Value>(kind: Kind<Value>) => createRecords(kind, deps)
  const people = recordsOf(personKind)
  const tokens = recordsOf(tokenKind)
  const tokenUses = recordsOf({ name: 'token_use', schema: nothing })
  const sessionEnds = recordsOf({ name: 'session_end', schema: nothing })
  const toPerson = ({ key, value, version }: Kept<Omit<PersonDraft, 'login'>>): AccessPerson => {
    return { login: key, ...value, version }
  }
  const toTimes = (kept: readonly Kept<object>[]) =>
    new Map(kept.map(({ key, changedAtMs }) => [key, changedAtMs]))

  return {
    recordsOf,
    readPeople: async () =>
      (await people.list({ limit })).map(toPerson).sort((a, b) => (a.login < b.login ? -1 : 1)),
    async readPerson(login: string): Promise<AccessPerson | undefined> {
      const kept = await people.read(login)
      return kept && toPerson(kept)
    },
    /** `readAt` as of `put`. */
    writePerson: ({ login, ...person }: PersonDraft, readAt?: number) => people.put(login, person, readAt),
    removePerson: (login: string, readAt: number) => people.remove(login, readAt),

    async readTokens(): Promise<AccessToken[]> {
      const [list, uses] = await Promise.all([tokens.list({ limit }), tokenUses.list({ limit })])
      const used = toTimes(uses)
      return list
        .map(({ key, value }) => ({ id: key, ...value, used_at_ms: used.get(key) ?? 0 }))
        .sort((a, b) => a.created_at_ms - b.created_at_ms)
    },
    writeToken: ({ id, ...token }: Omit<AccessToken, 'used_at_ms'>) => tokens.put(id, token),
    removeToken: (id: string) => tokens.remove(id),
    writeTokenUse: (id: string) => tokenUses.put(id, {}),

    /** When the sessions of a subject were ended. */
    readSessionEnds: async () => toTimes(await sessionEnds.list({ limit })),
    /** 0: never. */
    readSessionEnd: async (subject: string) => (await sessionEnds.read(subject))?.changedAtMs ?? 0,
    writeSessionEnd: (subject: string) => sessionEnds.put(subject, {}),

    readAudit: (options: { beforeMs: number; limit: number }) =>
      select<AuditEntry>('audit', { before: toDateTime(options.beforeMs), limit: options.limit }),
    writeAudit: ({
      nowMs,
      keepMs,
      ...entry
    }: Omit<AuditEntry, 'at_ms' | 'action'> & { action: AuditAction; nowMs: number; keepMs: number }) =>
      insertRows(writer, 'access_audit', [
        { ...entry, at: nowMs, keepUntil: Math.floor((nowMs + keepMs) / 1000) },
      ]),

    /**
     * The platform's user with this e-mail, folded as by `toLogin`; `null` where there is none, or more than one. Who has left counts only
     * where nobody active has it: somebody who came back may have a new account.
     */
    async findUser(email: string, nowMs: number): Promise<string | null> {
      type User = { user_id: string; address: string; active: boolean }
      const found = await select<User>('users-by-email', { email, now: toDateTime(nowMs) })
      const users = found.filter(({ address }) => toLogin(address) === email)
      const active = users.filter((user) => user.active)
      const [user, other] = active.length > 0 ? active : users
      return other === undefined ? (user?.user_id ?? null) : null
    },
    async readWholeTeams(users: readonly string[], nowMs: number): Promise<string[]> {
      const rows = await select<{ team: string }>('whole-teams', { users, now: toDateTime(nowMs) })
      return rows.map(({ team }) => team)
    },
  }
}

// Where people sign in by passwords, somebody must give the first owner one: the start says so as long as nobody has.

/** `rollcall`: the command line that reaches this store. */
export const missingOwner = (rollcall: string) =>
  `No owner has a password yet, so nobody can sign in. Run: ${rollcall} user add <e-mail> --role owner`

export async function isOwnerMissing(
  { dashboardAuth, dashboardOwners }: Pick<Config, 'dashboardAuth' | 'dashboardOwners'>,
  client: ClickHouseClient,
): Promise<boolean> {
  if (dashboardAuth !== 'password') return false
  const owners = new Set(dashboardOwners.map(toLogin))
  const people = await createAccessStore({ reader: client, writer: client }).readPeople()
  return !people.some(
    ({ login, role, password }) => password !== '' && (role === 'owner' || owners.has(login)),
  )
}
