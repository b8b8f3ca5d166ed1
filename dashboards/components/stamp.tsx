import { counted } from '../text/format.ts'
import { freshnessState } from '../text/freshness.ts'
import { momentOf } from '../text/moment.ts'
import type { PageFrame } from '../../reporting/metrics/overview.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'

/** What a stamp says: of which moment the page is, and how fresh the data are. */
export type Stamped = {
  answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone'>
  freshness: PageFrame['freshness']
}

/** One snapshot time, one zone, how fresh, and how many deliveries could not be used. */
export function Stamp({ context, overview }: { context: PageContext; overview: Stamped }) {
  const { format, settings } = context
  const { answer, freshness } = overview
  const state = freshnessState(freshness, settings, format, context.silence)
  const moment = momentOf(answer.as_of, format)
  const zones =
    answer.due_zone === answer.time_zone ? answer.time_zone : `${answer.time_zone}, due days in ${answer.due_zone}`
  return (
    <p class="stamp">
      <span>
        As of <time datetime={answer.as_of}>{format.instant(answer.as_of)}</time> {zones}
      </span>
      {moment === 'past' ? <strong>A past moment: everything as it stood then.</strong> : null}
      {moment === 'future' ? <strong>A projection: if nothing more happens until then.</strong> : null}
      {moment === 'past' ? null : (
        <span class={`freshness ${state.level}`}>
          <span class="dot" aria-hidden="true"></span>
          {state.words}
        </span>
      )}
      {moment !== 'past' && freshness.failed_today > 0 ? (
        <a href="/health#failed">
          {counted(format, freshness.failed_today, 'delivery', 'deliveries')} not usable today
        </a>
      ) : null}
      {moment !== 'past' && freshness.unrecognised_today > 0 ? (
        <span>{counted(format, freshness.unrecognised_today, 'other event')} today, not about challenges</span>
      ) : null}
    </p>
  )
}
