/**
 * Metrics of one thread. A process with several threads sends them to the thread with the admin port, which adds them up.
 */
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'

export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[]

export type Telemetry = ReturnType<typeof createTelemetry>

export function createTelemetry() {
  const registry = new Registry()
  return { registry, snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON() }
}

/** The metrics of one registry: their names, their meaning, and the names of their labels. */
export function createMeters(registry: Registry) {
  const registers = [registry]
  return {
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: (name: string, help: string, labelNames: string[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    /** Read again whenever metrics are collected. */
    reading: (name: string, help: string, read: () => number | Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      }),
    histogram: (name: string, help: string, buckets: number[]) =>
      new Histogram({ name, help, buckets, registers }),
  }
}

/** Memory, CPU time, event loop lag: once per process; sums would be wrong. */
export function addProcessMetrics(telemetry: Telemetry, version: string): void {
  collectDefaultMetrics({ register: telemetry.registry })
  createMeters(telemetry.registry)
    .gauge('rollcall_build_info', 'Always 1; the label says which version runs.', ['version'])
    .set({ version }, 1)
}

/** Prometheus text of all of them. A thread that does not answer is left out. */
export async function renderMetrics(sources: (() => Promise<MetricsSnapshot>)[]): Promise<string> {
  const answers = await Promise.allSettled(sources.map((snapshot) => snapshot()))
  const snapshots = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  return AggregatorRegistry.aggregate(snapshots).metrics()
}
