/** The facts of a delivery for a log and an answer, read from its body in one step. */
import { parseDelivery, toEventId, toLogKey, type Problem } from './parse-delivery.ts'

/** The summary for the sender and the metrics. */
export type DeliverySummary = {
  eventId: string
  /** Fields that were not as specified and count as unknown. */
  drift: readonly string[]
  /** Why it cannot be used; none: it is accepted. */
  problems: readonly Problem[]
}

/** `key`: under which it goes into the log. */
export type ReadDelivery = DeliverySummary & { key: string }

const none: readonly never[] = []

/**
 * Never throws. It drops the parsed event: kept until the log has the delivery, the event would outlive a garbage
 * collection and be copied by it.
 */
export function readDelivery(body: Uint8Array): ReadDelivery {
  const eventId = toEventId(body)
  const delivery = parseDelivery(body)
  const key = toLogKey(delivery, eventId)
  return delivery.outcome === 'event'
    ? { key, eventId, drift: delivery.drift, problems: none }
    : { key, eventId, drift: none, problems: delivery.problems }
}
