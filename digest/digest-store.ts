/** Subscriptions, sent mails, and alerts, in ClickHouse. */
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { z } from 'zod'
import { removedRole, roles } from '../services/config/values/roles.ts'
import { frequencies } from './schedule.ts'
import { readStatements, toDateTime, toLaterTime } from '../services/clickhouse/statements.ts'
import { flagSchema } from '../schemas/instant.ts'

const subscriptionSchema = z.object({
  login: z.string(),
  /** Empty: the login, where it is one. */
  email: z.string(),
  /** Empty: not chosen. */
  frequency: z.enum([...frequencies, 'off', '']),
  weekday: z.number(),
  hour: z.number(),
  /** Empty: the reporting zone. */
  time_zone: z.string(),
  language: z.string(),
  alerts: flagSchema,
  unsubscribe_key: z.string(),
  /** By groups of the sign-in provider, as last seen. */
  role: z.enum([...roles, removedRole, '']),
  user_id: z.string(),
  seen_at_ms: z.number(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

export const sendKinds = [
  'digest',
  'digest_channel',
  'alert',
  'alert_channel',
  'reminder',
  'reminder_channel',
] as const
export type SendKind = (typeof sendKinds)[number]

/** One thing that is sent at most once. */
export type SendKey = { kind: SendKind; recipient: string; period: string }

export const sendStates = [
  'intended',
  'sent',
  'skipped',
  'refused',
  'unknown',
  'not_sent',
  'withdrawn',
] as const
export type SendState = (typeof sendStates)[number]
/** In which somebody has it, or may have it. */
export const reachedStates: readonly string[] = ['sent', 'unknown', 'intended'] satisfies SendState[]

export type SendDetails = {
  address?: string
  messageId?: string
  /** The moment of its numbers, epoch ms. Left out: it has none. */
  coversUntilMs?: number
}

export type SendStep = SendKey &
  SendDetails & {
    claim: string
    /** 1: the intent. 2: what became of it. */
    step: 1 | 2
    atMs: number
    state: SendState
    detail: string
  }

const claimSchema = z.object({
  kind: z.enum(sendKinds),
  recipient: z.string(),
  period: z.string(),
  claim: z.string(),
  last_state: z.enum(sendStates),
  at_ms: z.number(),
  last_address: z.string(),
  last_detail: z.string(),
  covers_until_ms: z.number(),
})
export type Claim = z.infer<typeof claimSchema>

const reminderSchema = z.object({
  user_id: z.string(),
  /** Local date. */
  day: z.string(),
  asked_by: z.string(),
  language: z.string(),
  /** Ids of the overdue assignments when it was asked for. */
  assignments: z.array(z.string()),
  unsubscribe_key: z.string(),
  asked_at_ms: z.number(),
  /** `asked`: nobody has begun to send it. */
  state: z.enum([...sendStates, 'asked']),
  at_ms: z.number(),
  detail: z.string(),
})
export type Reminder = z.infer<typeof reminderSchema>
export type AskedReminder = Omit<Reminder, 'state' | 'at_ms' | 'detail'>

export const alertNames = ['stall', 'silence', 'ledger', 'failed_events', 'times'] as const
export type AlertName = (typeof alertNames)[number]
const alertStates = ['started', 'ended'] as const

/** The finding of an alert, in words, by language. English is always there. */
export type AlertWords = { en: string } & Readonly<Record<string, string>>

/** A change of an alert: odd numbers begin, even ones end. */
export type AlertChange = {
  alert: AlertName
  number: number
  state: (typeof alertStates)[number]
  atMs: number
  words: AlertWords
}

const alertSchema = z
  .object({
    alert: z.enum(alertNames),
    number: z.number(),
    state: z.enum(alertStates),
    at_ms: z.number(),
    detail: z.string(),
    translations: z.record(z.string(), z.string()),
  })
  .transform(({ at_ms, detail, translations, ...row }): AlertChange => {
    return { ...row, atMs: at_ms, words: { ...translations, en: detail } }
  })
const coveredSchema = z.object({
  kind: z.enum(sendKinds),
  recipient: z.string(),
  covers_until_ms: z.number(),
})

export type DigestStore = ReturnType<typeof createDigestStore>

export type DigestStoreOptions = {
  reader: ClickHouseClient
  /** May insert into the tables of digests. Its own rows it reads at once. */
  writer: ClickHouseClient
  /** Whether the store has replicas: then an intent is written to most of them, one after another, before it is read. */
  isReplicated?: boolean
}

const readSql = readStatements(import.meta.dirname)
const keepMs = 400 * 86_400_000
const most = 100_000

async function select<Schema extends z.ZodType>(
  client: ClickHouseClient,
  schema: Schema,
  name: string,
  params: Record<string, unknown> = {},
  settings: Record<string, number> = {},
): Promise<z.infer<Schema>[]> {
  const query = { query: readSql(name), query_params: params, clickhouse_settings: settings }
  const answer = await client.query({ ...query, format: 'JSONEachRow' })
  return z.array(schema).parse(await answer.json())
}

async function insert(
  writer: ClickHouseClient,
  table: string,
  values: object[],
  settings: ClickHouseSettings = {},
) {
  await writer.insert({ table, values, format: 'JSONEachRow', clickhouse_settings: settings })
}

export function createDigestStore({ reader, writer, isReplicated = false }: DigestStoreOptions) {
  return {
    readSubscriptions: () => select(reader, subscriptionSchema, 'subscriptions'),
    async writeSubscription({ seen_at_ms, ...row }: Subscription, nowMs: number): Promise<void> {
      const args = { login: row.login }
      const [latest] = await select(writer, z.object({ latest_ms: z.number() }), 'latest-change', args)
      const changedAtMs = toLaterTime(nowMs, latest?.latest_ms)
      const values = [{ ...row, seen_at: toDateTime(seen_at_ms), changed_at: toDateTime(changedAtMs) }]
      await insert(writer, 'rollcall.digest_subscriptions', values)
    },
    /** Durable when it resolves. */
    async writeStep({
      atMs,
      address = '',
      messageId = '',
      coversUntilMs = 0,
      ...row
    }: SendStep): Promise<void> {
      const times = { at: toDateTime(atMs), covers_until: toDateTime(coversUntilMs) }
      const keep_until = Math.floor((atMs + keepMs) / 1000)
      const values = [{ ...row, ...times, address, message_id: messageId, keep_until }]
      // One of two processes that write an intent and then read sees the other's.
      const quorum = isReplicated ? { insert_quorum: 'auto', insert_quorum_parallel: 0 as const } : {}
      await insert(writer, 'rollcall.digest_sends', values, quorum)
    },
    /** Every attempt at one thing, with what other processes wrote before. An empty period: at any of this recipient. */
    readClaims: ({ kind, recipient, period }: SendKey) =>
      select(
        writer,
        claimSchema,
        'claims',
        { kind, recipient, period, from: toDateTime(0), limit: most },
        isReplicated ? { select_sequential_consistency: 1 } : {},
      ),
    /** The attempts since a moment, newest first; without a kind all but reminders. */
    readSends: ({
      fromMs,
      kind = '',
      limit = most,
    }: {
      fromMs: number
      kind?: SendKind | ''
      limit?: number
    }) =>
      select(reader, claimSchema, 'claims', {
        kind,
        recipient: '',
        period: '',
        from: toDateTime(fromMs),
        limit,
      }),
    /** How far the digests that surely arrived reach, by kind and recipient; a week before the first where none did. */
    async readCovered(fromMs: number): Promise<Map<string, number>> {
      const rows = await select(reader, coveredSchema, 'covered', { from: toDateTime(fromMs) })
      return new Map(
        rows.map(({ kind, recipient, covers_until_ms }) => [`${kind} ${recipient}`, covers_until_ms]),
      )
    },
    ...createReminderStore({ reader, writer }),
    /** Newest first. */
    readAlerts: (limit: number) => select(reader, alertSchema, 'alerts', { limit }),
    readLatestAlerts: () => select(writer, alertSchema, 'latest-alerts'),
    async writeAlert({ atMs, words: { en, ...translations }, ...row }: AlertChange): Promise<void> {
      const values = [{ ...row, at: toDateTime(atMs), detail: en, translations }]
      await insert(writer, 'rollcall.alert_states', values)
    },
    /** Those of these people who have left. */
    async readLeft(users: readonly string[], nowMs: number): Promise<Set<string>> {
      if (users.length === 0) return new Set()
      const params = { users, now: toDateTime(nowMs) }
      const rows = await select(reader, z.object({ user_id: z.string() }), 'left', params)
      return new Set(rows.map(({ user_id }) => user_id))
    },
  }
}

function createReminderStore({ reader, writer }: Pick<DigestStoreOptions, 'reader' | 'writer'>) {
  return {
    async writeReminders(reminders: readonly AskedReminder[]): Promise<void> {
      const values = reminders.map(({ asked_at_ms, ...row }) => {
        return {
          ...row,
          asked_at: toDateTime(asked_at_ms),
          keep_until: Math.floor((asked_at_ms + keepMs) / 1000),
        }
      })
      await insert(writer, 'rollcall.digest_reminders', values)
    },
    /** Those of a time and what became of them, newest first. `users`: left out, everybody's. */
    readReminders: ({ fromMs, users }: { fromMs: number; users?: readonly string[] }) =>
      select(writer, reminderSchema, 'reminders', {
        from: toDateTime(fromMs),
        users: users ?? [],
        any: users === undefined,
        limit: most,
      }),
    /** The person whose reminder holds the link with this key; `undefined`: there is none. */
    async findReminded(key: string): Promise<string | undefined> {
      const rows = await select(reader, z.object({ user_id: z.string() }), 'key-of-reminder', { key })
      return rows[0]?.user_id
    },
    /** The last word counts. */
    async writeOptOut(userId: string, isOut: boolean, nowMs: number): Promise<void> {
      const latest = z.object({ latest_ms: z.coerce.number() })
      const [{ latest_ms } = { latest_ms: 0 }] = await select(writer, latest, 'latest-opt-out', {
        user: userId,
      })
      const values = [{ user_id: userId, is_out: isOut, said_at: toDateTime(toLaterTime(nowMs, latest_ms)) }]
      await insert(writer, 'rollcall.digest_opt_outs', values)
    },
    /** Those of these people who want no reminders. */
    async readOptedOut(users: readonly string[]): Promise<Set<string>> {
      const rows = await select(writer, z.object({ user_id: z.string() }), 'opted-out', { users })
      return new Set(rows.map(({ user_id }) => user_id))
    },
  }
}
