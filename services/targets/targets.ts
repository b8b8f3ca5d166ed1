/** The targets of the company, set by owners: one record. */
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { By, Changed } from '../access/changes.ts'
import { refuse } from '../../language/problems.ts'
import { hold } from '../runtime/hold.ts'
import {
  targetLimits,
  targetMetrics,
  type TargetMetric,
  type Targets,
} from '../../schemas/metrics/targets.ts'

const kind = {
  name: 'targets',
  schema: z.partialRecord(z.enum(targetMetrics), z.number()),
} as const
const key = 'company'

/** `version` 0: never set. */
export type CompanyTargets = { targets: Targets; version: number }

export function createTargets({ store, clock, audit }: Pick<Access, 'store' | 'clock' | 'audit'>) {
  const records = store.recordsOf(kind)
  async function readNow(): Promise<CompanyTargets> {
    const kept = await records.read(key)
    return { targets: kept?.value ?? {}, version: kept?.version ?? 0 }
  }
  const cache = hold(readNow, clock)
  return {
    read: async (): Promise<Targets> => (await cache.read()).targets,
    readNow,

    /**
     * As people write them; empty: no target. All of them, or none where one cannot be read. `readAt`: the version that the writer saw.
     * Default: the latest.
     */
    async set(
      texts: Record<TargetMetric, string>,
      { by, address, readAt }: By & { readAt?: number | undefined },
    ): Promise<Changed> {
      const before = await readNow()
      const targets: Targets = {}
      for (const metric of targetMetrics) {
        if (texts[metric] === '') continue
        const value = Number(texts[metric])
        if (!Number.isInteger(value) || value < 1 || value > targetLimits[metric])
          return refuse('not_a_target')
        targets[metric] = value
      }
      const changed = targetMetrics.filter((metric) => targets[metric] !== before.targets[metric])
      if (changed.length === 0) return { ok: true, value: undefined }
      const put = await records.put(key, targets, readAt ?? before.version)
      if (!put.ok) {
        const [stored, yours] = [sayTargets(put.kept?.value ?? {}), sayTargets(targets)]
        return refuse('changed_meanwhile', { stored, yours })
      }
      for (const metric of changed)
        await audit('target_change', by, `${metric}: ${targets[metric] ?? 'none'}`, address)
      cache.forget()
      return { ok: true, value: undefined }
    },
  }
}

/** In the order of the form. */
const sayTargets = (targets: Targets) => targetMetrics.map((metric) => targets[metric] ?? '–').join(' / ')
