/** One delivery that the store refuses, sent to the running product among others. The same in both ways to run. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { describe, expect, test } from 'vitest'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { createDistributed } from '../support/processes/distributed.ts'
import { startEmbedded } from '../support/processes/embedded.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { monday, toBody } from '../support/data/records.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { until } from '../support/wait.ts'

/** The engine refuses this name from now on. */
const refusal = `ALTER TABLE rollcall.user_observations ADD CONSTRAINT nobody CHECK name != 'Refused Person'`

type Sent = { ingestUrl: string; dashboardUrl: string; output(): string }

async function sendAndExpect(product: Sent): Promise<void> {
  const send = async (id: string, name: string) => {
    const answer = await fetch(product.ingestUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: toBody('Created', id, monday, {}, { id, name }),
    })
    expect(answer.status).toBe(200)
  }
  await send('before', 'Ada Moreno')
  await send('culprit', 'Refused Person')
  await send('behind', 'Bo Lind')
  const sentBy = Date.now()
  const readMetrics = async () => {
    const answer = await fetch(`${product.dashboardUrl}/api/metrics`)
    return (await answer.json()) as { complete_through: string | null; metrics: { assigned: { value: number } } }
  }
  // The position of a partition that nobody has read yet holds nothing up.
  await until(
    () => product.output(),
    (output) => output.includes('The store refuses a delivery'),
  )
  const { metrics } = await until(
    readMetrics,
    ({ complete_through }) => complete_through !== null && Date.parse(complete_through) >= sentBy,
  )
  expect(metrics.assigned.value).toBe(2)
}

const refused = 'SELECT reasons, problems, body_bytes > 500 AS has_body FROM rollcall.failed_events'
const expected = {
  reasons: ['not_storable'],
  problems: [expect.stringContaining('VIOLATED_CONSTRAINT (writing to rollcall.user_observations)') as string],
}

const broker = await findBroker()

describe('a delivery that the store refuses', () => {
  test('is set aside by the one process, which says so without a name', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rollcall-refused-'))
    const store = join(directory, 'clickhouse')
    copyStoreTemplate(store)
    const prepared = await openEmbeddedClickHouse({ directory: store })
    await prepared.writer.command({ query: refusal })
    await prepared.close()

    const embedded = await startEmbedded(directory)
    await sendAndExpect(embedded)
    expect(await embedded.stop()).toBe(0)
    expect(embedded.output()).toContain('VIOLATED_CONSTRAINT (writing to rollcall.user_observations)')
    expect(embedded.output()).not.toContain('Refused Person')

    const read = await openEmbeddedClickHouse({ directory: store })
    const rows = await (await read.reader.query({ query: refused, format: 'JSONEachRow' })).json()
    expect(rows).toMatchObject([expected])
    await read.close()
    await rm(directory, { recursive: true, force: true })
  })

  test.runIf(broker !== undefined)('is set aside by the consumer of Kafka, which says so without a name', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rollcall-refused-'))
    const clickhouse = await openTestClickHouse()
    const brokers = broker?.brokers ?? []
    const distributed = await createDistributed({ directory, brokers, clickhouse })
    const client = createClient(clickhouse)
    try {
      const [consumer, , dashboards] = await Promise.all([
        distributed.startConsumer(),
        distributed.startIngest(),
        distributed.startDashboards(),
      ])
      await client.command({ query: refusal })
      await sendAndExpect({ ingestUrl: distributed.ingestUrl, dashboardUrl: dashboards.url, output: consumer.output })
      expect(consumer.output()).toContain('VIOLATED_CONSTRAINT (writing to rollcall.user_observations)')
      expect(consumer.output()).not.toContain('Refused Person')
      const rows = await (await client.query({ query: refused, format: 'JSONEachRow' })).json()
      expect(rows).toMatchObject([expected])
    } finally {
      await client.close()
      await distributed.killAll()
      await clickhouse.stop()
      await rm(directory, { recursive: true, force: true })
    }
  })
})
