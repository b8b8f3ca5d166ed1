import { preciseNow, toAppendSpanId, type Tracing } from '../../runtime/tracing/tracing.ts'
import type { Answer } from './answer.ts'

/** The request and the append of a delivery that was kept, in the trace that its receipt names. Times are epoch ms with fractions. */
export function traceDelivery(
  tracing: Tracing,
  delivery: { eventId: string; source: string; receivedAt: number },
  { outcome, status }: Answer,
  { requestedAt, appendedFrom }: { requestedAt: number | undefined; appendedFrom: number },
): void {
  const { eventId: traceId, source } = delivery
  const endedAt = preciseNow()
  const request = tracing.record({
    name: 'POST /webhooks/:token',
    kind: 'server',
    traceId,
    startedAt: requestedAt ?? appendedFrom,
    endedAt,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/webhooks/:token',
      'http.response.status_code': status,
      'rollcall.outcome': outcome,
      'rollcall.receipt': traceId,
      'rollcall.source': source,
    },
  })
  if (request === undefined) return
  tracing.record({
    name: 'append',
    kind: 'producer',
    traceId,
    parentSpanId: request.spanId,
    spanId: toAppendSpanId(delivery),
    startedAt: appendedFrom,
    endedAt,
    attributes: { 'rollcall.receipt': traceId, 'rollcall.source': source },
  })
}
