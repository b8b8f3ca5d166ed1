/**
 * Looks at some deliveries of every batch for fields that are not as specified. Nothing depends on it, so nothing that it meets
 * may keep a delivery from being stored.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { findFieldDrift } from '../../../schemas/webhook/find-drift.ts'
import { parseBody } from '../../../schemas/webhook/parse-delivery.ts'
import { reconcileSource } from '../../config/token.ts'
import type { Prepared } from '../rows.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'

/** How many of a batch are sampled: each costs a second parse. */
const lookedAt = 5
const maxBodyBytes = 64 * 1024
/** More different fields than these are not told apart. */
const maxPaths = 200

type DriftRow = { kind: string; path: string; events: number; first_seen: number; last_seen: number }

export function createDriftSample(client: ClickHouseClient) {
  const known = new Set<string>()

  function toRows({ record, outcome, row }: Prepared): DriftRow[] {
    const { body, receivedAt, source } = record
    // A delivery that Rollcall made up itself says nothing about the platform.
    if (source === reconcileSource || outcome !== 'event' || row['typeNumber'] === 0) return []
    if (body.byteLength > maxBodyBytes) return []
    return [...findFieldDrift(parseBody(body) as Record<string, unknown>)].flatMap(({ kind, path }) => {
      const key = `${kind} ${path}`
      if (known.size < maxPaths) known.add(key)
      return known.has(key) ? [{ kind, path, events: 1, first_seen: receivedAt, last_seen: receivedAt }] : []
    })
  }

  return async function look(prepared: readonly Prepared[]): Promise<void> {
    const stride = Math.max(1, Math.floor(prepared.length / lookedAt))
    try {
      const sample = prepared.filter((_, at) => at % stride === 0)
      await insertRows(client, 'drift_fields', sample.flatMap(toRows))
    } catch {
      // A body that only this cannot read, or a store that is away: that is noticed by the batch itself.
    }
  }
}
