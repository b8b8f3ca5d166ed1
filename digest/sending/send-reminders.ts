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
import { toReminderContent } from '../content/reminder-text.ts'
import { reachedStates, type Reminder, type SendAttempt } from '../digest-store.ts'
import { printMail } from '../mail/mail-html.tsx'
import type { Mailer } from './mailer.ts'
import { sendInTurn, sendOnce, toMessageId, toUnsubscribeUrl, type SendDeps, type SendKey } from './send.ts'

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

export function createSendReminders(deps: SendRemindersDeps): (signal: AbortSignal) => Promise<void> {
  const { store, members, queries, settings, links, site, mailer, everyDays, clock } = deps
  const scopeOf = (userId: string) => ({ ...createScope(clock(), settings), user: [userId] })

  async function readWork(userId: string) {
    const scope = scopeOf(userId)
    const [{ people }, late] = await Promise.all([
      queries.overdue(scope),
      queries.lateAssignments(scope, userId, mostAssignments),
    ])
    const person = people.find(({ user_id }) => user_id === userId)
    return person === undefined || late.length === 0 ? undefined : { person, late, links }
  }

  /** The name of the person who asks, at the platform. Empty if the platform does not know them. */
  async function readName(userId: string | null): Promise<string> {
    if (userId === null) return ''
    const { options } = await queries.frame(scopeOf(userId))
    return options.people.find(({ id }) => id === userId)?.name ?? ''
  }

  async function prepare(reminder: Reminder, key: SendKey): Promise<Prepared<SendAttempt>> {
    const skip = (detail: Message) => ({ state: 'skipped', detail }) as const
    const { user_id: userId, asked_by: askedBy } = reminder
    const { visitor, identity } = await members.identify(askedBy)
    if (visitor.role !== 'owner' && visitor.role !== 'manager') return skip(notAllowedDetail)
    const work = await runAs(visitor, () => readWork(userId))
    if (work === undefined) return skip(notLateDetail)
    const to = work.person.email
    if (!isAddress(to)) return skip(noAddressDetail)
    if ((await store.readOptedOut([userId])).size > 0) return skip(optedOutDetail)
    const from = await runAs(visitor, () => readName(identity.userId))
    const as = readingOf((await members.find(toLogin(to)))?.language ?? reminder.language)
    const unsubscribeUrl = toUnsubscribeUrl(site, reminder.unsubscribe_key, 'reminders')
    const replyTo = await members.mailboxOf(askedBy)
    const printed = await reading(as, () => {
      const who = from === '' ? toLine(askedBy) : `${toLine(from)} (${toLine(askedBy)})`
      const why = t(
        '{who} asked Rollcall to send you this, because {n, plural, one {a due date has} other {# due dates have}} passed.',
        { who, n: work.late.length },
      )
      const foot = [{ text: why }, { text: t('Stop reminder emails'), href: unsubscribeUrl }]
      return printMail(toReminderContent(work, { from, foot }))
    })
    const sender = { ...(replyTo !== '' && { replyTo }), messageId: toMessageId(key, site) }
    const mail = { ...printed, ...sender, to, unsubscribeUrl, language: as.language }
    return {
      // The stored claim names no one: an erasure at this moment leaves nothing behind.
      async act() {
        const outcome = await mailer.send(mail)
        return { ...outcome, detail: outcome.detail.replaceAll(to, '…') }
      },
    }
  }

  function send(reminder: Reminder): Promise<OnceResult> {
    const key = { kind: 'reminder', recipient: reminder.user_id, thing: reminder.day } as const
    const since = clock() - everyDays * dayMs
    const isRecent = ({ value, changedAtMs }: Claim<SendAttempt>) =>
      value.thing !== reminder.day && reachedStates.includes(value.state) && changedAtMs > since
    return sendOnce(
      deps,
      key,
      async (attempts) =>
        attempts.some(isRecent) ? { state: 'skipped', detail: recentDetail } : prepare(reminder, key),
      // Of two that were asked for around midnight one is sent.
      (attempt) => attempt.value.thing === reminder.day || isRecent(attempt),
    )
  }

  return async (signal) => {
    const reminders = await store.readReminders({ fromMs: clock() - triedMs })
    const due = reminders.filter((each) => isUnderWay(each, clock()))
    // Not always the same first: some that fail at every pass do not hold up the others.
    const first = Math.floor(Math.random() * due.length)
    await sendInTurn(deps, signal, [...due.slice(first), ...due.slice(0, first)], send)
    mailer.rest()
  }
}
