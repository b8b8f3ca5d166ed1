/** The base of tests of the consumer's faults: a topic filled directly, a ClickHouse, and the question of what is stored. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type ClickHouseClient } from '@clickhouse/client'
import type { LogRecord } from '../../services/event-log/event-log.ts'
import { createKafka } from '../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../services/event-log/kafka/writer/writer.ts'
import { createLogger } from '../../services/runtime/logger.ts'
import { openTestClickHouse } from '../support/store/clickhouse-server.ts'
import { createDistributed, type Distributed } from '../support/processes/distributed.ts'
import { toSettings, type Broker } from '../support/kafka/broker.ts'
import { createDeliveries, toLogRecord } from './deliveries.ts'
import { until } from '../support/wait.ts'
import { readExpectedTables, readTables } from './tables.ts'

export type Harness = Distributed & {
  /** The address of ClickHouse itself, without anything in between. */
  clickhouseUrl: string
  client: ClickHouseClient
  /** Everything that is in the log. */
  sent: LogRecord[]
  /** Appends so many deliveries to the log. */
  send(count: number): Promise<void>
  /** Appends about so many a second until it is stopped. */
  sendSteadily(perSecond: number): { stop(): Promise<void> }
  /** Waits until the positions in the store add up to `end`. Default: the number of sent records. */
  untilStored(end?: number): Promise<void>
  /** The number of records in the log. It exceeds `sent` if ingest appended a record twice. */
  readLogEnd(): Promise<number>
  /** Both sides of the comparison that proves it: the content of the store, and the tables that follow from all that was sent. */
  compare(): Promise<{
    stored: Awaited<ReturnType<typeof readTables>>
    expected: Awaited<ReturnType<typeof readTables>>
  }>
  /** Sums of the ledger. */
  ledger(): Promise<{ given: number; difference: number }>
  dispose(): Promise<void>
}

/** For tests that wait for the end of no session: no partition changes hands for want of a processor. */
export const noSessionEnds = { KAFKA_SESSION_TIMEOUT_MS: '60000' }

export async function openHarness(
  broker: Broker,
  seed: string,
  env: Record<string, string> = {},
): Promise<Harness> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-faults-'))
  const clickhouse = await openTestClickHouse({ isMigrated: true })
  const { brokers } = broker
  const distributed = await createDistributed({
    directory,
    brokers,
    clickhouse,
    env: { KAFKA_SESSION_TIMEOUT_MS: '1000', ...env },
  })
  const settings = { ...toSettings(broker), topic: distributed.topic, groupId: distributed.topic }
  const logger = createLogger({ part: 'test', level: 'silent' })
  const kafka = createKafka(settings, logger)
  // As `createDistributed` has it.
  const topicSettings = {
    partitions: 3,
    replicationFactor: 1,
    minInsyncReplicas: 1,
    retentionMs: 7 * 86_400_000,
  }
  await ensureTopic(kafka, { topic: distributed.topic, maxBodyBytes: 1_048_576, ...topicSettings })
  const writer = await openKafkaLogWriter({ settings, logger })
  // Of a busy machine, a kept connection may be closed when it is used.
  const client = createClient({ ...clickhouse, keep_alive: { enabled: false } })
  const deliveries = createDeliveries(seed)
  const sent: LogRecord[] = []

  async function send(count: number): Promise<void> {
    const records = Array.from({ length: count }, () => toLogRecord(deliveries.next()))
    await Promise.all(records.map((record) => writer.append(record)))
    sent.push(...records)
  }

  let expected: { length: number; tables: ReturnType<typeof readExpectedTables> } | undefined

  async function countStored(): Promise<number> {
    const query =
      'SELECT toUInt32(sum(next)) AS n FROM (SELECT max(next_offset) AS next FROM rollcall.log_positions GROUP BY log_partition)'
    try {
      const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ n: number }>()
      return row?.n ?? 0
    } catch {
      return 0
    }
  }

  return {
    ...distributed,
    clickhouseUrl: clickhouse.url,
    client,
    sent,
    send,
    sendSteadily(perSecond) {
      let isGoing = true
      // `stop` reports its errors: a test that failed before has another to show.
      let failure: unknown
      const going = (async () => {
        while (isGoing) {
          await send(Math.ceil(perSecond / 10))
          await sleep(100)
        }
      })().catch((error: unknown) => (failure = error))
      return {
        async stop() {
          isGoing = false
          await going
          if (failure !== undefined) throw failure
        },
      }
    },
    async untilStored(end = sent.length) {
      // Offsets have no gaps here.
      await until(countStored, (stored) => stored >= end)
    },
    async readLogEnd() {
      const admin = kafka.admin()
      await admin.connect()
      const partitions = await admin.fetchTopicOffsets(distributed.topic)
      await admin.disconnect()
      return partitions.reduce((sum, { high }) => sum + Number(high), 0)
    },
    async compare() {
      // Storing all of it again is most of a comparison, and some ask again and again.
      if (expected?.length !== sent.length)
        expected = { length: sent.length, tables: readExpectedTables(sent) }
      return { stored: await readTables(client), expected: await expected.tables }
    },
    async ledger() {
      const query =
        // Deliveries that wait by the last report of a consumer that is gone do not count.
        'SELECT toUInt32(given - waiting) AS given, toInt32(lost + difference) AS difference FROM rollcall.ledger_total'
      const [row] = await (
        await client.query({ query, format: 'JSONEachRow' })
      ).json<Awaited<ReturnType<Harness['ledger']>>>()
      return row ?? { given: 0, difference: 0 }
    },
    async dispose() {
      await distributed.killAll()
      await writer.close()
      await client.close()
      await clickhouse.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
