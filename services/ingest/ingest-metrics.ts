/** Ingest's counters. Labels come from closed lists or configured token names; never from a payload. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { FailureReason } from '../../schemas/webhook/parse-delivery.ts'
import { outcomes, type Outcome } from './door/answer.ts'

export type IngestMetrics = ReturnType<typeof createIngestMetrics>

export function createIngestMetrics(
  registry: Registry,
  log: { pending(): { records: number; bytes: number } },
  sources: readonly string[],
) {
  const registers = [registry]
  const requests = new Counter({
    name: 'rollcall_ingest_requests_total',
    help: 'Requests to webhook addresses, by source (token name; empty: no known token) and outcome.',
    labelNames: ['source', 'outcome'],
    registers,
    collect() {
      // Counted in plain numbers per request; labels are made only when metrics are read.
      requests.reset()
      for (const [source, counts] of bySource) {
        for (const outcome of outcomes) if (counts[outcome] > 0) requests.inc({ source, outcome }, counts[outcome])
      }
    },
  })
  const bySource = new Map(['', ...sources].map((source) => [source, zeros()]))
  const failures = new Counter({
    name: 'rollcall_ingest_failed_events_total',
    help: 'Problems of deliveries that were kept as failed events, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const drift = new Counter({
    name: 'rollcall_ingest_drift_total',
    help: 'Fields that were not as specified and count as unknown, by field.',
    labelNames: ['field'],
    registers,
  })
  const append = new Histogram({
    name: 'rollcall_ingest_append_seconds',
    help: 'From handing a delivery to the event log until it is durable.',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const addPending = (unit: 'records' | 'bytes', help: string) =>
    new Gauge({
      name: `rollcall_ingest_pending_${unit}`,
      help,
      registers,
      collect() {
        this.set(log.pending()[unit])
      },
    })
  addPending('records', 'Deliveries that wait for their sync.')
  addPending('bytes', 'Bytes of deliveries that wait for their sync.')

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
