/** Run apart, with no room: the spool is full, its disk is full, the broker's disk is full. Acknowledged deliveries are stored once. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@clickhouse/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeliveries } from '../distributed/deliveries.ts'
import { canOpenOwnBroker, openOwnBroker } from '../support/kafka/broker.ts'
import { findJvmProblem } from '../support/kafka/jvm.ts'
import { createDistributed } from '../support/processes/distributed.ts'
import { readMetric } from '../support/processes/child.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { isComplete } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { deliver } from '../support/processes/embedded.ts'

type Answer = { status: number; retryAfter: string | null; receipt?: string }

/** `on`: where the spool is, and where the broker's data are. */
async function openProduct(
  env: Record<string, string>,
  on: { spool?: string; broker?: string | undefined } = {},
) {
  const directory = await mkdtemp(join(on.spool ?? tmpdir(), 'rollcall-full-'))
  const broker = await openOwnBroker({ parent: on.broker ?? tmpdir() })
  const clickhouse = await openTestClickHouse({ isMigrated: true })
  const distributed = await createDistributed({ directory, brokers: broker.brokers, clickhouse, env })
  const [ingest, consumer] = await Promise.all([distributed.startIngest(), distributed.startConsumer()])
  const client = createClient(clickhouse)
  const deliveries = createDeliveries('full disks', { assignments: 5_000, people: 200 })
  const acknowledged = new Set<string>()
  const read = async <Row>(query: string) =>
    (await client.query({ query, format: 'JSONEachRow' })).json<Row>()

  async function send(paddingBytes = 0): Promise<Answer> {
    const text = Buffer.from(deliveries.next()).toString()
    const body = text.replace(/^\{/, () => `{"padding":"${'x'.repeat(paddingBytes)}",`)
    const response = await deliver(distributed.ingestUrl, body)
    const { receipt } = (await response.json()) as { receipt?: string }
    if (response.status === 200 && receipt !== undefined) acknowledged.add(receipt)
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }

  return {
    broker,
    ingest,
    consumer,
    acknowledged,
    send,
    /** Eight at a time until one of the answers is as wanted. */
    async sendUntil(isWanted: (answer: Answer) => boolean, paddingBytes = 0): Promise<Answer> {
      return until(
        async () => (await Promise.all(Array.from({ length: 8 }, () => send(paddingBytes)))).find(isWanted),
        (answer) => answer !== undefined,
        { describe: ingest.output },
      ) as Promise<Answer>
    },
    ready: async () => (await fetch(`${ingest.adminUrl}/health/ready`)).status,
    /** Every receipt, once; the ledger adds up; and what waited is gone. */
    async untilAllStored() {
      await until(
        () => readMetric(ingest, 'rollcall_spool_records'),
        (records) => records === 0,
        { describe: ingest.output },
      )
      await until(
        () => readMetric(consumer, 'rollcall_consumer_lag_records'),
        (records) => records === 0,
      )
      const findMissing = async () => {
        const rows = await read<{ event_id: string; n: number }>(
          'SELECT event_id, toUInt32(count()) AS n FROM rollcall.events GROUP BY event_id',
        )
        const stored = new Map(rows.map((row) => [row.event_id, row.n]))
        return [...acknowledged].filter((receipt) => stored.get(receipt) !== 1)
      }
      expect(
        await until(findMissing, (receipts) => receipts.length === 0, { describe: consumer.output }),
      ).toEqual([])
      const [ledger] = await read<{ difference: number }>(
        'SELECT toInt32(lost + difference) AS difference FROM rollcall.ledger_total',
      )
      expect(ledger?.difference).toBe(0)
    },
    async stop() {
      expect(await ingest.stop(), ingest.output()).toBe(0)
      expect(await consumer.stop(), consumer.output()).toBe(0)
    },
    async dispose() {
      await distributed.killAll()
      await client.close()
      await clickhouse.stop()
      await broker.dispose()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describe.skipIf(!canOpenOwnBroker())('without room', () => {
  const small = { SPOOL_MAX_BYTES: String(1024 ** 2) }
  let disk: SmallDisk | undefined
  let product: Awaited<ReturnType<typeof openProduct>>
  beforeAll(async () => {
    if (canMount) disk = mountSmallDisk('96m')
    product = await openProduct(small, { broker: disk?.directory })
  })
  afterAll(async () => {
    try {
      await product.stop()
    } finally {
      await product.dispose()
      disk?.remove()
    }
  })

  test('a full spool refuses with 503 and Retry-After, keeps what it has, and takes again when Kafka is back', async () => {
    await product.sendUntil(({ status }) => status === 200)
    await product.broker.kill()
    const refused = await product.sendUntil(({ status }) => status >= 500, 4_000)
    expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    const before = product.acknowledged.size
    expect(before).toBeGreaterThan(100)
    // It stays so, and says so.
    expect((await product.sendUntil(({ status }) => status >= 500, 4_000)).status).toBe(503)
    await until(product.ready, (status) => status === 503)
    await product.broker.startAgain()
    await until(product.ready, (status) => status === 200)
    await until(async () => {
      await product.sendUntil(({ status }) => status === 200)
      return (await readMetric(product.ingest, 'rollcall_spool_active')) === 0
    })
    await product.untilAllStored()
  })

  test.skipIf(!canMount || findJvmProblem() !== undefined)(
    'a full disk of the broker: the spool takes over, and nothing is lost',
    async () => {
      for (let times = 0; times < 20; times++) await product.send()
      disk?.fill(0)
      await until(
        async () => {
          await Promise.all(Array.from({ length: 8 }, () => product.send()))
          return (await readMetric(product.ingest, 'rollcall_spool_records')) ?? 0
        },
        (records) => records > 0,
        { describe: product.ingest.output },
      )
      const before = product.acknowledged.size
      for (let times = 0; times < 50; times++) expect((await product.send()).status).toBeLessThan(500)
      expect(product.acknowledged.size).toBeGreaterThan(before + 20)
      expect(await product.ready()).toBe(200)
      disk?.makeRoom()
      // A broker whose only directory failed ends; somebody starts it again.
      await product.broker.kill()
      await product.broker.startAgain()
      await product.untilAllStored()
    },
  )
})

// The spool alone is tried so in the other runs.
describe.skipIf(!canOpenOwnBroker() || !canMount)('on a disk of its own', () => {
  test.runIf(isComplete)(
    'a full disk under the spool costs no acknowledgement while Kafka is away',
    async () => {
      const disk = mountSmallDisk('96m')
      const product = await openProduct({}, { spool: disk.directory })
      try {
        await product.broker.kill()
        await product.sendUntil(({ status }) => status === 200)
        disk.fill(0)
        // The reserve is used up first.
        const refused = await product.sendUntil(({ status }) => status >= 500, 400_000)
        expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
        // First Kafka, then the room: the spool hands on without any.
        await product.broker.startAgain()
        await until(
          () => readMetric(product.ingest, 'rollcall_spool_records'),
          (records) => records === 0,
        )
        await product.sendUntil(({ status }) => status === 200)
        disk.makeRoom()
        await product.untilAllStored()
        await product.stop()
      } finally {
        await product.dispose()
        disk.remove()
      }
    },
  )
})
