/** Sends the reminders that were asked for: overdue work is read again for each person, with the rights of the one who asked. */
import type { PlatformLinks } from '../../services/config/values/platform-links.ts'
import { isAddress } from '../../services/config/values/address.ts'
import { toLogin } from '../../services/config/values/roles.ts'
import { runAs } from '../../services/access/visitor.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { reading, readingOf } from '../../language/language.ts'
import { t, type Message } from '../../language/translate.ts'
import { toReminderContent, type LateWork, toSummary } from '../content/reminder-text.ts'
import { reachedStates, type DigestStore, type Reminder, type SendKey } from '../digest-store.ts'
import { toText } from '../mail/mail-content.ts'
import { toHtml } from '../mail/mail-html.tsx'
import { toLine } from '../content/digest-text.ts'
import type { Members } from '../members.ts'
import type { Mail, Mailer } from './mailer.ts'
import { createOutbox, inTurn, type DigesterDeps, type Outbox } from './outbox.ts'
import { toMessageId, type SentOnce, unknownAfterMs } from './send-once.ts'
import { postMessage } from '../channel.ts'
import { channelRecipient } from './send-alerts.ts'

export type ReminderQueries = Pick<Queries, 'overdue' | 'lateAssignments' | 'frame'>

export type SendRemindersDeps = Pick<DigesterDeps, 'store' | 'site' | 'clock' | 'onError' | 'rest'> & {
  members: Pick<Members, 'identify' | 'find' | 'mailboxOf'>
  queries: ReminderQueries
  settings: ScopeSettings
  links: PlatformLinks
  mailer: Mailer
  everyDays: number
}

const notAllowedDetail: Message = 'Not sent: the person who asked may not remind any more.'
const notLateDetail: Message = 'Not sent: nothing is overdue any more.'
const noAddressDetail: Message = 'Not sent: there is no usable e-mail address.'
const optedOutDetail: Message = 'Not sent: this person wants no reminders.'
const recentDetail: Message = 'Not sent: this person got a reminder a short time ago.'

const dayMs = 86_400_000
/** A reminder that was asked for longer ago is not sent any more. */
export const triedMs = 2 * dayMs
/** Nobody has more; bounds the reading. */
const mostAssignments = 1_000

export const isUnderWay = ({ state, asked_at_ms }: Reminder, now: number) =>
  ['asked', 'not_sent', 'withdrawn'].includes(state) && now - asked_at_ms < triedMs

export const toReminderKey = ({ user_id, day }: Pick<Reminder, 'user_id' | 'day'>): SendKey => ({
  kind: 'reminder',
  recipient: user_id,
  period: day,
})

type Work = LateWork & { email: string }

