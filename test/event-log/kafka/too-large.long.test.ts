import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
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
    expect(writer.health()).toEqual({ ok: true })
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
