import type { ClickHouseClient } from '@clickhouse/client'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { toBatch, toRecord } from './records.ts'

/** Stores deliveries as the consumer does, in one batch that continues the log. Returns the offset of the first. */
export async function storeBodies(client: ClickHouseClient, bodies: readonly (Uint8Array | string)[]): Promise<number> {
  const consumer = createConsumer({ client })
  const from = await consumer.resumeFrom(0)
  await consumer.handle(
    toBatch(bodies.map((body, index) => toRecord(typeof body === 'string' ? Buffer.from(body) : body, from + index))),
  )
  return from
}
