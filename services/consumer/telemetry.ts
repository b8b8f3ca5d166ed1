/** Metrics of the consumer for Prometheus. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { LogReader } from '../event-log/event-log.ts'
import type { BatchReport } from './batch-report.ts'

export type ConsumerTelemetry = {
  stored(report: BatchReport): void
  /** A batch that failed and will be delivered again. */
  retried(): void
}

export function createConsumerTelemetry(registry: Registry, lag: LogReader['lag']): ConsumerTelemetry {
  const registers = [registry]
  const deliveries = new Counter({
    name: 'rollcall_consumer_deliveries_total',
    help: 'Deliveries taken from the event log, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const drift = new Counter({
    name: 'rollcall_consumer_drift_total',
    help: 'Events with a field that does not fit the specification, by field.',
    labelNames: ['field'],
    registers,
  })
  const contradictions = new Counter({
    name: 'rollcall_consumer_contradictions_total',
    help: 'Events whose statements contradict each other, by contradiction.',
    labelNames: ['name'],
    registers,
  })
  const retries = new Counter({
    name: 'rollcall_consumer_retries_total',
    help: 'Batches that could not be stored and were delivered again.',
    registers,
  })
  const duration = new Histogram({
    name: 'rollcall_consumer_batch_seconds',
    help: 'Time to store one batch.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const size = new Histogram({
    name: 'rollcall_consumer_batch_records',
    help: 'Deliveries in one batch.',
    buckets: [1, 10, 100, 1_000, 5_000, 10_000],
    registers,
  })
  // A partition that went to another consumer is that one's to report: what is not in the lag is said no longer.
  type Lag = Awaited<ReturnType<typeof lag>>[number]
  const addLag = (name: string, help: string, pick: (each: Lag) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['partition'],
      registers,
      async collect() {
        const current = await lag()
        this.reset()
        for (const each of current) this.set({ partition: each.partition }, pick(each))
      },
    })
  const unstored = 'deliveries that are acknowledged and not yet stored'
  addLag('rollcall_consumer_lag_seconds', `Age of the oldest of the ${unstored}.`, ({ oldestMs }) => oldestMs / 1000)
  addLag('rollcall_consumer_lag_records', `Number of ${unstored}.`, ({ records }) => records)
  return {
    stored(report) {
      deliveries.inc({ outcome: 'stored' }, report.stored)
      deliveries.inc({ outcome: 'duplicate' }, report.duplicates)
      deliveries.inc({ outcome: 'failed' }, report.failed)
      for (const [field, events] of report.drift) drift.inc({ field }, events)
      for (const [name, events] of report.contradictions) contradictions.inc({ name }, events)
      duration.observe(report.durationMs / 1000)
      size.observe(report.records)
    },
    retried() {
      retries.inc()
    },
  }
}
