/**
 * One delivery, from its bytes to its answer: signature, meaning, log, answer - in that order. The answer comes after the
 * log has it, also for a delivery that cannot be used: what was acknowledged or named by a receipt is kept.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { parseDelivery, toEventId, toLogKey } from '../../schemas/webhook/parse-delivery.ts'
import { LogUnavailableError, type LogWriter } from '../event-log/event-log.ts'
import type { Logger } from '../runtime/logger.ts'
import { accepted, failed, refused, unavailable, type Answer } from './answer.ts'
import type { Sender } from './gate.ts'
import type { IngestMetrics } from './ingest-metrics.ts'

export type Receive = (sender: Sender, headers: IncomingHttpHeaders, body: Uint8Array) => Promise<Answer>

export type ReceiveDeps = {
  log: LogWriter
  metrics: IngestMetrics
  logger: Logger
  now: () => number
}

export function createReceive({ log, metrics, logger, now }: ReceiveDeps): Receive {
  return async (sender, headers, body) => {
    const receivedAt = now()
    const problem = sender.checkSignature?.(headers, body, receivedAt)
    if (problem !== undefined) return refused('wrong_signature', 401, problem)

    const eventId = toEventId(body)
    const delivery = parseDelivery(body)
    const startedAt = performance.now()
    try {
      await log.append({ key: toLogKey(delivery, eventId), eventId, source: sender.source, receivedAt, body })
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error
      logger.warn({ code: error.code, source: sender.source }, 'A delivery could not be stored')
      return unavailable('unavailable', 'The event cannot be stored now. Send it again later.', error.retryAfterMs)
    }
    metrics.observeAppend((performance.now() - startedAt) / 1_000)

    if (delivery.outcome === 'event') {
      for (const field of delivery.drift) metrics.countDrift(field)
      return accepted(eventId)
    }
    for (const { reason } of delivery.problems) metrics.countFailure(reason)
    return failed(eventId, delivery.problems)
  }
}
