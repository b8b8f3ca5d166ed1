/**
 * Traces, as the product sees them. On where an OTLP endpoint is set: otherwise `Tracing` is `undefined`, and nothing
 * is traced.
 *
 * Nothing is carried from one process to the next. The receipt of a delivery, 32 hexadecimal digits, is the id of its trace, and
 * the id of its request follows from its record: so its parts meet, through any log and any spool. See docs/decisions/0017-traces.md.
 */
import { hash } from 'node:crypto'

/** Everything that a span may say. None of it is about a person, a secret or a body; a test searches all spans for such data. */
type Attribute =
  | 'http.request.method'
  | 'http.response.status_code'
  | 'http.route'
  | 'db.system.name'
  | 'db.operation.name'
  | 'db.collection.name'
  | 'db.query.summary'
  | 'error.type'
  | 'rollcall.source'
  | 'rollcall.receipt'
  | 'rollcall.outcome'
  | 'rollcall.partition'
  | 'rollcall.records'
  | 'rollcall.visible_after_ms'

export type Attributes = Partial<Record<Attribute, string | number>>

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

export type SpanStart = { name: string; kind: SpanKind; attributes?: Attributes }

/** The span of `within`, while it is under way. */
export type OpenSpan = {
  /** `undefined`: it is not recorded. */
  id: SpanId | undefined
  rename(name: string): void
  set(attributes: Attributes): void
  fail(type: string): void
}

export type SpanId = { traceId: string; spanId: string }

/** A span that is over. Times are epoch ms, with fractions. */
export type EndedSpan = SpanStart & {
  startedAt: number
  endedAt: number
  /** Joins this trace, instead of a new one. */
  traceId?: string
  /** Under this span of the same trace, also where another process has recorded it. */
  parentSpanId?: string
  /** Its own id, where others must be able to work it out. */
  spanId?: string
  link?: SpanId | undefined
}

export type Tracing = {
  /** A span as long as the function takes; spans that it causes are under it. Rejects as the function does. */
  within<Result>(start: SpanStart, run: (span: OpenSpan) => Promise<Result>): Promise<Result>
  /** A span under the span that is open. Without an open one it is not recorded. */
  under<Result>(start: SpanStart, run: (span: OpenSpan) => Promise<Result>): Promise<Result>
  /** Returns its id; `undefined` where the sampler leaves its trace out. */
  record(span: EndedSpan): SpanId | undefined
  /** Sends the rest, within two seconds. */
  close(): Promise<void>
}

/** The id of the span of a delivery's request, for code that knows the record. */
export function toRequestSpanId(record: { eventId: string; source: string; receivedAt: number }): string {
  const { eventId, source, receivedAt } = record
  return hash('sha256', `${eventId} ${source} ${receivedAt}`).slice(0, 16)
}

/** Epoch ms with fractions, of one clock within a process. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now()
}
