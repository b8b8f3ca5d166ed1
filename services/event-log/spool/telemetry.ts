/** Metrics of the spool on this disk, for Prometheus. */
import type { Registry } from 'prom-client'
import { createMeters } from '../../runtime/telemetry.ts'
import type { SpoolStats } from './spool.ts'

/** The records of the spool are acknowledged and not yet in the event log. */
export function addSpoolMetrics(registry: Registry, stats: () => Promise<SpoolStats>): void {
  const { reading } = createMeters(registry)
  // Each metric reads its own value: metrics are collected concurrently.
  const add = (name: string, help: string, pick: (stats: SpoolStats) => number) =>
    reading(name, help, async () => pick(await stats()))
  add(
    'rollcall_spool_records',
    'Deliveries in the spool: acknowledged, and not yet in the event log.',
    (spool) => spool.records,
  )
  add('rollcall_spool_bytes', 'Bytes of the deliveries in the spool.', (spool) => spool.bytes)
  add(
    'rollcall_spool_oldest_seconds',
    'Age of the oldest delivery in the spool, from its receipt; 0: the spool is empty.',
    (spool) => spool.oldestMs / 1000,
  )
}
