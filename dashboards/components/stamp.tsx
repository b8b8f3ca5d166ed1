import { counted } from '../text/format.ts'
import { freshnessState } from '../text/freshness.ts'
import type { Overview } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'

/** One snapshot time, one zone, how fresh, and how many deliveries were refused. */
export function Stamp({ context, overview }: { context: PageContext; overview: Overview }) {
  const { format, settings } = context
  const { answer, freshness } = overview
  const state = freshnessState(freshness, settings, format)
  const zones =
    answer.due_zone === answer.time_zone ? answer.time_zone : `${answer.time_zone}, due days in ${answer.due_zone}`
  return (
    <p class="stamp">
      <span>
        As of <time datetime={answer.as_of}>{format.instant(answer.as_of)}</time> {zones}
      </span>
      <span class={`freshness ${state.level}`}>
        <span class="dot" aria-hidden="true"></span>
        {state.words}
      </span>
      {freshness.failed_today > 0 ? (
        <a href="/setup">{counted(format, freshness.failed_today, 'delivery', 'deliveries')} refused today</a>
      ) : null}
      {freshness.unrecognised_today > 0 ? (
        <span>{counted(format, freshness.unrecognised_today, 'other event')} today, not about challenges</span>
      ) : null}
    </p>
  )
}
