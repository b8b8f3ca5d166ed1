/**
 * Looks at some deliveries of every batch for fields that are not as specified. Writes new findings, and the rest now and then.
 * Nothing depends on it, so nothing that it meets may keep a delivery from being stored.
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
const writeIntervalMs = 60_000

type DriftRow = { kind: string; path: string; events: number; first_seen: number; last_seen: number }

export function createDriftSample(client: ClickHouseClient, now: () => number = Date.now) {
  const keys = new Set<string>()
  const pending = new Map<string, DriftRow>()
  let writtenAt = 0
  let failedAt = -Infinity

  async function write(): Promise<void> {
    try {
      await insertRows(client, 'drift_fields', [...pending.values()])
    } catch {
      // Kept for later. A store that is away is noticed by the batch itself.
      failedAt = now()
      return
    }
    writtenAt = now()
    for (const key of pending.keys()) keys.add(key)
    pending.clear()
  }

  function note(item: Prepared): void {
    const { body, receivedAt, source } = item.record
    // A delivery that Rollcall made up itself says nothing about the platform.
    if (source === reconcileSource) return
    if (item.outcome !== 'event' || item.row['typeNumber'] === 0 || body.byteLength > maxBodyBytes) return
    const event = parseBody(body) as Record<string, unknown>
    for (const { kind, path } of findFieldDrift(event)) {
      const key = `${kind} ${path}`
      const drift = pending.get(key)
      if (drift !== undefined) {
        drift.events++
        drift.first_seen = Math.min(drift.first_seen, receivedAt)
        drift.last_seen = Math.max(drift.last_seen, receivedAt)
      } else if (keys.has(key) || keys.size + pending.size < maxPaths) {
        pending.set(key, { kind, path, events: 1, first_seen: receivedAt, last_seen: receivedAt })
      }
    }
  }

  return {
    async look(prepared: readonly Prepared[]): Promise<void> {
      const stride = Math.max(1, Math.floor(prepared.length / lookedAt))
      for (let at = 0; at < prepared.length; at += stride) {
        try {
          note(prepared[at] as Prepared)
        } catch {
          // A body that only this cannot read: its fields are not counted.
        }
      }
      const hasNew = [...pending.keys()].some((key) => !keys.has(key))
      if (pending.size === 0 || (!hasNew && now() - writtenAt < writeIntervalMs)) return
      if (Math.abs(now() - failedAt) >= writeIntervalMs) await write()
    },
  }
}
