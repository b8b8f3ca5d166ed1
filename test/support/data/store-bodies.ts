import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { storeSettings } from '../../../services/clickhouse/stored-settings.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import type { StoreContents } from '../store/store.ts'
import { toBatch, toRecord } from './records.ts'

/**
 * Stores deliveries as the consumer does, in one batch that continues the log. Returns the offset of the first. `attributes`: of people,
 * the names that are allowed.
 */
export async function storeBodies(
  client: ClickHouseClient,
  bodies: readonly (Uint8Array | string)[],
  attributes: readonly string[] = [],
): Promise<number> {
  if (attributes.length > 0) await storeSettings(client, { user_attributes: attributes.join(',') })
  const consumer = createConsumer({ client, people: createPeople(client, { attributes }) })
  const from = await consumer.resumeFrom(0)
  await consumer.handle(
    toBatch(
      bodies.map((body, index) =>
        toRecord(typeof body === 'string' ? Buffer.from(body) : body, from + index),
      ),
    ),
  )
  return from
}

/** A store that holds these deliveries, for `openTestStore`. */
export function toContents(bodies: readonly Uint8Array[], attributes: readonly string[] = []): StoreContents {
  const hash = createHash('sha256').update(attributes.join())
  for (const body of bodies) hash.update('\n').update(body)
  return {
    name: `store-of-${hash.digest('hex')}`,
    fill: (writer) => storeBodies(writer, bodies, attributes),
  }
}
