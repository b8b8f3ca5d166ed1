/** The content of a digest, in the language that is read. */
import type { Format } from '../../language/format.ts'
import type { MailContent, MailLine, MailPart } from '../mail/mail-content.ts'
import type { DigestLinks } from './links.ts'
import { mostNamed, type Digest } from './read-digest.ts'
import { isolateText, t, type Message } from '../../language/translate.ts'
import { kindWords } from '../../reporting/words/change-words.ts'
import type { ChangeKind } from '../../reporting/metrics/changes.ts'
import { toLocalDate } from '../../schemas/metrics/calendar.ts'

export type DigestView = {
  digest: Digest
  /** Whose numbers these are. */
  whose: string
  format: Format
  links: DigestLinks
  site: string
  /** Managers get it without asking. */
  isManager: boolean
  /** `null`: nobody to unsubscribe, as in a preview. */
  unsubscribeUrl: string | null
}

/** A name or a title may have a thousand characters; a line of a mail has room for these. */
const mostShown = 120
/** One character may be a letter under a thousand marks. */
const mostUnits = 480

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Names hold anything: in a mail they are one short line that turns no other text around. */
export function toLine(text: string): string {
  return isolateText(shorten(text))
}

function shorten(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line.length <= mostShown) return line
  const each = Array.from(characters.segment(line), ({ segment }) => segment)
  if (each.length <= mostShown && line.length <= mostUnits) return line
  const short = each.slice(0, mostShown - 1).join('')
  return `${short.slice(0, mostUnits).replace(/[\ud800-\udbff]$/, '')}…`
}

export function toDigestContent(view: DigestView): MailContent {
  const { digest, links, format, unsubscribeUrl } = view
  const { newlyLate, waiting, metrics, changes, notes } = digest
  const ifAny = (n: number, href: string | null) => (n === 0 ? null : href)
  const all = (shown: number, total: number, href: string | null) => ({
    text: total > shown ? t('Show all {all}', { all: format.count(total) }) : '',
    href,
  })
  const people = (lines: MailLine[], total: number, href: string | null): MailPart => ({
    kind: 'list',
    lines,
    isNamed: true,
    all: all(lines.length, total, href),
  })
  const nNotes = notes.slice(-mostNamed)
  const parts: (MailPart | false)[] = [
    { kind: 'title', text: toTitle(view) },
    { kind: 'quiet', text: toPeriodLine(view) },
    digest.sample && { kind: 'warning', text: t('Sample data. These people and numbers are made up.') },
    { kind: 'numbers', numbers: toRates(view) },
    { kind: 'quiet', text: toOverdueLine(view), href: ifAny(metrics.overdue.value, links.late) },
    {
      kind: 'quiet',
      text: t('{n} due in the next 7 days', { n: format.count(metrics.due_soon.value) }),
      href: ifAny(metrics.due_soon.value, links.dueSoon),
    },
    {
      kind: 'heading',
      text:
        newlyLate.total === 0
          ? t('No one became overdue.')
          : t('Became overdue: {n}', { n: format.count(newlyLate.total) }),
      href: ifAny(newlyLate.total, links.changes('became_overdue')),
    },
    newlyLate.total > 0 && people(toLateLines(view), newlyLate.total, links.late),
    newlyLate.total > 0 && toRemind(view),
    waiting.total > 0 && {
      kind: 'heading',
      text: t('Waiting for a grade: {n}', { n: format.count(waiting.total) }),
      href: links.grading,
    },
    waiting.total > 0 && people(toWaitingLines(view), waiting.total, links.grading),
    { kind: 'heading', text: t('What changed') },
    changes.length === 0
      ? { kind: 'text', text: t('Nothing changed.') }
      : {
          kind: 'list',
          lines: changes.map(({ kind, n }) => ({
            text: `${format.count(n)} ${changeWords(kind, n)}`,
            href: links.changes(kind),
          })),
          all: { text: '', href: links.changes() },
        },
    notes.length > 0 && { kind: 'heading', text: t('Notes') },
    notes.length > 0 && {
      kind: 'list',
      lines: nNotes.map(({ day, text, teamName }) => ({
        text,
        note: [format.dayYear(day), toLine(teamName)].filter(Boolean).join(', '),
        href: links.notes,
      })),
      all: all(nNotes.length, notes.length, links.notes),
    },
  ]
  return {
    subject: toSubject(view),
    parts: parts.filter((part) => part !== false),
    go: { text: t('Open Rollcall'), href: links.overview },
    foot: [
      { text: toWhyLine(view) },
      { text: t('Change how often it comes'), href: links.settings },
      ...(unsubscribeUrl === null ? [] : [{ text: t('Unsubscribe'), href: unsubscribeUrl }]),
    ],
  }
}

