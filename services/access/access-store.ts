/** Roles, passwords, tokens, ended sessions and the audit, in ClickHouse. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { toOwnError } from '../../reporting/errors.ts'
import { type TargetMetric, targetMetrics, type Targets } from '../../schemas/metrics/targets.ts'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { readStatements, selectRows, toDateTime, toLaterTime } from '../clickhouse/statements.ts'
import type { Config } from '../config/config.ts'
import { hashToken } from '../config/token.ts'
import { assignedRoles, removedRole, type Role, roles, toLogin } from '../config/values/roles.ts'
import { flagSchema } from '../../schemas/instant.ts'

const personSchema = z.object({
  login: z.string(),
  role: z.enum([...assignedRoles, removedRole, '']),
  names: flagSchema,
  user_id: z.string(),
  password: z.string(),
})
export type AccessPerson = z.infer<typeof personSchema>

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  sha256: z.string(),
  role: z.enum([...roles, removedRole]),
  names: flagSchema,
  user_id: z.string(),
  created_at_ms: z.number(),
  expires_at_ms: z.number(),
  /** 0: never. */
  used_at_ms: z.number(),
})
export type AccessToken = z.infer<typeof tokenSchema>

const viewSchema = z.object({
  id: z.string(),
  /** Whose it is; empty where nobody signs in. */
  login: z.string(),
  name: z.string(),
  path: z.string(),
  query: z.string(),
  is_offered: flagSchema,
})
export type AccessView = z.infer<typeof viewSchema>

const noteSchema = z.object({
  id: z.string(),
  /** Who wrote it; empty where nobody signs in. */
  login: z.string(),
  /** A calendar date of the reporting zone. */
  day: z.string(),
  /** Those who see it; empty: everybody. */
  team: z.string(),
  text: z.string(),
})
export type AccessNote = z.infer<typeof noteSchema>

const targetSchema = z.object({ metric: z.enum(targetMetrics), value: z.number() })

const auditSchema = z.object({
  at_ms: z.number(),
  login: z.string(),
  action: z.string(),
  detail: z.string(),
  address: z.string(),
})
export type AuditEntry = z.infer<typeof auditSchema>

export const auditActions = [
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'sign_out_everywhere',
  'invitation',
  'password_asked',
  'password_set',
  'export',
  'role_change',
  'token_change',
  'guide_order',
  'remind',
  'replay',
  'erasure',
  'spool_forgotten',
  'log_adopted',
  'target_change',
  'note_change',
] as const
export type AuditAction = (typeof auditActions)[number]

/** The statements of a sign-in about a person. `role`: by groups. Empty texts and `null`: nothing was said. */
export type Claim = { email: string; role: Role | null; userId: string }

/** What ends every session of a login. It names nobody, so an erasure can leave it: the cookies of somebody erased stay closed. */
export const toEverySession = (login: string) => `login:${hashToken(login).toString('base64url')}`

export type AccessStore = ReturnType<typeof createAccessStore>

const readSql = readStatements(import.meta.dirname)

