/** The only broker is killed, and stopped, under load: ingest acknowledges on, and nothing acknowledged is lost or doubled. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeliveries } from '../distributed/deliveries.ts'
import type { Child } from '../support/processes/child.ts'
import { openTestClickHouse, type TestClickHouse } from '../support/store/clickhouse-server.ts'
import { createDistributed, type Distributed } from '../support/processes/distributed.ts'
import { canOpenOwnBroker, openOwnBroker, type OwnBroker } from '../support/kafka/broker.ts'
import { startLoad } from '../support/network/load.ts'
import { readMetric } from '../support/processes/metric.ts'
import { giveUpAfterMs, until } from '../support/wait.ts'

const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())
const deliveriesAway = Number(process.env.ROLLCALL_FAULT_DELIVERIES ?? '600')

/** More wait the longer the broker is away. */
const backlogLimitMs = giveUpAfterMs + deliveriesAway * 40

describe.skipIf(!canOpenOwnBroker())('a broker that goes away under load', () => {
  let directory: string
  let broker: OwnBroker
  let clickhouse: TestClickHouse
  let distributed: Distributed
  let ingest: Child
  let consumer: Child
  const acknowledged = new Set<string>()

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rollcall-broker-'))
    broker = await openOwnBroker()
    clickhouse = await openTestClickHouse()
    distributed = await createDistributed({ directory, brokers: broker.brokers, clickhouse })
    ingest = await distributed.startIngest()
    consumer = await distributed.startConsumer()
  })
  afterAll(async () => {
    await distributed?.killAll()
    await clickhouse?.stop()
    await broker?.dispose()
    await rm(directory, { recursive: true, force: true })
  })

  /** How long it took. */
  const untilZero = async (child: Child, name: string) => {
    const startedAt = Date.now()
    const describe = () => `${name}\n${child.output()}`
    await until(
      () => readMetric(child, name),
      (value) => value === 0,
      { describe, giveUpAfterMs: backlogLimitMs },
    )
    return Date.now() - startedAt
  }

  test('costs no acknowledgement: what the log cannot take is spooled, handed on, and stored once', async () => {
    console.log(
      `seed ${seed} (ROLLCALL_FAULT_SEED), away for ${deliveriesAway} deliveries each time (ROLLCALL_FAULT_DELIVERIES)`,
    )
    const deliveries = createDeliveries(seed, { assignments: 20_000, people: 1_000 })
    const load = startLoad(distributed.ingestUrl, 4, () => deliveries.next(), acknowledged, 15)
    for (const end of ['kill', 'stop'] as const) {
      const earlier = acknowledged.size
      await until(() => acknowledged.size > earlier + 100)
      await broker[end]()
      const before = acknowledged.size
      await until(() => acknowledged.size > before + deliveriesAway)
      const during = acknowledged.size - before
      expect((await fetch(`${ingest.adminUrl}/health/ready`)).status).toBe(200)
      const spooled = await readMetric(ingest, 'rollcall_spool_records')
      expect(spooled).toBeGreaterThan(0)
      await broker.startAgain()
      const usedAgainMs = await untilZero(ingest, 'rollcall_spool_active')
      const emptyMs = await untilZero(ingest, 'rollcall_spool_records')
      console.log(
        `${end}: ${during} acknowledged while it was away, ${spooled} in the spool; back in use after ${usedAgainMs} ms, ` +
          `spool empty ${emptyMs} ms later`,
      )
    }
    await load.stop()
    expect(await ingest.stop(), ingest.output()).toBe(0)

    const client = createClient(clickhouse)
    const read = async <Row>(query: string) => (await client.query({ query, format: 'JSONEachRow' })).json<Row>()
    const findMissing = async () => {
      const rows = await read<{ event_id: string; n: number }>(
        'SELECT event_id, toUInt32(count()) AS n FROM rollcall.events GROUP BY event_id',
      )
      const stored = new Map(rows.map((row) => [row.event_id, row.n]))
      return [...acknowledged].filter((receipt) => stored.get(receipt) !== 1)
    }
    const stoppedAt = Date.now()
    const readLedger = async () => {
      const [sums] = await read<{ acknowledged: number; duplicate: number; difference: number }>(
        'SELECT toUInt32(sum(acknowledged)) AS acknowledged, toUInt32(sum(duplicate)) AS duplicate, toInt32(sum(difference)) AS difference FROM rollcall.ledger',
      )
      return sums
    }
    // Not by the ledger: it counts receipts as soon as ingest has reported them.
    const missing = await until(findMissing, (receipts) => receipts.length === 0, {
      describe: consumer.output,
      giveUpAfterMs: backlogLimitMs,
    })
    console.log(`${acknowledged.size} acknowledged in all; all stored ${Date.now() - stoppedAt} ms after the last`)
    expect(missing).toEqual([])

    // Those that could not be used are in it as well, and are no receipts.
    await untilZero(consumer, 'rollcall_consumer_lag_records')
    const ledger = await readLedger()
    console.log(`${ledger?.duplicate} of them came twice`)
    expect(ledger?.difference).toBe(0)
    expect(ledger?.acknowledged).toBeGreaterThanOrEqual(acknowledged.size)
    expect(await read('SELECT akey FROM rollcall.open_versions GROUP BY akey HAVING sum(sign) != 1')).toEqual([])
    await client.close()
    expect(await consumer.stop(), consumer.output()).toBe(0)
  })
})
