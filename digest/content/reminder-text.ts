/** The text of a reminder, for the mail that Rollcall sends, for a mail of the reader's own, and to copy into a chat. */
import { toPlatformHref, type PlatformLinks } from '../../services/config/values/platform-links.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import { createFormat } from '../../language/format.ts'
import { currentReading } from '../../language/language.ts'
import { t } from '../../language/translate.ts'
import { toText, type MailContent, type MailLine, type MailPart } from '../mail/mail-content.ts'
import { toLine } from './digest-text.ts'

export type LateWork = {
  person: { user_id: string; name: string }
  /** The longest overdue first; not empty. */
  late: readonly AssignmentRow[]
  links: PlatformLinks
}

/** Readers skip longer lists. */
const mostLines = 20

export function toReminderSubject({ late }: Pick<LateWork, 'late'>): string {
  return t('{n, plural, one {# assignment} other {# assignments}} overdue', { n: late.length })
}

/** The first name, or the whole name if it does not begin with one. */
function toFirstName(name: string): string {
  return /^[^\s,]+(?=\s|$)/.exec(name)?.[0] ?? name
}

/** `from`: the name under it. */
export function toReminderContent(
  work: LateWork,
  { from = '', foot = [] }: { from?: string; foot?: MailLine[] } = {},
): MailContent {
  const { person, late, links } = work
  const name = toFirstName(toLine(person.name))
  const lines = toReminderLines(work)
  const more = late.length > mostLines ? [{ text: t('and {n} more', { n: late.length - mostLines }) }] : []
  const href = toPlatformHref(links.learner, { user_id: person.user_id })
  const opening = t(
    '{n, plural, one {One of your assignments is} other {# of your assignments are}} overdue:',
    { n: late.length },
  )
  const place =
    href === null ? t('You can find them on the learning platform.') : t('You can find them here:')
  // The way to the platform if the lines have none.
  const isLinked = lines.some((line) => line.href !== null)
  const parts: (MailPart | false)[] = [
    { kind: 'text', text: name === '' ? t('Hello,') : t('Hello {name},', { name }) },
    { kind: 'title', text: opening },
    { kind: 'list', lines: [...lines, ...more] },
    !isLinked && { kind: 'text', text: place, href },
    { kind: 'text', text: t('Thank you!') },
    from !== '' && { kind: 'quiet', text: toLine(from) },
  ]
  return { subject: toReminderSubject(work), parts: parts.filter((part) => part !== false), go: null, foot }
}

function toReminderLines({ person, late, links }: LateWork) {
  // Days are dates already: the zone and the moment do not matter.
  const format = createFormat({ locale: currentReading().locale, timeZone: 'UTC', now: 0 })
  const message =
    '{challenge}, due {day}, {n, plural, =0 {less than a day} one {# day} other {# days}} overdue.'
  return late
    .slice(0, mostLines)
    .map(({ challenge: title, challenge_id: id, assignment_id, due_day, days_overdue }) => {
      const challenge_id = id ?? ''
      const challenge = toLine(title ?? '') || toLine(challenge_id) || t('Unknown challenge')
      const href = toPlatformHref(links.assignment, { assignment_id, challenge_id, user_id: person.user_id })
      const values = { challenge, day: format.dayYear(due_day ?? ''), n: days_overdue ?? 0 }
      return { text: t(message, values), href }
    })
}

export const toReminderText = (work: LateWork): string => toText(toReminderContent(work))

/** Some mail programs cut or refuse longer links. */
const longestLink = 1_900

/** The same text for everyone, without names or titles. */
export function toSharedText(): string {
  return [
    t('Hello,'),
    '',
    t('Some of your assignments are overdue.'),
    t('You can find them on the learning platform.'),
    '',
    t('Thank you!'),
    '',
  ].join('\n')
}

/** A mail of the reader's own to all of them, who do not see each other; `null` if the link would be too long. */
export function toSharedMailto(addresses: readonly string[]): string | null {
  const all = addresses.map((each) => encodeURIComponent(each).replace('%40', '@')).join(',')
  const to = addresses.length === 1 ? `${all}?` : `?bcc=${all}&`
  const link = `mailto:${to}subject=${encodeURIComponent(t('Overdue assignments'))}&body=${encodeURIComponent(toSharedText().replaceAll('\n', '\r\n'))}`
  return addresses.length === 0 || link.length > longestLink ? null : link
}
