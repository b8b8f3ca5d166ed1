/** Subscriptions, sent mails, reminders and alerts, as records. */
import { z } from 'zod'
import { roles } from '../services/config/values/roles.ts'
import { bindStatements, toDateTime } from '../services/clickhouse/statements.ts'
import { attemptStates, type AttemptState } from '../services/records/once.ts'
import { createRecords, toKey, type Claim, type RecordsDeps } from '../services/records/records.ts'
import { frequencies } from './schedule.ts'

const subscriptionSchema = z.object({
  login: z.string(),
  /** Empty: the login, if it is one. */
  email: z.string(),
  /** Empty: not chosen. */
  frequency: z.enum([...frequencies, 'off', '']),
  weekday: z.number(),
  hour: z.number(),
  /** Empty: the reporting zone. */
  time_zone: z.string(),
  language: z.string(),
  alerts: z.boolean(),
  unsubscribe_key: z.string(),
  /** By groups of the sign-in provider, at the last visit. */
  role: z.enum([...roles, '']),
  user_id: z.string(),
  seen_at_ms: z.number(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

export const sendKinds = ['digest', 'digest_channel', 'alert', 'alert_channel', 'reminder'] as const
export type SendKind = (typeof sendKinds)[number]
export type SendState = AttemptState
/** The recipient has it, or may have it. */
export const reachedStates: readonly string[] = ['sent', 'unknown', 'intended'] satisfies SendState[]

const sendSchema = z.object({
  kind: z.enum(sendKinds),
  /** A login, the id of a person at the platform, or `channel`. */
  recipient: z.string(),
  /** What is sent once: a date; of an alert its name, number and state. */
  thing: z.string(),
  state: z.enum(attemptStates),
  /** What the server answered, never what was sent. */
  detail: z.string(),
  address: z.string().optional(),
  /** The moment of its numbers, epoch ms: the next digest begins there. */
  coversUntilMs: z.number().optional(),
})
export type SendAttempt = z.infer<typeof sendSchema>

/** One attempt, as pages show it. */
export type Send = SendAttempt & { at_ms: number }

const reminderSchema = z.object({
  user_id: z.string(),
  /** Local date. */
  day: z.string(),
  asked_by: z.string(),
  language: z.string(),
  asked_at_ms: z.number(),
})
export type AskedReminder = z.infer<typeof reminderSchema> & { unsubscribe_key: string }
/** `asked`: no one has begun to send it. */
export type Reminder = AskedReminder & { state: SendState | 'asked'; at_ms: number; detail: string }

export const alertNames = ['stall', 'silence', 'ledger', 'failed_events', 'times'] as const
export type AlertName = (typeof alertNames)[number]

/** The finding of an alert, in words, by language. English is always there. */
export type AlertWords = { en: string } & Readonly<Record<string, string>>

const alertSchema = z.object({
  alert: z.enum(alertNames),
  /** Counts the changes of this alert: odd numbers begin, even ones end. */
  number: z.number(),
  state: z.enum(['started', 'ended']),
  atMs: z.number(),
  words: z.object({ en: z.string() }).catchall(z.string()),
})
export type AlertChange = z.infer<typeof alertSchema>

export type DigestStore = ReturnType<typeof createDigestStore>

const most = 100_000
const { select } = bindStatements(import.meta.dirname)

export function createDigestStore(deps: RecordsDeps) {
  const subscriptions = createRecords({ name: 'subscription', schema: subscriptionSchema }, deps)
  const sends = createRecords({ name: 'send', schema: sendSchema }, deps)
  const alerts = createRecords({ name: 'alert', schema: alertSchema }, deps)
  const reminders = createRecords({ name: 'reminder', schema: reminderSchema }, deps)
  const optOuts = createRecords({ name: 'opt_out', schema: z.object({ isOut: z.boolean() }) }, deps)
  return {
    /** By login. */
    subscriptions,
    /** Claims. Key: `toSendKey`. */
    sends,
    readSubscriptions: async () => (await subscriptions.list({ limit: most })).map(({ value }) => value),
    /** Newest first. */
    readSends: async (fromMs: number): Promise<Send[]> =>
      (await sends.claims({ fromMs, limit: most })).map(({ value, changedAtMs }) => {
        return { ...value, at_ms: changedAtMs }
      }),
    /** Newest first. */
    readAlerts: async (): Promise<AlertChange[]> => (await alerts.list()).map(({ value }) => value),
    /** Two processes that see the same write one change. */
    async writeAlert(change: AlertChange): Promise<void> {
      await alerts.put(toKey(change.alert, String(change.number)), change, 0)
    },
    /** Those of these people who have left. */
    async readLeft(users: readonly string[], nowMs: number): Promise<Set<string>> {
      if (users.length === 0) return new Set()
      const rows = await select<{ user_id: string }>(deps.reader, 'left', { users, now: toDateTime(nowMs) })
      return new Set(rows.map(({ user_id }) => user_id))
    },
    writeReminders: (asked: readonly AskedReminder[]): Promise<void> =>
      reminders.add(asked.map(({ unsubscribe_key, ...reminder }) => [unsubscribe_key, reminder])),
    /** Since a moment, newest first. `users`: defaults to everyone. */
    async readReminders(range: { fromMs: number; users?: readonly string[] }): Promise<Reminder[]> {
      const { fromMs } = range
      const users = range.users && new Set(range.users)
      const [asked, claims] = await Promise.all([
        reminders.list({ fromMs, limit: most }),
        sends.claims({ prefix: 'reminder/', fromMs, limit: most }),
      ])
      const wanted = asked.filter(({ value }) => users?.has(value.user_id) ?? true)
      return toReminders(
        wanted.map(({ key, value }) => ({ ...value, unsubscribe_key: key })),
        claims,
      )
    },
    /** The person whose reminder holds the link with this key; `undefined` if there is none. */
    findReminded: async (key: string): Promise<string | undefined> =>
      (await reminders.read(key))?.value.user_id,
    async writeOptOut(userId: string, isOut: boolean): Promise<void> {
      await optOuts.put(userId, { isOut })
    },
    /** Those of these people who want no reminders. */
    async readOptedOut(users: readonly string[]): Promise<Set<string>> {
      const out = (await optOuts.list({ limit: most })).filter(({ value }) => value.isOut)
      return new Set(out.map(({ key }) => key).filter((key) => users.includes(key)))
    },
  }
}

export const toSendKey = (kind: SendKind, recipient: string) => toKey(kind, recipient)

/** Of several attempts the one that came furthest counts. */
const ranks: SendState[] = ['withdrawn', 'not_sent', 'intended', 'skipped', 'refused', 'unknown', 'sent']

/** With their outcomes. Of several that were requested for a person on a day the last one counts. `asked`: newest first. */
function toReminders(asked: readonly AskedReminder[], claims: readonly Claim<SendAttempt>[]): Reminder[] {
  const outcomes = Map.groupBy(claims, ({ value }) => toKey(value.recipient, value.thing))
  const latest = new Map(asked.toReversed().map((each) => [toKey(each.user_id, each.day), each]))
  return [...latest]
    .map(([name, each]): Reminder => {
      const [furthest] = (outcomes.get(name) ?? []).toSorted(
        (a, b) => ranks.indexOf(b.value.state) - ranks.indexOf(a.value.state),
      )
      if (furthest === undefined) return { ...each, state: 'asked', at_ms: 0, detail: '' }
      const { state, detail } = furthest.value
      return { ...each, state, detail, at_ms: furthest.changedAtMs }
    })
    .toSorted((a, b) => b.asked_at_ms - a.asked_at_ms || (a.user_id < b.user_id ? -1 : 1))
}
