/** Ingest's counters. Labels come from closed lists or configured token names; never from a payload. */
import { Counter, type Registry } from 'prom-client'
import type { FailureReason } from '../../schemas/webhook/parse-delivery.ts'
import { createMeters } from '../runtime/telemetry.ts'
import { outcomes, type Outcome } from './door/answer.ts'

export type IngestMetrics = ReturnType<typeof createIngestMetrics>

export function createIngestMetrics(
  registry: Registry,
  log: { pending(): { records: number; bytes: number } },
  sources: readonly string[],
) {
  const { counter, histogram, reading } = createMeters(registry)
  const requests = new Counter({
    name: 'rollcall_ingest_requests_total',
    help: 'Requests to webhook addresses, by source (token name; empty: no known token) and outcome.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
    collect() {
      // Counted in plain numbers per request; labels are made only when metrics are read.
      requests.reset()
      for (const [source, counts] of bySource) {
        for (const outcome of outcomes)
          if (counts[outcome] > 0) requests.inc({ source, outcome }, counts[outcome])
      }
    },
  })
  const bySource = new Map(['', ...sources].map((source) => [source, zeros()]))
  const failures = counter(
    'rollcall_ingest_failed_events_total',
    'Problems of deliveries that were kept as failed events, by reason.',
    ['reason'],
  )
  const drift = counter(
    'rollcall_ingest_drift_total',
    'Fields that were not as specified and count as unknown, by field; in brackets: the address, the content type and the signature.',
    ['field'],
  )
  const append = histogram(
    'rollcall_ingest_append_seconds',
    'From handing a delivery to the event log until it is durable.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  )
  reading(
    'rollcall_ingest_pending_records',
    'Deliveries that wait for their sync.',
    () => log.pending().records,
  )
  reading(
    'rollcall_ingest_pending_bytes',
    'Bytes of deliveries that wait for their sync.',
    () => log.pending().bytes,
  )

  return {
    countRequest(source: string, outcome: Outcome): void {
      const counts = bySource.get(source)
      if (counts !== undefined) counts[outcome]++
    },
    countFailure: (reason: FailureReason) => failures.inc({ reason }),
    countDrift: (field: string) => drift.inc({ field }),
    observeAppend: (seconds: number) => append.observe(seconds),
    /** A token of this name was added; existing counts stay. */
    addSource(source: string): void {
      if (!bySource.has(source)) bySource.set(source, zeros())
    },
  }
}

function zeros(): Record<Outcome, number> {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
}
