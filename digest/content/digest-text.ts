/** A digest as lines of text: the plain part of a mail, and the message to a team channel. */
import type { Format } from '../../language/format.ts'
import type { ChannelMessage } from '../channel.ts'
import type { DigestLinks } from './links.ts'
import { mostNamed, type Digest } from './read-digest.ts'
import type { DigestWords } from './words.ts'

export type DigestView = {
  digest: Digest
  words: DigestWords
  /** Whose numbers these are. */
  title: string
  format: Format
  links: DigestLinks
  site: string
  /** `null`: nobody to unsubscribe, as in a preview. */
  unsubscribeUrl: string | null
}

type Line = { label: string; note: string; href: string | null }

/** A name or a title may have a thousand characters; a line of a mail has room for these. */
const mostShown = 120
/** One character may be a letter under a thousand marks. */
const mostUnits = 480

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Names hold anything: in a mail they are one short line, and their characters turn no other text around. */
export function toLine(text: string): string {
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
export function toLateLines({ digest, words, format, links }: DigestView): Line[] {
  return digest.newlyLate.rows.map(({ user_id, user_name, challenge, challenge_id, after }) => ({
    label: toLine(user_name ?? '') || (user_id === null ? words.nobodyKnown : toLine(words.person(user_id))),
    note: [
      toLine(challenge ?? '') || toLine(challenge_id ?? '') || words.noChallenge,
      ...(after.due_date === null ? [] : [words.due(format.instantDay(after.due_date))]),
    ].join(', '),
    href: links.person(user_id),
  }))
}

export function toWaitingLines({ digest, words, format, links }: DigestView): Line[] {
  return digest.waiting.rows.map(({ user_id, user_name, challenge, challenge_id, submitted_at }) => ({
    label: toLine(user_name) || (user_id === '' ? words.nobodyKnown : toLine(words.person(user_id))),
    note: `${toLine(challenge) || toLine(challenge_id) || words.noChallenge}, ${words.handedIn(format.durationAfter(Math.max(0, digest.asOf - Date.parse(submitted_at))))}`,
    href: links.grading,
  }))
}

export function toNoteLines({ digest, format, links }: DigestView): Line[] {
  return digest.notes.slice(-mostNamed).map(({ day, text, teamName }) => ({
    label: text,
    note: [format.dayYear(day), toLine(teamName)].filter(Boolean).join(', '),
    href: links.notes,
  }))
}

export function toRateLines(view: DigestView): { name: string; value: string; of: string }[] {
  const { digest, words, format } = view
  const line = (name: string, key: 'completion_rate' | 'on_time_rate', what: 'assigned' | 'decided') => {
    const { value, numerator, denominator } = digest.metrics[key]
    const past = digest.before[key].value
    const of = words.of(format.count(numerator), format.count(denominator), what)
    return {
      name,
      value: value === null ? words.noData : format.percent(value),
      of: value === null || past === null ? of : `${of}, ${toChange(view, value - past, format.points(value - past))}`,
    }
  }
  return [line(words.completion, 'completion_rate', 'assigned'), line(words.onTime, 'on_time_rate', 'decided')]
}

export function toOverdueLine(view: DigestView): string {
  const { digest, words, format } = view
  const now = digest.metrics.overdue.value
  const change = now - digest.before.overdue.value
  return `${words.overdue(format.count(now))}, ${toChange(view, change, format.signed(change))}`
}

function toChange({ digest, words, format }: DigestView, change: number, text: string): string {
  return words.since(change === 0 ? words.noChange : text, format.instantDay(new Date(digest.since).toISOString()))
}

export function toPeriodLine({ digest, words, format }: DigestView): string {
  const day = (epochMs: number) => format.instant(new Date(epochMs).toISOString())
  return words.period(day(digest.since), day(digest.asOf), format.timeZone)
}

export function toDigestText(view: DigestView): string {
  const { digest, words, format, links, site, unsubscribeUrl } = view
  const rest = (shown: number, total: number) => (total > shown ? [`  ${words.more(format.count(total))}`] : [])
  const list = (lines: Line[]) => lines.map(({ label, note }) => `- ${label}: ${note}`)
  const link = (href: string | null) => (href === null ? [] : [`  ${href}`])
  const late = toLateLines(view)
  const waiting = toWaitingLines(view)
  const notes = toNoteLines(view)
  return [
    view.title,
    toPeriodLine(view),
    ...(digest.sample ? [words.sample] : []),
    '',
    ...toRateLines(view).map(({ name, value, of }) => `${name}: ${value} (${of})`),
    toOverdueLine(view),
    words.dueSoon(format.count(digest.metrics.due_soon.value)),
    ...link(digest.metrics.due_soon.value === 0 ? null : links.dueSoon),
    '',
    digest.newlyLate.total === 0 ? words.nobodyLate : words.newlyLate(format.count(digest.newlyLate.total)),
    ...list(late),
    ...rest(late.length, digest.newlyLate.total),
    ...link(links.late),
    '',
    ...(digest.waiting.total === 0
      ? []
      : [
          words.waiting(format.count(digest.waiting.total)),
          ...list(waiting),
          ...rest(waiting.length, digest.waiting.total),
          ...link(links.grading),
          '',
        ]),
    words.changed,
    ...(digest.changes.length === 0 ? [words.nothingChanged] : []),
    ...digest.changes.map(({ kind, n }) => `- ${format.count(n)} ${words.kind(kind, n)}`),
    ...(digest.changes.length === 0 ? [] : link(links.changes())),
    '',
    ...(digest.notes.length === 0
      ? []
      : [words.notes, ...list(notes), ...rest(notes.length, digest.notes.length), ...link(links.notes), '']),
    `${words.open}: ${links.overview}`,
    '',
    words.why(site),
    `${words.settings}: ${links.settings}`,
    ...(unsubscribeUrl === null ? [] : [`${words.unsubscribe}: ${unsubscribeUrl}`]),
    '',
  ].join('\n')
}

/** For a team channel: counts; names only where granted. */
export function toChannelMessage(view: DigestView, { names }: { names: boolean }): ChannelMessage {
  const { digest, words, format, links } = view
  const late = names ? toLateLines(view).map(({ label, note, href }) => ({ text: `${label}: ${note}`, href })) : []
  return {
    title: `${view.title}, ${toPeriodLine(view)}`,
    body: [
      ...(digest.sample ? [{ text: words.sample }] : []),
      ...toRateLines(view).map(({ name, value, of }) => ({ text: `${name}: ${value} (${of})` })),
      { text: toOverdueLine(view), href: links.late },
      { text: words.dueSoon(format.count(digest.metrics.due_soon.value)), href: links.dueSoon },
      digest.newlyLate.total === 0
        ? { text: words.nobodyLate }
        : { text: words.newlyLate(format.count(digest.newlyLate.total)), href: links.changes('became_overdue') },
      ...(late.length === 0 ? [] : [late]),
      ...(digest.waiting.total === 0
        ? []
        : [{ text: words.waiting(format.count(digest.waiting.total)), href: links.grading }]),
      // A channel is read by people who do not see the team.
      ...digest.notes
        .filter(({ team }) => team === '')
        .map(({ day, text }) => ({ text: `${format.dayYear(day)}: ${text}` })),
      ...digest.changes
        .filter(({ kind }) => kind !== 'became_overdue')
        .map(({ kind, n }) => ({ text: `${format.count(n)} ${words.kind(kind, n)}`, href: links.changes(kind) })),
    ],
    link: { text: words.open, href: links.overview },
  }
}
