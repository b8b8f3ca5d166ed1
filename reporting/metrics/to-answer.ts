import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Blocks } from './blocks.ts'
import { toMetrics } from './to-metrics.ts'
import { toInstantOrNull } from '../../schemas/instant.ts'

export function toMetricsAnswer(blocks: Blocks, scope: Scope): MetricsAnswer {
  return {
    as_of: new Date(scope.asOf).toISOString(),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    period: scope.period,
    complete_through: toInstantOrNull(blocks.complete_through),
    metrics: toMetrics(blocks, scope),
  }
}
