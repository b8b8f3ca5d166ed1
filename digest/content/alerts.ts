/** The troubles on the Health page now, in words for owners, in every language of mails: without names. */
import { type AlertName, alertNames, type AlertChange, type AlertWords } from '../digest-store.ts'
import type { MailContent } from '../mail/mail-content.ts'
import type { Health } from '../../reporting/queries/health.ts'
import { anybody, runAs } from '../../services/access/visitor.ts'
import { createFormat, type Format } from '../../language/format.ts'
import { silenceWords } from '../../reporting/words/silence-words.ts'
import { standingWords } from '../../reporting/words/standing-words.ts'
import { currentReading, languages, reading, readingOf } from '../../language/language.ts'
import { t, type Message } from '../../language/translate.ts'

/** The troubles of now, in words; left out: none. */
type Wrong = Partial<Record<AlertName, AlertWords>>

/** How long it must have been so. */
const holdMs = 5 * 60_000
/** Odd times end when none has arrived for a day. */
const timesHoldMs = 86_400_000

/**
 * When an alert begins and when it ends: a trouble must stay for a while, and so must its end. Returns the changes that are
 * due now. `latest`: the stored changes, the newest first.
 */
export function createAlertJudge(clock: () => number) {
  /** Since when the troubles of now differ from those that are stored. */
  const since = new Map<AlertName, number>()
  return (wrong: Wrong, latest: readonly AlertChange[]): AlertChange[] =>
    alertNames.flatMap((alert): AlertChange[] => {
      const now = clock()
      const last = latest.find((each) => each.alert === alert)
      const words = wrong[alert]
      const isChanged = (words !== undefined) !== (last?.state === 'started')
      const from = since.get(alert) ?? now
      const isDue = isChanged && now - from >= holdMs
      if (isChanged && !isDue) since.set(alert, from)
      else since.delete(alert)
      if (!isDue) return []
      const state = words === undefined ? 'ended' : 'started'
      const number = (last?.number ?? 0) + 1
      return [{ alert, number, state, atMs: now, words: words ?? last?.words ?? { en: '' } }]
    })
}

export type WatchDeps = { arrival: { health(): Promise<Health> }; timeZone: string; clock: () => number }

/** Said when it is noticed, for readers of every language: a mail that ends an alert repeats the words of its beginning. */
export async function readWrong({ arrival, timeZone, clock }: WatchDeps): Promise<Wrong> {
  const health = await runAs(anybody, () => arrival.health())
  const now = clock()
  const wrong: Wrong = {}
  for (const language of languages) {
    const as = readingOf(language)
    const words = reading(as, () => toWords(health, { locale: as.locale, timeZone, now }))
    for (const [alert, text] of Object.entries(words) as [AlertName, string][])
      wrong[alert] = { en: text, ...wrong[alert], [language]: text }
  }
  return wrong
}

function toWords(
  { standing, silence, ledger, failed, drift }: Health,
  on: Parameters<typeof createFormat>[0],
): Partial<Record<AlertName, string>> {
  const format = createFormat(on)
  const missing = ledger.all.lost + Math.abs(ledger.all.difference)
  const behind = standingWords(standing, format) ?? ''
  const { reason } = standing
  const since = new Date(on.now - timesHoldMs).toISOString()
  const oddTimes = drift.filter(
    ({ kind, last_seen }) => (kind === 'early' || kind === 'ahead') && last_seen >= since,
  )
  return {
    ...(standing.stalled_since !== null && {
      stall: (reason === null ? behind : t('{behind} The reason: {reason}', { behind, reason })).trim(),
    }),
    ...(silence.kind === 'broken' && { silence: silenceWords(silence, format) }),
    ...(missing > 0 && {
      ledger: t(
        '{n, plural, one {# acknowledged webhook is not accounted for.} other {# acknowledged webhooks are not accounted for.}}',
        { n: missing },
      ),
    }),
    ...(failed.total > 0 && {
      failed_events: t(
        '{n, plural, one {# webhook could not be read and is} other {# webhooks could not be read and are}} not counted.',
        { n: failed.total },
      ),
    }),
    ...(oddTimes.length > 0 && {
      times: t('Dates before 2000 or more than a day ahead arrived in: {fields}.', {
        fields: [...new Set(oddTimes.map(({ name }) => name))].sort().join(', '),
      }),
    }),
  }
}

const names: Record<AlertName, Message> = {
  stall: 'webhooks are not being stored',
  silence: 'no webhooks arrive',
  ledger: 'webhooks are not accounted for',
  failed_events: 'webhooks could not be read',
  times: 'events have wrong dates',
}

export function toAlertSubject({ alert, state }: AlertChange): string {
  const what = t(names[alert])
  return state === 'started' ? t('Problem: {what}', { what }) : t('Resolved: {what}', { what })
}

/** The finding; English where it was noticed before there were other languages. */
export function toAlertDetail({ words }: AlertChange): string {
  return words[currentReading().language] ?? words.en
}

export type AlertView = { change: AlertChange; format: Format; site: string; unsubscribeUrl: string }

export function toAlertContent({ change, format, site, unsubscribeUrl }: AlertView): MailContent {
  const when = { when: format.instant(change.atMs), zone: format.timeZone }
  return {
    subject: toAlertSubject(change),
    parts: [
      { kind: 'title', text: toAlertSubject(change) },
      { kind: 'text', text: toAlertDetail(change) },
      { kind: 'quiet', text: t('Noticed {when}, {zone}.', when) },
    ],
    go: { text: t('Open Health'), href: `${site}/health` },
    foot: [
      { text: t('You get this because you are an owner of {site}.', { site }) },
      { text: t('Unsubscribe'), href: unsubscribeUrl },
    ],
  }
}
