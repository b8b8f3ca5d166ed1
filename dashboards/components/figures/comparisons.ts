/** Numbers beside the targets of the company. Without a target nothing speaks of one. */
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { targetMetrics, type TargetMetric } from '../../../schemas/metrics/targets.ts'
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from './findings.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'

const dayMs = 86_400_000

const missed: Record<TargetMetric, Message> = {
  completion_rate: 'completion {value} (target {target})',
  on_time_rate: 'on time {value} (target {target})',
  grading_turnaround: 'grading turnaround {value} (target {target})',
}

/** A share 0..1, or milliseconds. */
export function targetOf({ targets = {} }: Pick<PageContext, 'targets'>, metric: TargetMetric): number | null {
  const target = targets[metric]
  if (target === undefined) return null
  return metric === 'grading_turnaround' ? target * dayMs : target / 100
}

/** "Target 90%"; `null`: there is none. */
export function targetWords(context: Pick<PageContext, 'targets' | 'format'>, metric: TargetMetric): string | null {
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

/** A comparison names both of its sides. Better and worse mean something only where like stands beside like. */
export type ComparisonWords = {
  /** Behind a change: "+13 since 23 Oct". */
  short: string
  sentence: string
  /** The same assignments at two moments. Else two groups: their shares can be compared, their numbers cannot. */
  isSame: boolean
}

export function comparisonWords(overview: Overview, format: Format): ComparisonWords | null {
  const { previous } = overview
  if (previous === null) return null
  const then = format.instant(previous.as_of)
  if (previous.cohort === null)
    return {
      short: t(' since {asOf}', { asOf: format.instantDay(previous.as_of) }),
      sentence: t('Compared with {before}.', { before: then }),
      isSame: true,
    }
  const { from, to } = previous.cohort
  const group = `${format.day(from)} – ${format.day(to)}`
  return {
    short: t(' against {group}', { group }),
    sentence: t(
      'Compared with assignments of {from} – {to} at the same age, on {before}. Only shares are called better or worse.',
      { from: format.dayYear(from), to: format.dayYear(to), before: then },
    ),
    isSame: false,
  }
}
