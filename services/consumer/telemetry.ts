/** Metrics of the consumer for Prometheus. */
import { Gauge, type Registry } from 'prom-client'
import type { BatchHandler, LogReader } from '../event-log/event-log.ts'
import { createMeters } from '../runtime/telemetry.ts'
import { preciseNow, type Tracing } from '../runtime/tracing.ts'
import type { BatchReport } from './batch-report.ts'

export function createConsumerTelemetry(registry: Registry, lag: LogReader['lag']) {
  const { counter, histogram } = createMeters(registry)
  const deliveries = counter(
    'rollcall_consumer_deliveries_total',
    'Deliveries taken from the event log, by what became of them.',
    ['outcome'],
  )
  const drift = counter(
    'rollcall_consumer_drift_total',
    'Events with a field that does not fit the specification, by field.',
    ['field'],
  )
  const retries = counter(
    'rollcall_consumer_retries_total',
    'Batches that could not be stored and were delivered again.',
  )
  const seconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  const duration = histogram('rollcall_consumer_batch_seconds', 'Time to store one batch.', seconds)
  const counts = [1, 10, 100, 1_000, 5_000, 10_000]
  const size = histogram('rollcall_consumer_batch_records', 'Deliveries in one batch.', counts)
  // A partition that went to another consumer is reported there: one that is not in the lag is not reported here any more.
  type Lag = Awaited<ReturnType<typeof lag>>[number]
  const addLag = (name: string, help: string, pick: (each: Lag) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['partition'],
      registers: [registry],
      async collect() {
        const current = await lag()
        this.reset()
        for (const each of current) this.set({ partition: each.partition }, pick(each))
      },
    })
  const unstored = 'deliveries that are acknowledged and not yet stored'
  addLag(
    'rollcall_consumer_lag_seconds',
    `Age of the oldest of the ${unstored}.`,
    ({ oldestMs }) => oldestMs / 1000,
  )
  addLag('rollcall_consumer_lag_records', `Number of ${unstored}.`, ({ records }) => records)
  return {
    stored(report: BatchReport): void {
      deliveries.inc({ outcome: 'stored' }, report.stored)
      deliveries.inc({ outcome: 'duplicate' }, report.repeated)
      deliveries.inc({ outcome: 'failed' }, report.failed)
      for (const [field, events] of report.drift) drift.inc({ field }, events)
      duration.observe(report.durationMs / 1000)
      size.observe(report.records)
    },
    /** A batch failed and will be delivered again. */
    retried: () => retries.inc(),
  }
}

/** In the trace of each delivery, a span that ends when readers can see it: the position is the last insert of a batch. */
export function traceBatches(handler: BatchHandler, tracing: Tracing | undefined): BatchHandler {
  if (tracing === undefined) return handler
  return {
    ...handler,
    async handle(batch) {
      const startedAt = preciseNow()
      await handler.handle(batch)
      const endedAt = preciseNow()
      for (const { eventId, source, receivedAt } of batch.records) {
        const visibleAfterMs = Math.max(0, Math.round(endedAt - receivedAt))
        tracing.record({
          name: 'store delivery',
          kind: 'consumer',
          traceId: eventId,
          startedAt,
          endedAt,
          attributes: {
            'rollcall.receipt': eventId,
            'rollcall.source': source,
            'rollcall.visible_after_ms': visibleAfterMs,
          },
        })
      }
    },
  }
}
