/**
 * Traces of deliveries, by the official SDK. It is loaded only here, and only if an OTLP endpoint is set.
 *
 * Nothing is carried from one process to the next. The receipt of a delivery, 32 hexadecimal digits, is the id of its trace. So its
 * spans meet through any log and any spool. See docs/decisions/0017-traces.md.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Logger } from './logger.ts'
import type { Process } from './process.ts'
import { version } from './version.ts'

/** Everything that a span may say. None of it is about a person, a secret or a body; a test searches all spans for such data. */
type Attribute =
  | 'http.request.method'
  | 'http.response.status_code'
  | 'http.route'
  | 'rollcall.source'
  | 'rollcall.receipt'
  | 'rollcall.outcome'
  | 'rollcall.visible_after_ms'

export type Span = {
  name: string
  kind: 'server' | 'consumer'
  /** The receipt. */
  traceId: string
  /** Epoch ms, with fractions. */
  startedAt: number
  endedAt: number
  attributes: Partial<Record<Attribute, string | number>>
}

export type Tracing = {
  record(span: Span): void
  /** Sends the rest, within two seconds. */
  close(): Promise<void>
}

export type TracingConfig = Pick<Config, 'otelEndpoint'>

/** A collector that is away must not hold up a stop. */
const closeTimeoutMs = 2_000

/** `undefined` if no endpoint is set. `part` becomes part of the name of the service. */
export async function openTracing(
  part: string,
  config: TracingConfig,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (config.otelEndpoint === undefined) return undefined
  const { api, sdk, exporter, resources } = await load().catch((cause: unknown) => {
    throw new StartError(
      'Traces are on (OTEL_EXPORTER_OTLP_ENDPOINT), but the OpenTelemetry packages are not installed. ' +
        'docs/tracing.md says how to add them; without that variable Rollcall starts without traces.',
      { cause },
    )
  })
  let isReported = false
  const reportOnce = () => {
    if (!isReported) logger.warn({}, 'Traces could not be sent to the OTLP endpoint')
    isReported = true
  }
  const ignore = () => {}
  api.diag.setLogger({ error: reportOnce, warn: ignore, info: ignore, debug: ignore, verbose: ignore })
  let traceId = ''
  const random = new sdk.RandomIdGenerator()
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': `rollcall-${part}`, 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => random.generateSpanId() },
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('rollcall', version)
  const kinds = { server: api.SpanKind.SERVER, consumer: api.SpanKind.CONSUMER }
  return {
    record({ name, kind, startedAt, endedAt, attributes, ...span }) {
      traceId = span.traceId
      tracer.startSpan(name, { kind: kinds[kind], startTime: startedAt, attributes }).end(endedAt)
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(closeTimeoutMs, undefined, { ref: false }),
      ])
    },
  }
}

/** The same, closed with the process. */
export async function openProcessTracing(
  { lifecycle, logger }: Pick<Process, 'lifecycle' | 'logger'>,
  part: string,
  config: TracingConfig,
): Promise<Tracing | undefined> {
  const tracing = await openTracing(part, config, logger)
  return tracing && lifecycle.open('traces', () => tracing)
}

async function load() {
  const [api, sdk, exporter, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  return { api, sdk, exporter, resources }
}

/** Epoch ms with fractions, of one clock within a process. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}
