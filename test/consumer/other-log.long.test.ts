/** A topic that takes another's place, and transactions in it, under a consumer with a store and a real broker. */
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { select } from '../../services/cli/statements.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { adoptLog } from '../../services/consumer/store-log.ts'
import { openKafkaLogReader } from '../../services/event-log/kafka/reader/reader.ts'
import { createKafka, type KafkaSettings } from '../../services/event-log/kafka/settings.ts'
import { ensureTopic, readTopicId } from '../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../services/event-log/kafka/writer/writer.ts'
import { createDeliveries, toLogRecord } from '../distributed/deliveries.ts'
import { logger, topicSettings } from '../event-log/kafka/kafka.ts'
import { readerOptions } from '../event-log/contract.ts'
import { monday, toBody } from '../support/data/records.ts'
import { findBroker, toSettings } from '../support/kafka/broker.ts'
import { openTestStore } from '../support/store/store.ts'
import { until } from '../support/wait.ts'

const broker = await findBroker()
const store = await openTestStore()
afterAll(() => store.close())

describe.skipIf(broker === undefined)('a store and the topic that it reads', () => {
  let settings: KafkaSettings
  beforeEach(async () => {
    await store.clear()
    settings = toSettings(broker!)
    await create(2)
  })

  async function create(partitions: number) {
    await ensureTopic(createKafka(settings, logger), { ...topicSettings(settings.topic), partitions })
  }

  async function recreate() {
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    await admin.deleteTopics({ topics: [settings.topic] })
    await expect.poll(() => admin.listTopics()).not.toContain(settings.topic)
    await admin.disconnect()
    await create(2)
  }

  async function send(label: string, count: number) {
    const deliveries = createDeliveries(`${settings.topic} ${label}`)
    const writer = await openKafkaLogWriter({ settings, logger })
    const records = Array.from({ length: count }, () => toLogRecord(deliveries.next()))
    await Promise.all(records.map((record) => writer.append(record)))
    await writer.close()
    return records.map(({ eventId }) => eventId)
  }

  /** A consumer as a process of its own would be: it remembers nothing. */
  function start() {
    const errors: unknown[] = []
    const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 6_000 })
    const options = { ...readerOptions, minBatchIntervalMs: 300 }
    reader.start(createConsumer({ client: store.writer }), options, (error) => errors.push(error))
    let closing: Promise<void> | undefined
    const close = () => (closing ??= reader.close())
    onTestFinished(close)
    return { errors, reader, close }
  }

  async function readTotal() {
    const [total] = await store.rows<Record<string, string>>(
      'SELECT given, stored, repeated + failed AS others, lost, difference FROM rollcall.ledger_total',
    )
    return Object.fromEntries(Object.entries(total ?? {}).map(([name, value]) => [name, Number(value)]))
  }
  const untilGiven = (given: number) =>
    expect.poll(readTotal).toMatchObject({ given, lost: 0, difference: 0 })
  const readThrough = async () =>
    (await select<{ through: number }>(store.reader, 'complete-through'))[0]?.through ?? 0
  async function untilComplete() {
    const from = Date.now()
    await until(readThrough, (through) => through > from)
  }

  test('is read on by another consumer where the first one stopped', async () => {
    await send('first', 60)
    const first = start()
    await untilGiven(60)
    await first.close()
    await send('more', 20)
    const second = start()
    await untilGiven(80)
    await untilComplete()
    expect([...first.errors, ...second.errors]).toEqual([])
  })

  test.each(['while the consumer is away', 'under the consumer'])(
    'that was recreated %s is refused, and read from its first record once it is adopted',
    async (when) => {
      const sent = await send('first', 60)
      const first = start()
      await untilGiven(60)
      if (when === 'while the consumer is away') await first.close()
      await recreate()
      // Further than the store has read.
      sent.push(...(await send('second', 200)))
      const second = when === 'under the consumer' ? first : start()
      await until(() => second.errors.find((error) => (error as Error).name === 'StartError'))
      const refusals = second.errors.filter((error) => (error as Error).name === 'StartError')
      expect(String(refusals[0])).toContain('rollcall log adopt')
      await second.close()

      await adoptLog(store.writer, await readTopicId(createKafka(settings, logger), settings))
      const before = await readTotal()
      const third = start()
      await expect
        .poll(readTotal)
        .toMatchObject({ given: Number(before['given']) + 200, lost: 0, difference: 0 })
      await untilComplete()
      expect(third.errors).toEqual([])
      const stored = await store.rows<{ event_id: string }>(
        'SELECT event_id FROM rollcall.events UNION ALL SELECT event_id FROM rollcall.failed_events',
      )
      expect(stored.map(({ event_id: id }) => id).toSorted()).toEqual([...new Set(sent)].toSorted())
    },
  )

  test('counts no marks and aborted records of transactions, and is complete while its end holds only such', async () => {
    const producer = createKafka(settings, logger).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      transactionalId: settings.topic,
    })
    await producer.connect()
    async function transact(label: string, end: 'commit' | 'abort') {
      const transaction = await producer.transaction()
      const value = Buffer.from(toBody('Created', label, monday))
      await transaction.send({ topic: settings.topic, messages: [{ key: label, value, partition: 0 }] })
      await transaction[end]()
    }
    const consumer = start()
    await transact('a', 'commit')
    await untilGiven(1)
    await transact('b', 'abort')
    await untilComplete()
    expect(await readTotal()).toEqual({ given: 1, stored: 1, others: 0, lost: 0, difference: 0 })
    expect((await consumer.reader.lag()).map(({ records }) => records)).toEqual([0, 0])

    await transact('c', 'abort')
    await transact('d', 'commit')
    await producer.disconnect()
    await untilGiven(2)
    await untilComplete()
    await consumer.close()
    // By the store's position, as a command line counts what waits: two records and four marks, and two that were aborted.
    const positions = await select<{ partition: number; next: number }>(store.reader, 'positions-in-log')
    expect(positions.find(({ partition }) => partition === 0)?.next).toBe(8)
    expect(consumer.errors).toEqual([])
    const again = start()
    await untilComplete()
    expect(await readTotal()).toEqual({ given: 2, stored: 2, others: 0, lost: 0, difference: 0 })
    expect(again.errors).toEqual([])
  })
})
