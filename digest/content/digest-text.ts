/** A digest as lines of text, in the language that is read: the plain part of a mail, and the message to a team channel. */
import type { Format } from '../../language/format.ts'
import type { ChannelMessage } from '../channel.ts'
import type { DigestLinks } from './links.ts'
import { mostNamed, type Digest } from './read-digest.ts'
import { isolateText, t, type Message } from '../../language/translate.ts'
import { kindWords } from '../../reporting/words/change-words.ts'
import type { ChangeKind } from '../../reporting/metrics/changes.ts'

export type DigestView = {
  digest: Digest
  /** Whose numbers these are. */
  title: string
  format: Format
  links: DigestLinks
  site: string
  /** Managers get it without asking. */
  isManager: boolean
  /** `null`: nobody to unsubscribe, as in a preview. */
  unsubscribeUrl: string | null
}

type Line = { label: string; note: string; href: string | null }

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

/** The same lines in text and HTML. */
export function toLateLines({ digest, format, links }: DigestView): Line[] {
  return digest.newlyLate.rows.map(({ user_id, user_name, challenge, challenge_id, after }) => ({
    label: toLine(user_name ?? '') || toPerson(user_id),
    note: [
      toLine(challenge ?? '') || toLine(challenge_id ?? '') || t('Unknown challenge'),
      ...(after.due_date === null ? [] : [t('due {day}', { day: format.dueDay(after.due_date) })]),
    ].join(', '),
    href: links.person(user_id),
  }))
}

export function toWaitingLines({ digest, format, links }: DigestView): Line[] {
  return digest.waiting.rows.map(({ user_id, user_name, challenge, challenge_id, submitted_at }) => ({
    label: toLine(user_name) || toPerson(user_id),
    note: `${toLine(challenge) || toLine(challenge_id) || t('Unknown challenge')}, ${t('submitted {age} ago', { age: format.durationAfter(Math.max(0, digest.asOf - Date.parse(submitted_at))) })}`,
    href: links.grading,
  }))
}

function toPerson(id: string | null): string {
  return id === null || id === '' ? t('Somebody whom nobody knows') : toLine(t('Person {id}', { id }))
}

export function toNoteLines({ digest, format, links }: DigestView): Line[] {
  return digest.notes.slice(-mostNamed).map(({ day, text, teamName }) => ({
    label: text,
    note: [format.dayYear(day), toLine(teamName)].filter(Boolean).join(', '),
    href: links.notes,
  }))
}

