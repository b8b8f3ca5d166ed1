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
  /** `null`: no one to unsubscribe, as in a preview. */
  unsubscribeUrl: string | null
}

const dayMs = 86_400_000
/** A name or a title may have a thousand characters; a line of a mail has room for these. */
const mostShown = 120
/** One character may be a letter under a thousand marks. */
const mostUnits = 480

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Names hold anything: in a mail they are one short line that turns no other text around. */
export function toLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const each = Array.from(characters.segment(line), ({ segment }) => segment)
  if (line.length <= mostShown || (each.length <= mostShown && line.length <= mostUnits))
    return isolateText(line)
  const short = each.slice(0, mostShown - 1).join('')
  return isolateText(`${short.slice(0, mostUnits).replace(/[\ud800-\udbff]$/, '')}…`)
}

export function toDigestContent(view: DigestView): MailContent {
  const { digest, links, format, unsubscribeUrl } = view
  const { newlyLate, waiting, changes } = digest
  const dueSoon = digest.metrics.due_soon.value
  const list = (lines: MailLine[], total: number, href: string | null, isNamed = false): MailPart => {
    const text = total > lines.length ? t('Show all {all}', { all: format.count(total) }) : ''
    return { kind: 'list', lines, isNamed, all: { text, href } }
  }
  const overdue: MailPart[] = [
    {
      kind: 'heading',
      text: t('Became overdue: {n}', { n: format.count(newlyLate.total) }),
      href: links.changes('became_overdue'),
    },
    list(toLateLines(view), newlyLate.total, links.late, true),
    ...toRemind(view),
  ]
  const grading: MailPart[] = [
    {
      kind: 'heading',
      text: t('Waiting for a grade: {n}', { n: format.count(waiting.total) }),
      href: links.grading,
    },
    list(toWaitingLines(view), waiting.total, links.grading, true),
  ]
  const changed = changes.map(({ kind, n }) => ({
    text: `${format.count(n)} ${changeWords(kind, n)}`,
    href: links.changes(kind),
  }))
  const notes = digest.notes.map(({ day, text, teamName }) => ({
    text,
    note: [format.dayYear(day), toLine(teamName)].filter(Boolean).join(', '),
    href: links.notes,
  }))
  const sample = t('Sample data. These people and numbers are made up.')
  return {
    subject: toSubject(view),
    parts: [
      { kind: 'title', text: toTitle(view) },
      { kind: 'quiet', text: `${view.whose}, ${format.days(digest.since, digest.asOf)}` },
      ...(digest.sample ? [{ kind: 'warning' as const, text: sample }] : []),
      { kind: 'numbers', numbers: toRates(view) },
      {
        kind: 'quiet',
        text: toOverdueLine(view),
        href: digest.metrics.overdue.value > 0 ? links.late : null,
      },
      {
        kind: 'quiet',
        text: t('{n} due in the next 7 days', { n: format.count(dueSoon) }),
        href: dueSoon > 0 ? links.dueSoon : null,
      },
      ...(newlyLate.total > 0 ? overdue : [{ kind: 'heading' as const, text: t('No one became overdue.') }]),
      ...(waiting.total > 0 ? grading : []),
      { kind: 'heading', text: t('What changed') },
      changes.length > 0
        ? list(changed, changed.length, links.changes())
        : { kind: 'text', text: t('Nothing changed.') },
      ...(notes.length > 0
        ? [
            { kind: 'heading' as const, text: t('Notes') },
            list(notes.slice(-mostNamed), notes.length, links.notes),
          ]
        : []),
    ],
    go: { text: t('Open Rollcall'), href: links.overview },
    foot: [
      { text: toWhyLine(view) },
      { text: t('Change how often it comes'), href: links.settings },
      ...(unsubscribeUrl === null ? [] : [{ text: t('Unsubscribe'), href: unsubscribeUrl }]),
    ],
  }
}

const toPerson = (id: string | null, name: string | null) =>
  toLine(name ?? '') || (id ? toLine(t('Person {id}', { id })) : t('Unknown person'))

const toChallenge = (id: string | null, title: string | null) =>
  toLine(title ?? '') || toLine(id ?? '') || t('Unknown challenge')

function toLateLines({ digest, format, links }: DigestView): MailLine[] {
  return digest.newlyLate.rows.map(({ user_id, user_name, challenge, challenge_id, after }) => {
    const due = after.due_date === null ? '' : `, ${t('due {day}', { day: format.dueDay(after.due_date) })}`
    const note = `${toChallenge(challenge_id, challenge)}${due}`
    return { text: toPerson(user_id, user_name), note, href: links.person(user_id) }
  })
}

function toWaitingLines({ digest, format, links }: DigestView): MailLine[] {
  return digest.waiting.rows.map(({ user_id, user_name, challenge, challenge_id, submitted_at }) => {
    const age = format.durationAfter(Math.max(0, digest.asOf - Date.parse(submitted_at)))
    const note = `${toChallenge(challenge_id, challenge)}, ${t('submitted {age} ago', { age })}`
    return { text: toPerson(user_id, user_name), note, href: links.grading }
  })
}

function toRates(view: DigestView): { name: string; value: string; of: string }[] {
  const { digest, format } = view
  const toRate = (key: 'completion_rate' | 'on_time_rate', name: string, toCounts: Message) => {
    const { value, numerator, denominator } = digest.metrics[key]
    const past = digest.before[key].value
    const of = t(toCounts, { part: format.count(numerator), all: format.count(denominator) })
    if (value === null) return { name, value: t('No data'), of }
    const change = past === null ? '' : `, ${toChange(view, value - past, format.points(value - past))}`
    return { name, value: format.percent(value), of: `${of}${change}` }
  }
  return [
    toRate('completion_rate', t('Completion'), '{part} of {all} assigned'),
    toRate('on_time_rate', t('On time'), '{part} of {all} due'),
  ]
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

function toTitle({ digest: { since, asOf }, format }: DigestView): string {
  if (Math.round((asOf - since) / dayMs) !== 7)
    return t('Rollcall digest, {days}', { days: format.days(since, asOf) })
  return t('Rollcall digest, week of {day}', { day: format.day(toLocalDate(format.timeZone, since)) })
}

/** The way to remind the people whom the mail names, if the reader can. */
function toRemind({ digest: { newlyLate }, links }: DigestView): MailPart[] {
  const people = [...new Set(newlyLate.rows.flatMap(({ user_id }) => user_id ?? []))]
  const href = people.length === 0 ? null : links.remind(people)
  const text = t('Remind {n, plural, one {this person} =2 {these two} other {these # people}}', {
    n: people.length,
  })
  return href === null ? [] : [{ kind: 'text', text, href }]
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
