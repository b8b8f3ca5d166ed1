/** Numbers beside the targets of the company. Without a target nothing speaks of one. */
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { targetMetrics, type TargetMetric } from '../../../schemas/metrics/targets.ts'
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { lastMonth } from '../../scope/parse-page.ts'
import { fewestToRank } from './findings.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'

const dayMs = 86_400_000

const missed: Record<TargetMetric, Message> = {
  completion_rate: 'completion {value} (target {target})',
  on_time_rate: 'on time {value} (target {target})',
  grading_turnaround: 'grading turnaround {value} (target {target})',
}

/** A share 0..1, or milliseconds. */
export function targetOf(
  { targets = {} }: Pick<PageContext, 'targets'>,
  metric: TargetMetric,
): number | null {
  const target = targets[metric]
  if (target === undefined) return null
  return metric === 'grading_turnaround' ? target * dayMs : target / 100
}

/** "Target 90%"; `null`: there is none. */
export function targetWords(
  context: Pick<PageContext, 'targets' | 'format'>,
  metric: TargetMetric,
): string | null {
  const target = targetOf(context, metric)
  return target === null ? null : t('Target {target}', { target: say(metric, target, context.format) })
}

/** Metrics that miss their target, "on time 66% (target 90%)"; of few assignments nothing is said. */
export function missedTargets(context: Pick<PageContext, 'targets' | 'format'>, metrics: Metrics): string[] {
  const { completion_rate, on_time_rate, grading_turnaround } = metrics
  const values = {
    completion_rate: { value: completion_rate.value, n: completion_rate.denominator },
    on_time_rate: { value: on_time_rate.value, n: on_time_rate.denominator },
    grading_turnaround: { value: grading_turnaround.p50_ms, n: grading_turnaround.n },
  }
  return targetMetrics.flatMap((metric) => {
    const target = targetOf(context, metric)
    const { value, n } = values[metric]
    if (target === null || value === null || n < fewestToRank) return []
    const isMet = metric === 'grading_turnaround' ? value <= target : value >= target
    const words = { value: say(metric, value, context.format), target: say(metric, target, context.format) }
    return isMet ? [] : [t(missed[metric], words)]
  })
}

function say(metric: TargetMetric, value: number, format: Format): string {
  return metric === 'grading_turnaround' ? format.duration(value) : format.percent(value)
}

export function versusWords(compare: string | null): string {
  return compare === lastMonth ? t('vs. last month') : t('vs. 4 weeks ago')
}

export function comparisonWords({ previous }: Overview, format: Format): string | null {
  return previous && t('Compared with {before}.', { before: format.instant(previous.as_of) })
}
