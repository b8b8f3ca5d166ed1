import type { Format } from '../../language/format.ts'
import { rich, t } from '../../language/translate.ts'
import { canOpen } from './access.tsx'
import type { PageFrame, Freshness } from '../../reporting/metrics/overview.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { DashboardSettings } from '../settings.ts'
import type { Silence } from '../../schemas/silence.ts'
import { silenceWords } from '../../reporting/words/silence-words.ts'

/** The facts of a stamp: of which moment the page is, and how fresh the data are. */
export type Stamped = {
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone'>
  freshness: PageFrame['freshness']
}

/** The moment and the zones of a page. */
export function answerOf({ asOf, timeZone, dueZone }: Scope): Stamped['answer'] {
  return { as_of: new Date(asOf).toISOString(), time_zone: timeZone, due_zone: dueZone }
}

/** One snapshot time, one zone, how fresh, and how many deliveries could not be used. */
export function Stamp({ context, overview }: { context: PageContext; overview: Stamped }) {
  const { format, settings } = context
  const { answer, freshness } = overview
  const state = freshnessState(freshness, settings, format, context.silence)
  const moment = momentOf(answer.as_of, format)
  return (
    <p class="stamp">
      <AsOf format={format} answer={answer} />
      {moment === 'past' ? (
        <strong>{t('A past moment: everything as it stood then; titles and team names are today’s.')}</strong>
      ) : null}
      {moment === 'future' ? <strong>{t('A projection: if nothing more happens until then.')}</strong> : null}
      {context.isReading === true ? (
        <span>{t('The store is being read into memory. Until then, pages take longer.')}</span>
      ) : null}
      {moment === 'past' ? null : (
        <span class={`freshness ${state.level}`}>
          <span class="dot" aria-hidden="true"></span>
          {state.words}
        </span>
      )}
      {moment === 'now' ? (
        <span role="status" class="no-print">
          <button type="button" class="news" data-news hidden>
            {t('New data: show')}
          </button>
        </span>
      ) : null}
      {moment !== 'past' && freshness.failed_today > 0 ? (
        <Failed context={context} n={freshness.failed_today} />
      ) : null}
      {moment !== 'past' && freshness.unrecognised_today > 0 ? (
        <span>
          {t('{n, plural, one {# other event} other {# other events}} today, not about challenges', {
            n: freshness.unrecognised_today,
          })}
        </span>
      ) : null}
    </p>
  )
}

/** The moment of a page, and its zones. */
export function AsOf({
  format,
  answer: { as_of, time_zone, due_zone },
}: Pick<Stamped, 'answer'> & { format: Format }) {
  return (
    <span>
      {rich('As of {moment} {zones}', {
        moment: <time datetime={as_of}>{format.instant(as_of)}</time>,
        zones:
          due_zone === time_zone
            ? time_zone
            : t('{zone}, due days in {dueZone}', { zone: time_zone, dueZone: due_zone }),
      })}
    </span>
  )
}

function Failed({ context, n }: { context: PageContext; n: number }) {
  const words = t('{n, plural, one {# delivery} other {# deliveries}} not usable today', { n })
  if (!canOpen(context, '/health')) return <span class="refused">{words}</span>
  return (
    <a class="refused" href="/health#failed">
      {words}
    </a>
  )
}

/**
 * How far the numbers can be trusted. "Quiet" (nothing was sent, everything sent is counted) differs from "behind" (an
 * acknowledged delivery is not counted yet): only the second is a fault and turns red.
 */
type FreshnessState = { level: 'none' | 'fresh' | 'quiet' | 'amber' | 'red'; words: string }

/** `silence`: what usually comes at this time; `null`: not known here. */
export function freshnessState(
  freshness: Freshness,
  settings: DashboardSettings,
  format: Format,
  silence: Silence | null = null,
): FreshnessState {
  const { last_event_at: last, complete_through: through } = freshness
  if (last === null) return { level: 'none', words: t('no event yet') }
  const { amberAfterMs, redAfterMs } = settings.freshness
  const behindMs = through === null ? Number.POSITIVE_INFINITY : format.now - Date.parse(through)
  const age = t('last event {ago}', { ago: format.ago(last) })
  if (behindMs > amberAfterMs) {
    const words =
      through === null
        ? t('{seen}; not everything received is counted', { seen: age })
        : t('behind: complete through {moment}', { moment: format.instant(through) })
    return { level: behindMs > redAfterMs ? 'red' : 'amber', words }
  }
  if (silence?.kind === 'broken') return { level: 'red', words: lowerFirst(silenceWords(silence, format)) }
  if (silence?.kind === 'quiet' && format.now - Date.parse(last) > amberAfterMs) {
    return {
      level: 'quiet',
      words: t('quiet, as usual at this time: {seen}; everything received is counted', { seen: age }),
    }
  }
  if (format.now - Date.parse(last) > amberAfterMs)
    return { level: 'quiet', words: t('quiet, {seen}; everything received is counted', { seen: age }) }
  return { level: 'fresh', words: age }
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}

/** Time speaks: at a past moment nothing says "now" or "so far", and a future one is a projection. */
export type Moment = 'past' | 'now' | 'future'

/** A moment as near to now as this is now: answers are shared for a few seconds, and links pin the moment of a page. */
const nearMs = 60_000

export function momentOf(asOf: string, format: Format): Moment {
  const ms = Date.parse(asOf) - format.now
  return Math.abs(ms) <= nearMs ? 'now' : ms < 0 ? 'past' : 'future'
}

/** Behind the name of the period in which the moment lies. */
export function unfinishedWords(asOf: string, format: Format): string {
  const moment = momentOf(asOf, format)
  if (moment === 'now') return t(', so far')
  return moment === 'past' ? t(', up to {asOf}', { asOf: format.instantDay(asOf) }) : t(', projected')
}