function toLateLines({ digest, format, links }: DigestView): MailLine[] {
  return digest.newlyLate.rows.map(({ user_id, user_name, challenge, challenge_id, after }) => ({
    text: toLine(user_name ?? '') || toPerson(user_id),
    note: [
      toLine(challenge ?? '') || toLine(challenge_id ?? '') || t('Unknown challenge'),
      ...(after.due_date === null ? [] : [t('due {day}', { day: format.dueDay(after.due_date) })]),
    ].join(', '),
    href: links.person(user_id),
  }))
}

function toWaitingLines({ digest, format, links }: DigestView): MailLine[] {
  return digest.waiting.rows.map(({ user_id, user_name, challenge, challenge_id, submitted_at }) => ({
    text: toLine(user_name) || toPerson(user_id),
    note: `${toLine(challenge) || toLine(challenge_id) || t('Unknown challenge')}, ${t('submitted {age} ago', { age: format.durationAfter(Math.max(0, digest.asOf - Date.parse(submitted_at))) })}`,
    href: links.grading,
  }))
}

function toPerson(id: string | null): string {
  return id === null || id === '' ? t('Unknown person') : toLine(t('Person {id}', { id }))
}

function toRates(view: DigestView): { name: string; value: string; of: string }[] {
  const { digest, format } = view
  const line = (name: string, key: 'completion_rate' | 'on_time_rate', what: 'assigned' | 'decided') => {
    const { value, numerator, denominator } = digest.metrics[key]
    const past = digest.before[key].value
    const counts = { part: format.count(numerator), all: format.count(denominator) }
    const of = what === 'assigned' ? t('{part} of {all} assigned', counts) : t('{part} of {all} due', counts)
    return {
      name,
      value: value === null ? t('No data') : format.percent(value),
      of:
        value === null || past === null
          ? of
          : `${of}, ${toChange(view, value - past, format.points(value - past))}`,
    }
  }
  return [line(t('Completion'), 'completion_rate', 'assigned'), line(t('On time'), 'on_time_rate', 'decided')]
}

function toOverdueLine(view: DigestView): string {
  const { digest, format } = view
  const now = digest.metrics.overdue.value
  const change = now - digest.before.overdue.value
  return `${t('{n} overdue', { n: format.count(now) })}, ${toChange(view, change, format.signed(change))}`
}

function toChange({ digest, format }: DigestView, change: number, text: string): string {
  const since = format.instantDay(new Date(digest.since).toISOString())
  return t('{change} since {since}', { change: change === 0 ? t('no change') : text, since })
}

const dayMs = 86_400_000

function toTitle({ digest: { since, asOf }, format }: DigestView): string {
  if (Math.round((asOf - since) / dayMs) !== 7)
    return t('Rollcall digest, {days}', { days: format.days(since, asOf) })
  return t('Rollcall digest, week of {day}', { day: format.day(toLocalDate(format.timeZone, since)) })
}

function toPeriodLine({ digest: { since, asOf }, format, whose }: DigestView): string {
  return `${whose}, ${format.days(since, asOf)}`
}

/** The way to remind the people whom the mail names, if the reader can. */
function toRemind({ digest: { newlyLate }, links }: DigestView): MailPart | false {
  const people = [...new Set(newlyLate.rows.flatMap(({ user_id }) => user_id ?? []))]
  const href = people.length === 0 ? null : links.remind(people)
  const text = t('Remind {n, plural, one {this person} =2 {these two} other {these # people}}', {
    n: people.length,
  })
  return href !== null && { kind: 'text', text, href }
}

/** An address is known wherever mail is sent, but not in every preview. */
function toWhyLine({ isManager, site }: DigestView): string {
  const from = site === '' ? 'Rollcall' : `Rollcall (${site})`
  return isManager
    ? t('You receive this digest as a manager in {from}.', { from })
    : t('You receive this digest because you turned it on in {from}.', { from })
}

/** Without a name: subjects show on locked screens. */
function toSubject(view: DigestView): string {
  const { newlyLate, waiting } = view.digest
  const parts = [
    ...(newlyLate.total > 0 ? [t('{n} became overdue', { n: String(newlyLate.total) })] : []),
    ...(waiting.total > 0 ? [t('{n} waiting for a grade', { n: String(waiting.total) })] : []),
  ]
  return parts.length === 0 ? toTitle(view) : `Rollcall: ${parts.join(', ')}`
}

/** Where a mail says it otherwise than a page does. */
const ownKinds: Partial<Record<ChangeKind, Message>> = {
  deadline_moved: '{n, plural, one {due date moved} other {due dates moved}}',
  came_into_scope: 'joined your people',
  left_scope: 'left your people',
  other: 'otherwise changed',
}

/** `n`: how many, said before it. */
function changeWords(kind: ChangeKind, n: number): string {
  const message = ownKinds[kind]
  return message === undefined ? kindWords(kind) : t(message, { n })
}
