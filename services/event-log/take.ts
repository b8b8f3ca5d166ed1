/** Takes raw deliveries into a log that has no thread to read them on: reads each one where it is called. */
import { readDelivery } from '../../schemas/webhook/read-delivery.ts'
import type { LogWriter, TakeDelivery } from './event-log.ts'

export function createTake(log: Pick<LogWriter, 'append'>): TakeDelivery {
  return async ({ source, receivedAt, body }) => {
    // The key stays in here: only the log needs it, and only until it has the record.
    const { key, eventId, drift, problems } = readDelivery(body)
    await log.append({ key, eventId, source, receivedAt, body })
    return { eventId, drift, problems }
  }
}
