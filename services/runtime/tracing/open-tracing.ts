/** Tracing by the official SDK, which is loaded only here and only where it is wanted. Its own `OTEL_...` variables all count. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { SpanKind as SdkSpanKind } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Config } from '../../config/config.ts'
import type { Logger } from '../logger.ts'
import type { Process } from '../process.ts'
import { StartError } from '../../config/start-error.ts'
import { version } from '../version.ts'
import type { Attributes, EndedSpan, OpenSpan, SpanKind, Tracing } from './tracing.ts'

export type TracingConfig = Pick<Config, 'otelEndpoint'>

/** A collector that is away must not hold up a stop. */
const closeTimeoutMs = 2_000
const complainIntervalMs = 3_600_000

/** `undefined` where no endpoint is set. `part`: of the process, for the name of the service. */
export async function openTracing(
  part: string,
  config: TracingConfig,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (config.otelEndpoint === undefined) return undefined
  const loaded = await load().catch((cause: unknown) => {
    throw new StartError(
      'Traces are on (OTEL_EXPORTER_OTLP_ENDPOINT), but the OpenTelemetry packages are not installed. ' +
        'docs/tracing.md says how to add them; without that variable Rollcall starts without traces.',
      { cause },
    )
  })
  return createTracing(loaded, part, logger)
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

function createTracing(
  { api, sdk, exporter, resources }: Awaited<ReturnType<typeof load>>,
  part: string,
  logger: Logger,
): Tracing {
  const { ROOT_CONTEXT, SpanKind: kinds, SpanStatusCode, TraceFlags, trace } = api
  const kindOf: Record<SpanKind, SdkSpanKind> = {
    server: kinds.SERVER,
    client: kinds.CLIENT,
    consumer: kinds.CONSUMER,
    internal: kinds.INTERNAL,
  }
  const random = new sdk.RandomIdGenerator()
  /** The ids of the span that is started next, where they are not to be random. */
  let next: { traceId?: string | undefined; spanId?: string | undefined } = {}
  const provider = new sdk.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': `rollcall-${part}`, 'service.version': version })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    idGenerator: {
      generateTraceId: () => next.traceId ?? random.generateTraceId(),
      generateSpanId: () => next.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [new sdk.BatchSpanProcessor(watchExport(new exporter.OTLPTraceExporter(), logger))],
  })
  const tracer = provider.getTracer('rollcall', version)
  const active = new AsyncLocalStorage<ReturnType<typeof trace.setSpan>>()

  type Started = ReturnType<typeof tracer.startSpan>

  function startWith(ids: typeof next, start: () => Started): Started {
    next = ids
    try {
      return start()
    } finally {
      next = {}
    }
  }

  async function run<Result>(
    { name, kind, attributes }: { name: string; kind: SpanKind; attributes?: Attributes },
    parent: typeof ROOT_CONTEXT,
    work: (span: OpenSpan) => Promise<Result>,
  ): Promise<Result> {
    const span = tracer.startSpan(name, { kind: kindOf[kind], ...(attributes && { attributes }) }, parent)
    const { traceId, spanId } = span.spanContext()
    const fail = (type: string) => {
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    try {
      return await active.run(trace.setSpan(parent, span), () =>
        work({
          id: span.isRecording() ? { traceId, spanId } : undefined,
          rename: (text) => void span.updateName(text),
          set: (more) => void span.setAttributes(more),
          fail,
        }),
      )
    } catch (error) {
      fail(toErrorType(error))
      throw error
    } finally {
      span.end()
    }
  }

  function isSampled(traceId: string): boolean {
    const probe = startWith({ traceId }, () => tracer.startSpan('probe', { root: true }, ROOT_CONTEXT))
    return (probe.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
  }

  /** Asks the sampler about a parent that this process may not know: all processes have the same sampler. */
  function toParent({ traceId, parentSpanId }: EndedSpan): typeof ROOT_CONTEXT | undefined {
    if (traceId === undefined || parentSpanId === undefined) return ROOT_CONTEXT
    if (!isSampled(traceId)) return undefined
    const parent = { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
    return trace.setSpanContext(ROOT_CONTEXT, parent)
  }

  return {
    within: (start, work) => run(start, ROOT_CONTEXT, work),
    under(start, work) {
      const parent = active.getStore()
      return parent === undefined ? work(unrecorded) : run(start, parent, work)
    },
    record(ended) {
      const parent = toParent(ended)
      if (parent === undefined) return undefined
      const { name, kind, attributes, startedAt, endedAt, traceId, spanId, link } = ended
      const links = link === undefined ? [] : [{ context: { ...link, traceFlags: TraceFlags.SAMPLED } }]
      const span = startWith({ traceId, spanId }, () =>
        tracer.startSpan(
          name,
          { kind: kindOf[kind], startTime: startedAt, links, ...(attributes && { attributes }) },
          parent,
        ),
      )
      if (!span.isRecording()) return undefined
      span.end(endedAt)
      const id = span.spanContext()
      return { traceId: id.traceId, spanId: id.spanId }
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        pause(closeTimeoutMs, undefined, { ref: false }),
      ])
    },
  }
}

const unrecorded: OpenSpan = { id: undefined, rename: () => {}, set: () => {}, fail: () => {} }

/** The SDK says nothing of spans that it could not send. Once an hour is enough. */
function watchExport(exporter: SpanExporter, logger: Logger): SpanExporter {
  let complainedAt = -Infinity
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const code: number = result.code
        if (code !== 0 && performance.now() - complainedAt > complainIntervalMs) {
          complainedAt = performance.now()
          logger.warn({ err: result.error }, 'Traces could not be sent to the OTLP endpoint')
        }
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

/** A code or a class, never a message. */
function toErrorType(error: unknown): string {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/i.test(code)) return code
  return typeof name === 'string' && /^[\w$]{1,60}$/.test(name) ? name : 'Error'
}
