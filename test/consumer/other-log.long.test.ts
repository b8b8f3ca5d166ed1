/** A topic that takes another's place under a store that has read that one: whatever its offsets, everything in it is stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { withGenerations } from '../../services/consumer/generations.ts'
import { select } from '../../services/cli/statements.ts'
import type { BatchHandler, LogRecord } from '../../services/event-log/event-log.ts'
import { openKafkaLogReader } from '../../services/event-log/kafka/reader/reader.ts'
import type { LogGap } from '../../services/event-log/kafka/reader/lease.ts'
import { createKafka, type KafkaSettings } from '../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../services/event-log/kafka/writer/writer.ts'
import { createDeliveries, toLogRecord } from '../distributed/deliveries.ts'
import { logger, topicSettings } from '../event-log/kafka/kafka.ts'
import { readerOptions } from '../event-log/contract.ts'
import { findBroker, toSettings } from '../support/kafka/broker.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

const broker = await findBroker()
const partitions = 2

describe.skipIf(broker === undefined)('a store and a topic that it has not read', () => {
  let store: TestStore
  let settings: KafkaSettings
  let sent: LogRecord[]
  let deliveries: ReturnType<typeof createDeliveries>
  beforeAll(async () => {
    store = await openTestStore()
  })
  afterAll(() => store?.close())
  beforeEach(async () => {
    await store.clear()
    settings = toSettings(broker!)
    deliveries = createDeliveries(settings.topic)
    sent = []
    await create(settings)
  })

  async function create({ topic }: KafkaSettings) {
    await ensureTopic(createKafka(settings, logger), { ...topicSettings(topic), partitions })
  }

  async function recreate() {
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    await admin.deleteTopics({ topics: [settings.topic] })
    await expect.poll(() => admin.listTopics()).not.toContain(settings.topic)
    await admin.disconnect()
    await create(settings)
    // None that the store has already: one of those in the wrong place would not tell the topics apart.
    deliveries = createDeliveries(`${settings.topic} anew`)
  }

  async function send(count: number) {
    const writer = await openKafkaLogWriter({ settings, logger })
    const records = Array.from({ length: count }, () => toLogRecord(deliveries.next()))
    await Promise.all(records.map((record) => writer.append(record)))
    await writer.close()
    sent.push(...records)
  }

  /** A consumer as a process of its own would be: it remembers nothing. `change` is what its store does wrong. */
  function start(change: (handler: BatchHandler) => Partial<BatchHandler> = () => ({})) {
    const gaps: LogGap[] = []
    const errors: unknown[] = []
    const { client, log } = { client: store.writer, log: `kafka:${settings.topic}` }
    const handler = withGenerations(createConsumer({ client }), { client, log })
    const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 6_000, onGap: (gap) => gaps.push(gap) })
    const options = { ...readerOptions, minBatchIntervalMs: 300 }
    reader.start({ ...handler, ...change(handler) }, options, (error) => errors.push(error))
    return { gaps, errors, close: () => reader.close() }
  }

  async function countMissing() {
    const rows = await store.rows<{ event_id: string }>(
      'SELECT event_id FROM rollcall.events UNION ALL SELECT event_id FROM rollcall.failed_events',
    )
    const stored = new Set(rows.map((row) => row.event_id))
    return sent.filter(({ eventId }) => !stored.has(eventId)).length
  }

  const readLedger = async () =>
    (
      await store.rows(
        'SELECT toUInt32(given) AS acknowledged, toInt32(lost + difference) AS difference FROM rollcall.ledger_total',
      )
    )[0]

  /** Positions come last: records of the ledger are stored. */
  const untilAcknowledged = (acknowledged: number) => expect.poll(readLedger).toEqual({ acknowledged, difference: 0 })

  async function readAll(acknowledged: number) {
    const consumer = start()
    await untilAcknowledged(acknowledged)
    await consumer.close()
    return consumer
  }

  test('a start on the same topic reads nothing again and reports nothing', async () => {
    await send(120)
    await readAll(120)
    const idle = start()
    const through = async () => (await select<{ through: number }>(store.reader, 'complete-through'))[0]?.through
    const before = Date.now()
    await expect.poll(through).toBeGreaterThan(before)
    await send(30)
    await untilAcknowledged(150)
    await idle.close()
    expect(idle.gaps).toEqual([])
    expect(await store.rows('SELECT generation FROM rollcall.logs')).toEqual([{ generation: 0 }])
    expect(await countMissing()).toBe(0)
  })

  test('recreated and shorter, then grown after a stop right at its detection: nothing is skipped', async () => {
    await send(120)
    await readAll(120)
    await recreate()
    await send(20)
    const stopped = start(() => ({ handle: () => Promise.reject(new Error('the store is away')) }))
    await expect.poll(() => stopped.errors.length).toBeGreaterThan(0)
    await stopped.close()
    expect(stopped.gaps[0]).toMatchObject({ reason: 'other_log' })
    await send(200)
    const after = await readAll(340)
    expect(after.gaps).toEqual([])
    expect(await countMissing()).toBe(0)
    await send(10)
    await readAll(350)
    expect(await countMissing()).toBe(0)
  })

  test('recreated and already longer than before: is detected because the stored record differs', async () => {
    await send(120)
    await readAll(120)
    await recreate()
    await send(300)
    const consumer = await readAll(420)
    expect(consumer.gaps[0]).toMatchObject({ reason: 'other_log' })
    expect(await countMissing()).toBe(0)
  })

  test('recreated under a running consumer: nothing of the new topic is skipped', async () => {
    await send(120)
    const consumer = start()
    await untilAcknowledged(120)
    await recreate()
    await send(300)
    await expect.poll(countMissing).toBe(0)
    await consumer.close()
    expect(consumer.gaps[0]).toMatchObject({ reason: 'other_log' })
    // A partition that was not noticed yet may have gone on meanwhile; then some are repeats.
    expect(await readLedger()).toMatchObject({ difference: 0 })
  })

  test('detected in one partition: the others are read from their start too, by every member of the group', async () => {
    await send(120)
    await readAll(120)
    await recreate()
    await send(20)
    const consumers = [start(), start()]
    await untilAcknowledged(140)
    await send(300)
    await untilAcknowledged(440)
    for (const consumer of consumers) await consumer.close()
    expect(await countMissing()).toBe(0)
    // Whichever of them noticed, it began once for both.
    expect(await store.rows('SELECT DISTINCT generation FROM rollcall.logs ORDER BY generation')).toEqual([
      { generation: 0 },
      { generation: 1 },
    ])
  })

  test('another topic name, with more records than before: is read from its start, and complete_through advances', async () => {
    await send(120)
    await readAll(120)
    settings = { ...settings, topic: `${settings.topic}-next` }
    await create(settings)
    await send(300)
    const consumer = await readAll(420)
    expect(consumer.gaps).toEqual([])
    expect(await countMissing()).toBe(0)
    const now = Date.now()
    const idle = start()
    const through = async () => (await select<{ through: number }>(store.reader, 'complete-through'))[0]?.through
    await expect.poll(through).toBeGreaterThan(now)
    await idle.close()
  })
})
