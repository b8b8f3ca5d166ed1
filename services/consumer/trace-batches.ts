/** A trace per batch, and in the trace of each of its deliveries the span that ends when readers can see it. */
import type { BatchHandler, LogBatch } from '../event-log/event-log.ts'
import { isReserved } from '../config/token.ts'
import { preciseNow, toAppendSpanId, type SpanId, type Tracing } from '../runtime/tracing/tracing.ts'

export function traceBatches<Handler extends BatchHandler>(handler: Handler, tracing: Tracing | undefined): Handler {
  if (tracing === undefined) return handler
  return {
    ...handler,
    handle: (batch) =>
      tracing.within(
        {
          name: 'store batch',
          kind: 'consumer',
          attributes: { 'rollcall.partition': batch.partition, 'rollcall.records': batch.records.length },
        },
        async ({ id }) => {
          const startedAt = preciseNow()
          await handler.handle(batch)
          recordDeliveries(tracing, batch, startedAt, id)
        },
      ),
  }
}

/** The position is the last insert of a batch: when it is there, readers see everything. */
function recordDeliveries(tracing: Tracing, batch: LogBatch, startedAt: number, link: SpanId | undefined): void {
  const endedAt = preciseNow()
  for (const record of batch.records) {
    const { eventId, source, receivedAt } = record
    tracing.record({
      name: 'store delivery',
      kind: 'consumer',
      startedAt,
      endedAt,
      traceId: eventId,
      // Rollcall's own events came by no request.
      ...(!isReserved(source) && { parentSpanId: toAppendSpanId(record) }),
      link,
      attributes: {
        'rollcall.receipt': eventId,
        'rollcall.source': source,
        'rollcall.visible_after_ms': Math.max(0, Math.round(endedAt - receivedAt)),
      },
    })
  }
}
