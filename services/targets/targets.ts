/** The targets of the company, set by owners. */
import type { Access } from '../access/access.ts'
import type { By, Changed } from '../access/changes.ts'
import { refuse } from '../../language/problems.ts'
import { hold } from '../runtime/hold.ts'
import { targetLimits, targetMetrics, type TargetMetric } from '../../schemas/metrics/targets.ts'

export function createTargets({ store, clock, audit }: Pick<Access, 'store' | 'clock' | 'audit'>) {
  const cache = hold(() => store.readTargets(), clock)
  return {
    read: cache.read,

    /** As people write them; empty: no target. All of them, or none where one cannot be read. */
    async set(texts: Record<TargetMetric, string>, { by, address }: By): Promise<Changed> {
      const before = await store.readTargets()
      const values = targetMetrics.map(
        (metric) => [metric, texts[metric] === '' ? 0 : Number(texts[metric])] as const,
      )
      const isTarget = (metric: TargetMetric, value: number) =>
        Number.isInteger(value) && value >= (texts[metric] === '' ? 0 : 1) && value <= targetLimits[metric]
      if (!values.every(([metric, value]) => isTarget(metric, value))) return refuse('not_a_target')
      for (const [metric, value] of values) {
        if (value === (before[metric] ?? 0)) continue
        await store.writeTarget({ metric, value, changedBy: by, nowMs: clock() })
        await audit('target_change', by, `${metric}: ${value === 0 ? 'none' : value}`, address)
      }
      cache.forget()
      return { ok: true, value: undefined }
    },
  }
}
