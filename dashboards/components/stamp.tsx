import type { Format } from '../../language/format.ts'
import { rich, t } from '../../language/translate.ts'
import { freshnessState } from './freshness.ts'
import { momentOf } from './moment.ts'
import { canOpen } from './access.tsx'
import type { PageFrame } from '../../reporting/metrics/overview.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'

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
      {moment === 'past' ? null : (
        <span class={`freshness ${state.level}`}>
          <span class="dot" aria-hidden="true"></span>
          {state.words}
        </span>
      )}
      {moment !== 'past' && freshness.failed_today > 0 ? <Failed context={context} n={freshness.failed_today} /> : null}
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
export function AsOf({ format, answer: { as_of, time_zone, due_zone } }: Pick<Stamped, 'answer'> & { format: Format }) {
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
