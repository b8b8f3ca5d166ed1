/**
 * Metrics of one thread. A process with several threads sends them to the thread with the admin port, which adds them up.
 */
import {
  AggregatorRegistry,
  Gauge,
  Registry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'

export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[]

export type Telemetry = {
  registry: Registry
  snapshot(): Promise<MetricsSnapshot>
}

export function createTelemetry(): Telemetry {
  const registry = new Registry()
  return { registry, snapshot: () => registry.getMetricsAsJSON() }
}

/** Memory, CPU time, event loop lag: once per process; sums would be wrong. */
export function addProcessMetrics(telemetry: Telemetry, version: string): void {
  collectDefaultMetrics({ register: telemetry.registry })
  new Gauge({
    name: 'rollcall_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers: [telemetry.registry],
  }).set({ version }, 1)
}

/** Prometheus text of all of them. A thread that does not answer is left out. */
export async function renderMetrics(sources: (() => Promise<MetricsSnapshot>)[]): Promise<string> {
  const answers = await Promise.allSettled(sources.map((snapshot) => snapshot()))
  const snapshots = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  return AggregatorRegistry.aggregate(snapshots).metrics()
}
