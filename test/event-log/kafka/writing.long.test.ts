import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashKey } from '../../../services/event-log/kafka/writer/record-batch.ts'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { until } from '../../support/wait.ts'
import { createStore, readerOptions } from '../contract.ts'
import { toRecord } from '../records.ts'
import { logger, topicSettings } from './kafka.ts'

const broker = await findBroker()

describe.skipIf(broker === undefined)('writing to Kafka', () => {
  const records = (label: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...toRecord(`${label} ${index}`),
      key: `${label} key ${index % 40}`,
    }))

  test('a topic that is given more partitions while a writer is open gets every record, by the new number', async () => {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    const kafka = createKafka(settings, logger)
    await ensureTopic(kafka, { ...topicSettings(settings.topic), partitions: 2 })
    const writer = await openKafkaLogWriter({ settings, logger })
    await Promise.all(records('before', 80).map((record) => writer.append(record)))
    const admin = kafka.admin()
    await admin.connect()
    await admin.createPartitions({ topicPartitions: [{ topic: settings.topic, count: 5 }] })
    // The writer asks for them again within seconds.
    let probes = 0
    await until(async () => {
      await writer.append(toRecord(`probe ${probes++}`, `probe ${probes}`))
      const offsets = await admin.fetchTopicOffsets(settings.topic).catch(() => [])
      return offsets.some(({ partition, high }) => partition >= 2 && Number(high) > 0)
    })
    await admin.disconnect()
    await Promise.all(records('after', 80).map((record) => writer.append(record)))
    await writer.close()

    const partitions = new Map<string, number>()
    const store = createStore(({ partition, records: read }) => {
      for (const { key } of read) if (!key.startsWith('probe')) partitions.set(key, partition)
    })
    const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 6_000 })
    reader.start(store.handler, readerOptions, () => {})
    await until(
      () => store.records.length,
      (count) => count >= 160 + probes,
    )
    await reader.close()
    for (const [key, partition] of partitions) {
      expect(partition).toBe(hashKey(Buffer.from(key)) % (key.startsWith('before') ? 2 : 5))
    }
  })

  test('a writer that was opened before its topic was made takes records once it is there', async () => {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 60_000 })
    const appended = Promise.all(records('early', 20).map((record) => writer.append(record)))
    await ensureTopic(createKafka(settings, logger), topicSettings(settings.topic))
    await appended
    await writer.close()
  })
})

describe.skipIf(broker === undefined)('a record that is too large for the topic', () => {
  test('is refused for good, alone, and its neighbours are taken', async () => {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    const topic = { ...topicSettings(settings.topic), partitions: 1, maxBodyBytes: 20_000 }
    const kafka = createKafka(settings, logger)
    await ensureTopic(kafka, topic)
    const writer = await openKafkaLogWriter({ settings, logger })
    // Above and below the size that is sent alone: the topic takes 20,000 and the overhead.
    const records = Array.from({ length: 40 }, (_, index) => toRecord(`small ${index}`, 'one key'))
    const large = [randomBytes(300_000), randomBytes(100_000), randomBytes(95_000)].map((body) =>
      toRecord(body, 'one key'),
    )
    const all = [...records.slice(0, 20), ...large, ...records.slice(20)]
    const outcomes = await Promise.allSettled(all.map((record) => writer.append(record)))
    const refused = all.filter((_, index) => outcomes[index]?.status === 'rejected')
    expect(refused).toEqual(large)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'LOG_TOO_LARGE' })
    }
    const store = createStore()
    const reader = openKafkaLogReader({ settings, logger })
    reader.start(store.handler, readerOptions, () => {})
    await until(
      () => store.records.length,
      (count) => count >= 40,
    )
    expect(store.ids()).toEqual(records.map(({ eventId }) => eventId))
    await reader.close()
    await writer.close()
  })
})
