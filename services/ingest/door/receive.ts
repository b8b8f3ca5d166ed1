/**
 * One delivery, from its bytes to its answer: signature, meaning, log, answer, in that order. The answer comes after the
 * log has it, also for an unusable delivery: everything with a receipt is kept.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { DeliverySummary } from '../../../schemas/webhook/parse-delivery.ts'
import { LogUnavailableError, type TakeDelivery } from '../../event-log/event-log.ts'
import type { Logger } from '../../runtime/logger.ts'
import { preciseNow, type Tracing } from '../../runtime/tracing.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'
import { accepted, type Answer, failed, refused, unavailable } from './answer.ts'
import { findSignatureProblem, type Sender } from './gate.ts'

export type ReceiveDeps = {
  take: TakeDelivery
  metrics: IngestMetrics
  logger: Logger
  now: () => number
  tracing?: Tracing | undefined
}

/** `oddRequest`: as `findOddRequest` returns it. */
export async function receive(
  { take, metrics, logger, now, tracing }: ReceiveDeps,
  { source, secrets }: Sender,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  oddRequest: string,
): Promise<Answer> {
  const receivedAt = now()
  const problem = findSignatureProblem(secrets, headers, body, receivedAt)
  if (problem !== undefined) return refused('wrong_signature', 401, problem)

  const startedAt = performance.now()
  let summary: DeliverySummary
  try {
    summary = await take({ source, receivedAt, body, ...(oddRequest !== '' && { oddRequest }) })
  } catch (error) {
    if (!(error instanceof LogUnavailableError)) throw error
    logger.warn({ code: error.code, source }, 'A delivery could not be stored')
    if (error.code === 'LOG_TOO_LARGE')
      return refused('too_large', 413, 'The event log takes no body of this size.')
    const message = 'The event cannot be stored now. Send it again later.'
    return unavailable('unavailable', message, error.retryAfterMs)
  }
  // Every answer from here on has a receipt.
  metrics.observeAppend((performance.now() - startedAt) / 1_000)

  const { eventId, problems } = summary
  for (const { reason } of problems) metrics.countFailure(reason)
  const answer = problems.length === 0 ? accepted(eventId) : failed(eventId, problems)
  if (tracing !== undefined)
    traceDelivery(tracing, eventId, source, answer, performance.timeOrigin + startedAt)
  return answer
}

/** The request of a delivery that was kept, in the trace that its receipt names. `startedAt`: epoch ms with fractions. */
function traceDelivery(
  tracing: Tracing,
  traceId: string,
  source: string,
  { outcome, status }: Answer,
  startedAt: number,
): void {
  tracing.record({
    name: 'POST /webhooks/:token',
    kind: 'server',
    traceId,
    startedAt,
    endedAt: preciseNow(),
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/webhooks/:token',
      'http.response.status_code': status,
      'rollcall.outcome': outcome,
      'rollcall.receipt': traceId,
      'rollcall.source': source,
    },
  })
}
