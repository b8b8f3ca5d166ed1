/** A generated history on the ways by which it really comes: deliveries through the consumer, pulled users beside it. */
import type { ClickHouseClient } from '@clickhouse/client'
import { storeSettings } from '../../../services/clickhouse/stored-settings.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { prepareRecord } from '../../../services/consumer/rows.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import { storePulledPeople, type PulledPerson } from '../../../services/consumer/store/store-pulled-people.ts'
import type { History } from '../../model/arbitrary/history.ts'
import { allowedAttributes } from '../../model/reading/people.ts'
import type { PulledUser } from '../../model/scope.ts'
import { toBatch, toRecord } from './records.ts'

/** Deliveries in batches; after each batch some of the pulled users, by a second writer that remembers for itself. */
export async function loadHistory(
  client: ClickHouseClient,
  { deliveries, pulledUsers }: History,
  batchSize: number,
): Promise<void> {
  const attributes = allowedAttributes
  await storeSettings(client, { user_attributes: attributes.join(',') })
  const consumer = createConsumer({ client, people: createPeople(client, { attributes }) })
  const pulling = createPeople(client, { attributes })
  let offset = await consumer.resumeFrom(0)
  const pulled = pulledUsers.flatMap((user) => toPulledPerson(user) ?? [])
  const batches = Math.max(1, Math.ceil(deliveries.length / batchSize))
  const pulledPerBatch = Math.ceil(pulled.length / batches)
  for (let batch = 0; batch < batches; batch++) {
    const bodies = deliveries
      .slice(batch * batchSize, (batch + 1) * batchSize)
      .map(({ body }) => Buffer.from(body))
    await consumer.handle(toBatch(bodies.map((body) => toRecord(body, offset++))))
    await storePulledPeople(
      client,
      pulling,
      pulled.slice(batch * pulledPerBatch, (batch + 1) * pulledPerBatch),
    )
  }
}

/** By the same reading that events have: a pulled user of this test is the user object of one. */
function toPulledPerson({ observedAt, user }: PulledUser): PulledPerson | undefined {
  const body = Buffer.from(JSON.stringify({ eventType: 'userCreated', timestamp: observedAt, user }))
  const prepared = prepareRecord(toRecord(body, 0), 0, undefined, allowedAttributes)
  if (prepared.outcome !== 'event' || prepared.observation === undefined) return undefined
  const { kind: _kind, observationId: _id, teams, attributes, ...person } = prepared.observation
  return {
    ...person,
    teams: teams?.map((id) => ({ id, name: undefined })),
    attributes:
      attributes === undefined
        ? undefined
        : Object.entries(JSON.parse(attributes)).map(([apiName, value]) => ({
            apiName,
            value: String(value),
          })),
  }
}