export function createSendReminders(deps: SendRemindersDeps): (signal?: AbortSignal) => Promise<void> {
  const { members, queries, settings, links, mailer, everyDays, clock } = deps

  /** Attempts at a person on other days count as well, so that of two that were asked for at midnight one is sent. */
  const readClaims: DigestStore['readClaims'] = async (key) => {
    const since = clock() - everyDays * dayMs
    const claims = await deps.store.readClaims({ ...key, period: '' })
    return claims.filter(
      ({ period, last_state, at_ms }) =>
        period === key.period || (reachedStates.includes(last_state) && at_ms > since),
    )
  }
  const outbox = createOutbox({ ...deps.store, readClaims }, clock)

  async function readWork(userId: string): Promise<Work | undefined> {
    const scope = { ...createScope(clock(), settings), user: [userId] }
    const [{ people }, late] = await Promise.all([
      queries.overdue(scope),
      queries.lateAssignments(scope, [userId], mostAssignments),
    ])
    const person = people.find(({ user_id }) => user_id === userId)
    return person === undefined || late.length === 0
      ? undefined
      : { person, late, links, email: person.email }
  }

  /** The name of the person who asks, at the platform. Empty if the platform does not know them. */
  async function readName(userId: string | null): Promise<string> {
    if (userId === null) return ''
    const { options } = await queries.frame({ ...createScope(clock(), settings), user: [userId] })
    return options.people.find(({ id }) => id === userId)?.name ?? ''
  }

  async function send(reminder: Reminder): Promise<SentOnce | undefined> {
    const { user_id: userId, asked_by: askedBy } = reminder
    const key = toReminderKey(reminder)
    const skip = async (detail: Message) => {
      await outbox.end(key, { state: 'skipped', detail })
      return undefined
    }
    if ((await readClaims(key)).some(({ period }) => period !== key.period)) return skip(recentDetail)
    if (!(await outbox.mayBegin(key))) return undefined
    const { visitor, identity } = await members.identify(askedBy)
    if (visitor.role !== 'owner' && visitor.role !== 'manager') return skip(notAllowedDetail)
    const work = await runAs(visitor, () => readWork(userId))
    if (work === undefined) return skip(notLateDetail)
    const { email } = work
    if (!isAddress(email)) return skip(noAddressDetail)
    if ((await deps.store.readOptedOut([userId])).size > 0) return skip(optedOutDetail)
    const from = await runAs(visitor, () => readName(identity.userId))
    const mail = await toMail(deps, reminder, work, from)
    // The stored row names nobody: an erasure at this moment leaves nothing behind.
    return outbox.begin({
      ...key,
      async send() {
        const outcome = await mailer.send(mail)
        return { ...outcome, detail: outcome.detail.replaceAll(email, '…') }
      },
    })
  }

  /** Those that have thrown, by day and person: they go last, and so do not hold up the others at every pass. */
  const failed = new Set<string>()
  const nameOf = ({ user_id, day }: Reminder) => `${day} ${user_id}`

  async function tryToSend(reminder: Reminder): Promise<SentOnce | undefined> {
    failed.add(nameOf(reminder))
    const outcome = await send(reminder)
    failed.delete(nameOf(reminder))
    return outcome
  }

  return async (signal) => {
    const reminders = await deps.store.readReminders({ fromMs: clock() - triedMs })
    await inTurn(
      reminders
        .filter((each) => isUnderWay(each, clock()))
        .toSorted((a, b) => Number(failed.has(nameOf(a))) - Number(failed.has(nameOf(b)))),
      tryToSend,
      { ...deps, signal, mostFailures: 1 },
    )
    mailer.rest()
  }
}

async function toMail(
  { members, site }: SendRemindersDeps,
  reminder: Reminder,
  work: Work,
  from: string,
): Promise<Mail> {
  const { asked_by: askedBy, unsubscribe_key: key } = reminder
  const member = await members.find(toLogin(work.email))
  const language = member?.language ?? reminder.language
  const as = readingOf(language)
  const unsubscribeUrl = `${site}/digest/unsubscribe?${new URLSearchParams({ key, of: 'reminders' }).toString()}`
  const replyTo = await members.mailboxOf(askedBy)
  const mail = await reading(as, async () => {
    const who = from === '' ? toLine(askedBy) : `${toLine(from)} (${toLine(askedBy)})`
    const why = t(
      '{who} asked Rollcall to send you this, because {n, plural, one {a due date has} other {# due dates have}} passed.',
      { who, n: work.late.length },
    )
    const foot = [{ text: why }, { text: t('Stop reminder emails'), href: unsubscribeUrl }]
    const content = toReminderContent(work, { from, foot })
    return { subject: content.subject, text: toText(content), html: await toHtml(content) }
  })
  return {
    to: work.email,
    ...(replyTo !== '' && { replyTo }),
    ...mail,
    messageId: toMessageId(toReminderKey(reminder), new URL(site).hostname),
    unsubscribeUrl,
    language: as.language,
  }
}

/** Tells the team channel how reminders ended, in numbers: one for those that were asked for together, when all of them are over. */
export function createSendSummaries(deps: DigesterDeps, outbox: Outbox): () => Promise<void> {
  const { store, defaults, site, channel, clock } = deps
  return async () => {
    if (channel === undefined) return
    const now = clock()
    // Those that are not tried any more are over: a day is left to say so.
    const reminders = await store.readReminders({ fromMs: now - triedMs - 86_400_000 })
    for (const [askedAtMs, run] of Map.groupBy(reminders, ({ asked_at_ms }) => asked_at_ms)) {
      const isBegun = run.some(({ state, at_ms }) => state === 'intended' && now - at_ms <= unknownAfterMs)
      const period = new Date(askedAtMs).toISOString()
      const key: SendKey = { kind: 'reminder_channel', recipient: channelRecipient, period }
      if (isBegun || run.some((each) => isUnderWay(each, now)) || !(await outbox.mayBegin(key))) continue
      const message = reading(readingOf(defaults.language), () => toSummary(run, site))
      const send = () => postMessage(channel.url, message)
      await outbox.begin({ ...key, send })
    }
  }
}