/** `writer`: may insert into the tables `access_...`. */
export function createAccessStore({
  reader,
  writer,
}: {
  reader: ClickHouseClient
  writer: ClickHouseClient
}) {
  async function select<Schema extends z.ZodType>(
    schema: Schema,
    name: string,
    params: Record<string, unknown> = {},
  ): Promise<z.infer<Schema>[]> {
    const rows = await selectRows(reader, readSql(name), params).catch((error: unknown) => {
      throw toOwnError(error, name)
    })
    return z.array(schema).parse(rows)
  }
  const insert = (table: string, row: Record<string, unknown>) => insertRows(writer, table, [row])

  /** The later row of a key counts. */
  async function toLater(table: string, key: unknown, nowMs: number): Promise<number> {
    const [latest] = await select(z.object({ latest_ms: z.number() }), 'latest-change', { table, key })
    return toLaterTime(nowMs, latest?.latest_ms)
  }

  function keep<Row extends Record<string, unknown>>(table: string, key: keyof Row) {
    return async (change: Row & { nowMs: number }): Promise<void> => {
      const { nowMs, ...row } = change
      await insert(table, { ...row, changedAtMs: await toLater(table, change[key], nowMs) })
    }
  }

  return {
    readPeople: () => select(personSchema, 'people'),
    readTokens: () => select(tokenSchema, 'tokens'),
    async readSessionEnds(): Promise<Map<string, number>> {
      const rows = await select(z.object({ subject: z.string(), ended_at_ms: z.number() }), 'session-ends')
      return new Map(rows.map(({ subject, ended_at_ms }) => [subject, ended_at_ms]))
    },
    readAudit: (options: { beforeMs: number; limit: number; action?: string }) =>
      select(auditSchema, 'audit', {
        before: toDateTime(options.beforeMs),
        limit: options.limit,
        action: options.action ?? '',
      }),
    /**
     * The platform's user with this e-mail, folded as by `toLogin`; `null` where there is none, or more than one. Who has left counts only
     * where nobody active has it: somebody who came back may have a new account.
     */
    async findUser(email: string, nowMs: number): Promise<string | null> {
      const params = { email, now: toDateTime(nowMs) }
      const row = z.object({ user_id: z.string(), address: z.string(), active: flagSchema })
      const users = (await select(row, 'users-by-email', params)).filter(
        ({ address }) => toLogin(address) === email,
      )
      const active = users.filter((user) => user.active)
      const [user, other] = active.length > 0 ? active : users
      return other === undefined ? (user?.user_id ?? null) : null
    },
    writePerson: keep<AccessPerson & { isRemoved: boolean; changedBy: string }>('access_people', 'login'),
    writeToken: keep<Omit<AccessToken, 'used_at_ms'> & { isRevoked: boolean; changedBy: string }>(
      'access_tokens',
      'id',
    ),
    writeTokenUse: (id: string, usedAtMs: number) => insert('access_token_uses', { id, usedAtMs }),
    readViews: () => select(viewSchema, 'views'),
    writeView: keep<AccessView & { isRemoved: boolean }>('access_views', 'id'),
    readNotes: () => select(noteSchema, 'notes'),
    writeNote: keep<AccessNote & { isRemoved: boolean }>('access_notes', 'id'),
    async readWholeTeams(users: readonly string[], nowMs: number): Promise<string[]> {
      const rows = await select(z.object({ team: z.string() }), 'whole-teams', {
        users,
        now: toDateTime(nowMs),
      })
      return rows.map(({ team }) => team)
    },
    /** `undefined`: there is no event yet. */
    async readFirstEvent(): Promise<number | undefined> {
      const [row] = await select(z.object({ at: z.number() }), 'first-event')
      return row?.at || undefined
    },
    async readTargets(): Promise<Targets> {
      const rows = await select(targetSchema, 'targets')
      return Object.fromEntries(rows.map(({ metric, value }) => [metric, value]))
    },
    /** 0: none. */
    writeTarget: keep<{ metric: TargetMetric; value: number; changedBy: string }>('access_targets', 'metric'),
    async writeSessionEnd(subject: string, nowMs: number): Promise<void> {
      await insert('access_session_ends', {
        subject,
        endedAtMs: await toLater('access_session_ends', subject, nowMs),
      })
    },
    writeAudit: ({
      nowMs,
      keepMs,
      ...entry
    }: Omit<AuditEntry, 'at_ms' | 'action'> & { action: AuditAction; nowMs: number; keepMs: number }) =>
      insert('access_audit', { ...entry, at: nowMs, keepUntil: Math.floor((nowMs + keepMs) / 1000) }),
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
  const owners = new Set((dashboardOwners ?? []).map(toLogin))
  const people = await createAccessStore({ reader: client, writer: client }).readPeople()
  return !people.some(
    ({ login, role, password }) => password !== '' && (role === 'owner' || owners.has(login)),
  )
}
