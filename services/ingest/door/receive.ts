/**
 * One delivery, from its bytes to its answer: signature, meaning, log, answer, in that order. The answer comes after the
 * log has it, also for an unusable delivery: everything with a receipt is kept.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { DeliverySummary } from '../../../schemas/webhook/read-delivery.ts'
import { LogUnavailableError, type TakeDelivery } from '../../event-log/event-log.ts'
import type { Logger } from '../../runtime/logger.ts'
import { accepted, failed, refused, unavailable, type Answer } from './answer.ts'
import type { Acknowledged } from '../acknowledged.ts'
import type { Tracing } from '../../runtime/tracing/tracing.ts'
import { traceDelivery } from './trace-delivery.ts'
import type { Sender } from './gate.ts'
import type { IngestMetrics } from '../ingest-metrics.ts'

/** `requestedAt`: when the request came, epoch ms with fractions; only traces use it. */
export type Receive = (
  sender: Sender,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  requestedAt?: number,
) => Promise<Answer>

type ReceiveDeps = {
  take: TakeDelivery
  metrics: IngestMetrics
  acknowledged?: Pick<Acknowledged, 'count'> | undefined
  logger: Logger
  now: () => number
  tracing?: Tracing | undefined
}

export function createReceive({ take, metrics, acknowledged, logger, now, tracing }: ReceiveDeps): Receive {
  return async (sender, headers, body, requestedAt) => {
    const receivedAt = now()
    const problem = sender.checkSignature?.(headers, body, receivedAt)
    if (problem !== undefined) return refused('wrong_signature', 401, problem)

    const startedAt = performance.now()
    let summary: DeliverySummary
    try {
      summary = await take({ source: sender.source, receivedAt, body })
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error
      logger.warn({ code: error.code, source: sender.source }, 'A delivery could not be stored')
      if (error.code === 'LOG_TOO_LARGE') return refused('too_large', 413, 'The event log takes no body of this size.')
      return unavailable('unavailable', 'The event cannot be stored now. Send it again later.', error.retryAfterMs)
    }
    // Every answer from here on has a receipt.
    acknowledged?.count(sender.source, receivedAt)
    metrics.observeAppend((performance.now() - startedAt) / 1_000)

    const { eventId, drift, problems } = summary
    for (const field of drift) metrics.countDrift(field)
    for (const { reason } of problems) metrics.countFailure(reason)
    const answer = problems.length === 0 ? accepted(eventId) : failed(eventId, problems)
    if (tracing !== undefined) {
      const delivery = { eventId, source: sender.source, receivedAt }
      traceDelivery(tracing, delivery, answer, { requestedAt, appendedFrom: performance.timeOrigin + startedAt })
    }
    return answer
  }
}