export function toRateLines(view: DigestView): { name: string; value: string; of: string }[] {
  const { digest, format } = view
  const line = (name: string, key: 'completion_rate' | 'on_time_rate', what: 'assigned' | 'decided') => {
    const { value, numerator, denominator } = digest.metrics[key]
    const past = digest.before[key].value
    const counts = { part: format.count(numerator), all: format.count(denominator) }
    const of =
      what === 'assigned' ? t('{part} of {all} assigned', counts) : t('{part} of {all} due or done', counts)
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

export function toOverdueLine(view: DigestView): string {
  const { digest, format } = view
  const now = digest.metrics.overdue.value
  const change = now - digest.before.overdue.value
  return `${t('{n} overdue in all', { n: format.count(now) })}, ${toChange(view, change, format.signed(change))}`
}

function toChange({ digest, format }: DigestView, change: number, text: string): string {
  const since = format.instantDay(new Date(digest.since).toISOString())
  return t('{change} since {since}', { change: change === 0 ? t('no change') : text, since })
}

export function toPeriodLine({ digest, format }: DigestView): string {
  const day = (epochMs: number) => format.instant(new Date(epochMs).toISOString())
  return t('{from} to {to}, {zone}', { from: day(digest.since), to: day(digest.asOf), zone: format.timeZone })
}

export function toDueSoonLine({ digest, format }: DigestView): string {
  return t('{n} due in the next 7 days', { n: format.count(digest.metrics.due_soon.value) })
}

export function toLateHead({ digest: { newlyLate }, format }: DigestView): string {
  return newlyLate.total === 0
    ? t('Nobody became overdue.')
    : t('Became overdue: {n}', { n: format.count(newlyLate.total) })
}

/** An address is known wherever mail is sent, but not in every preview. */
export function toWhyLine({ isManager, site }: DigestView): string {
  const from = site === '' ? 'Rollcall' : `Rollcall (${site})`
  return isManager
    ? t('You receive this digest as a manager in {from}.', { from })
    : t('You receive this digest because you turned it on in {from}.', { from })
}

/** Without a name: subjects show on locked screens. */
export function toSubject({ title, digest: { newlyLate, waiting } }: DigestView): string {
  const parts = [
    ...(newlyLate.total > 0 ? [t('{n} became overdue', { n: String(newlyLate.total) })] : []),
    ...(waiting.total > 0
      ? [
          t('{waiting} {n, plural, one {waits} other {wait}} for a grade', {
            waiting: String(waiting.total),
            n: waiting.total,
          }),
        ]
      : []),
  ]
  return parts.length === 0 ? t('{title}: what changed', { title }) : `${title}: ${parts.join(', ')}`
}

export function toDigestText(view: DigestView): string {
  const { digest, format, links, unsubscribeUrl } = view
  const rest = (shown: number, total: number) =>
    total > shown ? [`  ${t('Show all {all}', { all: format.count(total) })}`] : []
  const list = (lines: Line[]) => lines.map(({ label, note }) => `- ${label}: ${note}`)
  const link = (href: string | null) => (href === null ? [] : [`  ${href}`])
  const late = toLateLines(view)
  const waiting = toWaitingLines(view)
  const notes = toNoteLines(view)
  return [
    view.title,
    toPeriodLine(view),
    ...(digest.sample ? [t('Sample data. These people and numbers are made up.')] : []),
    '',
    ...toRateLines(view).map(({ name, value, of }) => `${name}: ${value} (${of})`),
    toOverdueLine(view),
    toDueSoonLine(view),
    ...link(digest.metrics.due_soon.value === 0 ? null : links.dueSoon),
    '',
    toLateHead(view),
    ...list(late),
    ...rest(late.length, digest.newlyLate.total),
    ...link(links.late),
    '',
    ...(digest.waiting.total === 0
      ? []
      : [
          t('Waiting for a grade: {n}', { n: format.count(digest.waiting.total) }),
          ...list(waiting),
          ...rest(waiting.length, digest.waiting.total),
          ...link(links.grading),
          '',
        ]),
    t('What changed'),
    ...(digest.changes.length === 0 ? [t('Nothing changed.')] : []),
    ...digest.changes.map(({ kind, n }) => `- ${format.count(n)} ${changeWords(kind, n)}`),
    ...(digest.changes.length === 0 ? [] : link(links.changes())),
    '',
    ...(digest.notes.length === 0
      ? []
      : [t('Notes'), ...list(notes), ...rest(notes.length, digest.notes.length), ...link(links.notes), '']),
    `${t('Open Rollcall')}: ${links.overview}`,
    '',
    toWhyLine(view),
    `${t('Change how often it comes')}: ${links.settings}`,
    ...(unsubscribeUrl === null ? [] : [`${t('Unsubscribe')}: ${unsubscribeUrl}`]),
    '',
  ].join('\n')
}

/** Where a mail says it otherwise than a page does. */
const ownKinds: Partial<Record<ChangeKind, Message>> = {
  deadline_moved: '{n, plural, one {due date moved} other {due dates moved}}',
  came_into_scope: 'joined your people',
  left_scope: 'left your people',
  other: 'otherwise changed',
}

/** `n`: how many, said before it. */
export function changeWords(kind: ChangeKind, n: number): string {
  const message = ownKinds[kind]
  return message === undefined ? kindWords(kind) : t(message, { n })
}

/** For a team channel: counts; names only where granted. */
export function toChannelMessage(view: DigestView, { names }: { names: boolean }): ChannelMessage {
  const { digest, format, links } = view
  const late = names
    ? toLateLines(view).map(({ label, note, href }) => ({ text: `${label}: ${note}`, href }))
    : []
  return {
    title: `${view.title}, ${toPeriodLine(view)}`,
    body: [
      ...(digest.sample ? [{ text: t('Sample data. These people and numbers are made up.') }] : []),
      ...toRateLines(view).map(({ name, value, of }) => ({ text: `${name}: ${value} (${of})` })),
      { text: toOverdueLine(view), href: links.late },
      { text: toDueSoonLine(view), href: links.dueSoon },
      {
        text: toLateHead(view),
        ...(digest.newlyLate.total > 0 && { href: links.changes('became_overdue') }),
      },
      ...(late.length === 0 ? [] : [late]),
      ...(digest.waiting.total === 0
        ? []
        : [
            {
              text: t('Waiting for a grade: {n}', { n: format.count(digest.waiting.total) }),
              href: links.grading,
            },
          ]),
      // A channel is read by people who do not see the team.
      ...digest.notes
        .filter(({ team }) => team === '')
        .map(({ day, text }) => ({ text: `${format.dayYear(day)}: ${text}` })),
      ...digest.changes
        .filter(({ kind }) => kind !== 'became_overdue')
        .map(({ kind, n }) => ({
          text: `${format.count(n)} ${changeWords(kind, n)}`,
          href: links.changes(kind),
        })),
    ],
    link: { text: t('Open Rollcall'), href: links.overview },
  }
}
