/** Ingest's counters. Labels come from closed lists or configured token names; never from a payload. */
import type { Registry } from 'prom-client'
import type { FailureReason } from '../../schemas/webhook/parse-delivery.ts'
import { createMeters } from '../runtime/telemetry.ts'
import type { Outcome } from './door/answer.ts'

export type IngestMetrics = ReturnType<typeof createIngestMetrics>

export function createIngestMetrics(registry: Registry) {
  const { counter, histogram } = createMeters(registry)
  const requests = counter(
    'rollcall_ingest_requests_total',
    'Requests to webhook addresses, by source (token name; empty: no known token) and outcome.',
    ['source', 'outcome'],
  )
  const failures = counter(
    'rollcall_ingest_failed_events_total',
    'Problems of deliveries that were kept as failed events, by reason.',
    ['reason'],
  )
  const append = histogram(
    'rollcall_ingest_append_seconds',
    'From handing a delivery to the event log until it is durable.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  )
  return {
    countRequest: (source: string, outcome: Outcome) => requests.inc({ source, outcome }),
    countFailure: (reason: FailureReason) => failures.inc({ reason }),
    observeAppend: (seconds: number) => append.observe(seconds),
  }
}
