import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { hashKey } from '../../../services/event-log/kafka/writer/record-batch.ts'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka, type KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { createStore, readerOptions } from '../contract.ts'
import { logger, topicSettings } from './kafka.ts'
import { toRecord } from '../records.ts'
import { until } from '../../support/wait.ts'

const broker = await findBroker()

describe.skipIf(broker === undefined)('reading from Kafka', () => {
  async function openTopic(partitions = 1): Promise<KafkaSettings> {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    await ensureTopic(createKafka(settings, logger), { ...topicSettings(settings.topic), partitions })
    return settings
  }

  async function write(settings: KafkaSettings, bodies: readonly string[]) {
    const writer = await openKafkaLogWriter({ settings, logger })
    await Promise.all(bodies.map((body) => writer.append(toRecord(body))))
    await writer.close()
  }

  function read(settings: KafkaSettings, store = createStore()) {
    const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 6_000 })
    const errors: unknown[] = []
    reader.start(store.handler, readerOptions, (error) => errors.push(error))
    return { reader, store, errors }
  }

  async function removeBefore(settings: KafkaSettings, offset: number) {
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    // The client looks the leaders up in earlier answers.
    await admin.fetchTopicOffsets(settings.topic)
    await admin.deleteTopicRecords({
      topic: settings.topic,
      partitions: [{ partition: 0, offset: String(offset) }],
    })
    await admin.disconnect()
  }

  const texts = (count: number, label = 'record') =>
    Array.from({ length: count }, (_, index) => `${label} ${index}`)

  test('partitions that a topic gains are read within seconds, and first the handler is told', async () => {
    const settings = await openTopic(1)
    await write(settings, texts(20))
    const store = createStore()
    const counts: number[] = []
    const handler = {
      ...store.handler,
      counted(partitions: number) {
        counts.push(partitions)
        return Promise.resolve()
      },
    }
    const { reader } = read(settings, { ...store, handler })
    await until(() => store.caughtUp.length > 0)
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    await admin.createPartitions({ topicPartitions: [{ topic: settings.topic, count: 4 }] })
    await admin.disconnect()
    // A new writer knows all partitions at once.
    const addedAt = Date.now()
    await write(settings, texts(40, 'later'))
    // A broker that does not lead a new partition yet refuses its part of a send, and the writer repeats all of it.
    await until(
      () => new Set(store.records.map(({ body }) => Buffer.from(body).toString())).size,
      (stored) => stored === 60,
    )
    expect([...new Set(counts)]).toEqual([1, 4])
    await until(() => reader.assigned().length === 4)
    await until(
      () =>
        new Set(store.caughtUp.filter(({ asOf }) => asOf > addedAt).map(({ partition }) => partition))
          .size === 4,
    )
    await reader.close()
  })

  test('a reader that is closed while it joins its group leaves it, so that others get its partitions', async () => {
    const settings = await openTopic()
    for (const afterMs of [0, 20, 40, 80, 120, 160, 200, 250]) {
      const { reader } = read(settings)
      await pause(afterMs)
      await reader.close()
    }
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    await until(async () => {
      const { groups } = await admin.describeGroups([settings.groupId])
      return groups.every(({ members }) => members.length === 0)
    })
    await admin.disconnect()
  })

  test('a committed offset of the group changes nothing: the store decides', async () => {
    const settings = await openTopic()
    await write(settings, texts(50))
    const admin = createKafka(settings, logger).admin()
    await admin.connect()
    const { groupId, topic } = settings
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '30' }] })
    const { reader, store } = read(settings)
    await until(() => store.records.length === 50)
    expect(store.records.map(({ offset }) => offset)).toEqual(Array.from({ length: 50 }, (_, index) => index))
    await reader.close()
    // And tools see how far it has come.
    const committed = await admin.fetchOffsets({ groupId, topics: [topic] })
    expect(committed[0]?.partitions).toMatchObject([{ partition: 0, offset: '50' }])
    await admin.disconnect()
  })

  test.each([
    [0, 'the store is new'],
    [20, 'the store has read some of them'],
  ])(
    'records that were removed are passed over from %i on, so that the ledger sees what is missing: %s',
    async (stored) => {
      const settings = await openTopic()
      await write(settings, texts(100))
      await removeBefore(settings, 60)
      const store = createStore()
      if (stored > 0) store.positions.set(0, stored)
      const { reader } = read(settings, store)
      await until(() => store.records.length === 40)
      expect(store.batches[0]).toMatchObject({
        from: 60,
        records: expect.toSatisfy(([{ offset }]) => offset === 60),
      })
      await reader.close()
    },
  )

  test('records that were removed while a batch is under way are passed over', async () => {
    const settings = await openTopic()
    await write(settings, texts(100))
    const stored = Promise.withResolvers<void>()
    const { reader, store } = read(
      settings,
      createStore(() => stored.promise),
    )
    await until(() => store.batches.length === 1)
    const first = store.batches[0]?.records.length as number
    await write(settings, texts(100, 'later'))
    await removeBefore(settings, 150)
    stored.resolve()
    await until(() => store.records.length === first + 50)
    expect(store.batches.at(1)?.from).toBe(150)
    await reader.close()
  })

  test('a topic that has lost its end is not read on, and the error names the way out', async () => {
    const settings = await openTopic()
    await write(settings, texts(10))
    const store = createStore()
    store.positions.set(0, 1_000)
    const { reader, errors } = read(settings, store)
    await until(() => errors.length > 0)
    expect(errors[0]).toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('rollcall log adopt'),
    })
    expect(store.records).toEqual([])
    await reader.close()
  })

  test('caught up and lag are told of every partition, also of those without a record', async () => {
    const settings = await openTopic(4)
    const { reader, store } = read(settings)
    await until(() => new Set(store.caughtUp.map(({ partition }) => partition)).size === 4)
    expect(new Set(reader.assigned())).toEqual(new Set([0, 1, 2, 3]))
    expect(await reader.lag()).toHaveLength(4)
    expect(store.caughtUp.every(({ nextOffset }) => nextOffset === 0)).toBe(true)
    await reader.close()
    expect(reader.assigned()).toEqual([])
  })

  test('one partition that cannot be stored does not hold up the others', async () => {
    const settings = await openTopic(3)
    const records = texts(600).map((body) => toRecord(body))
    const ofOthers = (part: typeof records) =>
      part.filter(({ key }) => hashKey(Buffer.from(key)) % 3 !== 1).length
    const writer = await openKafkaLogWriter({ settings, logger })
    await Promise.all(records.slice(0, 300).map((record) => writer.append(record)))
    const store = createStore(({ partition }) => {
      if (partition === 1) throw new Error('this one not')
    })
    const { reader, errors } = read(settings, store)
    await until(() => errors.length >= 3 && store.records.length === ofOthers(records.slice(0, 300)))
    await Promise.all(records.slice(300).map((record) => writer.append(record)))
    await until(() => store.records.length === ofOthers(records))
    await writer.close()
    expect(store.positions.has(1)).toBe(false)
    await reader.close()
  })
})
