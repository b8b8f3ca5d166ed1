/** Sends the reminders that were asked for: overdue work is read again for each person, with the rights of the one who asked. */
import type { PlatformLinks } from '../../services/config/values/platform-links.ts'
import { isAddress } from '../../services/config/values/address.ts'
import { toLogin } from '../../services/config/values/roles.ts'
import { runAs } from '../../services/access/visitor.ts'
import type { OnceResult, Prepared } from '../../services/records/once.ts'
import type { Claim } from '../../services/records/records.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import type { ScopeSettings } from '../../schemas/metrics/scope.ts'
import { reading, readingOf } from '../../language/language.ts'
import { t, type Message } from '../../language/translate.ts'
import { toLine } from '../content/digest-text.ts'
import { toReminderContent, type LateWork } from '../content/reminder-text.ts'
import { reachedStates, type Reminder, type SendAttempt } from '../digest-store.ts'
import { printMail } from '../mail/mail-html.tsx'
import type { Mail, Mailer } from './mailer.ts'
import { inTurn, toAttempt, toMessageId, type SendDeps, type SendKey } from './send.ts'

export type ReminderQueries = Pick<Queries, 'overdue' | 'lateAssignments' | 'frame'>

export type SendRemindersDeps = SendDeps & {
  queries: ReminderQueries
  settings: ScopeSettings
  links: PlatformLinks
  mailer: Mailer
  everyDays: number
}

const notAllowedDetail: Message = 'Not sent: the person who asked may not remind any more.'
const notLateDetail: Message = 'Not sent: nothing is overdue any more.'
const noAddressDetail: Message = 'Not sent: there is no usable email address.'
const optedOutDetail: Message = 'Not sent: this person wants no reminders.'
const recentDetail: Message = 'Not sent: this person got a reminder a short time ago.'

const dayMs = 86_400_000
/** A reminder that was asked for longer ago is not sent any more. */
export const triedMs = 2 * dayMs
/** Nobody has more; bounds the reading. */
const mostAssignments = 1_000

export const isUnderWay = ({ state, asked_at_ms }: Reminder, now: number) =>
  ['asked', 'not_sent', 'withdrawn'].includes(state) && now - asked_at_ms < triedMs

const toSendKey = ({ user_id, day }: Reminder): SendKey => ({
  kind: 'reminder',
  recipient: user_id,
  thing: day,
})

type Work = LateWork & { email: string }

export function createSendReminders(deps: SendRemindersDeps): (signal: AbortSignal) => Promise<void> {
  const { store, once, members, queries, settings, links, mailer, everyDays, clock } = deps

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

  async function prepare(reminder: Reminder): Promise<Prepared<SendAttempt>> {
    const skip = (detail: Message) => ({ state: 'skipped', detail }) as const
    const { user_id: userId, asked_by: askedBy } = reminder
    const { visitor, identity } = await members.identify(askedBy)
    if (visitor.role !== 'owner' && visitor.role !== 'manager') return skip(notAllowedDetail)
    const work = await runAs(visitor, () => readWork(userId))
    if (work === undefined) return skip(notLateDetail)
    const { email } = work
    if (!isAddress(email)) return skip(noAddressDetail)
    if ((await store.readOptedOut([userId])).size > 0) return skip(optedOutDetail)
    const from = await runAs(visitor, () => readName(identity.userId))
    const mail = await toMail(deps, reminder, work, from)
    return {
      // The stored claim names no one: an erasure at this moment leaves nothing behind.
      async act() {
        const outcome = await mailer.send(mail)
        return { ...outcome, detail: outcome.detail.replaceAll(email, '…') }
      },
    }
  }

  function send(reminder: Reminder): Promise<OnceResult> {
    const since = clock() - everyDays * dayMs
    const isRecent = ({ value, changedAtMs }: Claim<SendAttempt>) =>
      value.thing !== reminder.day && reachedStates.includes(value.state) && changedAtMs > since
    return once.once(
      ...toAttempt(toSendKey(reminder)),
      async (attempts) =>
        attempts.some(isRecent) ? { state: 'skipped', detail: recentDetail } : prepare(reminder),
      // Of two that were asked for around midnight one is sent.
      (attempt) => attempt.value.thing === reminder.day || isRecent(attempt),
    )
  }

  /** Those that have thrown: they go last, and so do not hold up the others at every pass. */
  const failed = new Set<string>()

  async function tryToSend(reminder: Reminder): Promise<OnceResult> {
    failed.add(reminder.unsubscribe_key)
    const result = await send(reminder)
    failed.delete(reminder.unsubscribe_key)
    return result
  }

  return async (signal) => {
    const reminders = await store.readReminders({ fromMs: clock() - triedMs })
    const rank = ({ unsubscribe_key }: Reminder) => Number(failed.has(unsubscribe_key))
    const due = reminders.filter((each) => isUnderWay(each, clock())).toSorted((a, b) => rank(a) - rank(b))
    await inTurn(due, tryToSend, { ...deps, signal, mostFailures: 1 })
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
  const as = readingOf(member?.language ?? reminder.language)
  const unsubscribeUrl = `${site}/digest/unsubscribe?${new URLSearchParams({ key, of: 'reminders' }).toString()}`
  const replyTo = await members.mailboxOf(askedBy)
  const mail = await reading(as, async () => {
    const who = from === '' ? toLine(askedBy) : `${toLine(from)} (${toLine(askedBy)})`
    const why = t(
      '{who} asked Rollcall to send you this, because {n, plural, one {a due date has} other {# due dates have}} passed.',
      { who, n: work.late.length },
    )
    const foot = [{ text: why }, { text: t('Stop reminder emails'), href: unsubscribeUrl }]
    return printMail(toReminderContent(work, { from, foot }))
  })
  return {
    ...mail,
    to: work.email,
    ...(replyTo !== '' && { replyTo }),
    messageId: toMessageId(toSendKey(reminder), site),
    unsubscribeUrl,
    language: as.language,
  }
}
