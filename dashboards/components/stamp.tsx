import type { Format } from '../../language/format.ts'
import { rich, t } from '../../language/translate.ts'
import { chosenDay, lastingHref } from '../scope/follow.ts'
import { canOpen } from './access.tsx'
import { freshness as thresholds } from '../../services/config/config.ts'
import { toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { PageFrame, Freshness } from '../../reporting/metrics/overview.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Silence } from '../../schemas/silence.ts'
import { silenceWords } from '../../reporting/words/silence-words.ts'

export type Stamped = {
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone'>
  freshness: PageFrame['freshness']
}

export function answerOf({ asOf, timeZone, dueZone }: Scope): Stamped['answer'] {
  return { as_of: new Date(asOf).toISOString(), time_zone: timeZone, due_zone: dueZone }
}

/** One snapshot time, one zone, how fresh, and how many deliveries could not be used. */
export function Stamp({ context, overview }: { context: PageContext; overview: Stamped }) {
  const { format } = context
  const { answer, freshness } = overview
  const state = freshnessState(freshness, format, context.silence)
  const moment = momentOf(answer.as_of, format)
  return (
    <p class="stamp">
      <AsOf format={format} answer={answer} />
      {context.params.has('as_of') && chosenDay(context) === null ? (
        <span class="no-print">
          {t('The moment of the number that you opened.')} <a href={lastingHref(context)}>{t('Show now')}</a>
        </span>
      ) : null}
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
          <button type="button" class="plain" data-news hidden>
            {t('New data: show')}
          </button>
        </span>
      ) : null}
      {moment !== 'past' && freshness.failed_today > 0 ? (
        <Failed context={context} n={freshness.failed_today} />
      ) : null}
      {moment !== 'past' && freshness.unrecognised_today > 0 && canOpen(context, '/health') ? (
        <span>
          {t('{n, plural, one {# other event} other {# other events}} today, not about challenges', {
            n: freshness.unrecognised_today,
          })}
        </span>
      ) : null}
    </p>
  )
}

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
  const words = t('{n, plural, one {# webhook} other {# webhooks}} could not be read today', { n })
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
  { last_event_at: last, complete_through: through, last_hour: n }: Freshness,
  format: Format,
  silence: Silence | null = null,
): FreshnessState {
  if (last === null) return { level: 'none', words: t('No event yet') }
  const { amberAfterMs, redAfterMs } = thresholds
  const arrived =
    n === 0
      ? t('Last webhook {ago}.', { ago: format.ago(last) })
      : t('{n, plural, one {# webhook} other {# webhooks}} in the last hour.', { n })
  if (through === null)
    return { level: 'red', words: t('Not everything received is counted. {arrived}', { arrived }) }
  const behindMs = format.now - Date.parse(through)
  const complete = t('Complete up to {moment}.', { moment: recent(through, format) })
  if (behindMs > amberAfterMs)
    return {
      level: behindMs > redAfterMs ? 'red' : 'amber',
      words: t('Behind. {complete} {arrived}', { complete, arrived }),
    }
  if (silence?.kind === 'broken') return { level: 'red', words: silenceWords(silence, format) }
  const isQuiet = format.now - Date.parse(last) > amberAfterMs
  const usual = isQuiet && silence?.kind === 'quiet' ? t('That is usual at this time.') : ''
  return { level: isQuiet ? 'quiet' : 'fresh', words: [complete, arrived, usual].filter(Boolean).join(' ') }
}

function recent(instant: string, format: Format): string {
  const dayOf = (ms: number) => toLocalDate(format.timeZone, ms)
  return dayOf(Date.parse(instant)) === dayOf(format.now)
    ? format.instantTime(instant)
    : format.instant(instant)
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
