import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogUnavailableError, LogWriter } from '../../../services/event-log/event-log.ts'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { canOpenOwnBroker, findBroker, openOwnBroker, toSettings, type OwnBroker } from '../../support/kafka-broker.ts'
import { createStore, readerOptions } from '../contract.ts'
import { logger, topicSettings } from './kafka.ts'
import { toRecord } from '../records.ts'
import { until } from '../../support/wait.ts'

const broker = await findBroker()

describe.skipIf(broker === undefined || !canOpenOwnBroker())('a Kafka broker that fails', () => {
  let own: OwnBroker

  beforeAll(async () => {
    own = await openOwnBroker()
  })
  afterAll(() => own?.dispose())

  async function openTopic() {
    const settings = toSettings(own)
    await ensureTopic(createKafka(settings, logger), topicSettings(settings.topic))
    return settings
  }

  /** Appends without end; knows what was acknowledged. */
  function load(writer: LogWriter, callers: number) {
    const acknowledged = new Set<string>()
    const refused: { code: string; afterMs: number }[] = []
    let isRunning = true
    const running = Array.from({ length: callers }, async (_, caller) => {
      for (let index = 0; isRunning; index++) {
        const record = toRecord(`${caller} ${index} `.padEnd(500, 'x'), `key ${caller}`)
        const startedAt = performance.now()
        await writer.append(record).then(
          () => acknowledged.add(record.eventId),
          (error: LogUnavailableError) => refused.push({ code: error.code, afterMs: performance.now() - startedAt }),
        )
      }
    })
    return {
      acknowledged,
      refused,
      async stop() {
        isRunning = false
        await Promise.all(running)
      },
    }
  }

  test.each(['stop', 'kill'] as const)(
    'appends during a broker %s are refused in time, go on after it, and everything acknowledged is read',
    async (how) => {
      const settings = await openTopic()
      const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 1_500 })
      const store = createStore()
      const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 3_000 })
      const errors: unknown[] = []
      reader.start(store.handler, readerOptions, (error) => errors.push(error))
      const traffic = load(writer, 16)
      for (let round = 0; round < (how === 'kill' ? 2 : 1); round++) {
        await until(() => store.records.length > 0)
        const handled = store.records.length
        await until(() => store.records.length > handled + 200)
        await own[how]()
        await until(() => traffic.refused.length > 16)
        expect(writer.health()).toMatchObject({ ok: false, reason: expect.stringContaining('Kafka') })
        await own.startAgain()
        const before = traffic.acknowledged.size
        const startedAt = performance.now()
        await until(() => traffic.acknowledged.size > before + 200)
        const writingMs = performance.now() - startedAt
        const read = store.records.length
        await until(() => store.records.length > read)
        const readingMs = performance.now() - startedAt
        // Printed for whoever wants to know how long it takes here.
        console.info(
          `after a ${how}: writes again in ${Math.round(writingMs)} ms, reads in ${Math.round(readingMs)} ms`,
        )
        expect(writingMs).toBeLessThan(10_000)
        expect(readingMs).toBeLessThan(20_000)
        traffic.refused.length = 0
      }
      await traffic.stop()
      expect(writer.health()).toEqual({ ok: true })
      expect(traffic.refused.every(({ code, afterMs }) => code === 'LOG_IO' && afterMs < 3_000)).toBe(true)
      await until(() => store.records.length >= traffic.acknowledged.size)
      const ids = new Set(store.ids())
      expect([...traffic.acknowledged].filter((id) => !ids.has(id))).toEqual([])
      // The store was never asked to go back, so each offset came once, in order.
      for (const partition of [0, 1, 2]) {
        const offsets = store.batches
          .filter((batch) => batch.partition === partition)
          .flatMap(({ records }) => records.map(({ offset }) => offset))
        expect(offsets).toEqual(Array.from({ length: offsets.length }, (_, index) => index))
      }
      expect(errors).toEqual([])
      await reader.close()
      await writer.close()
    },
    120_000,
  )

  test('a writer that is opened while Kafka is away refuses in time, and takes records once it is there', async () => {
    const settings = await openTopic()
    await own.stop()
    const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 1_000 })
    expect(writer.health()).toMatchObject({ ok: false })
    const startedAt = performance.now()
    await expect(writer.append(toRecord('too early'))).rejects.toMatchObject({ code: 'LOG_IO' })
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    await own.startAgain()
    // Nobody appends: it finds out by itself.
    await until(() => writer.health().ok)
    await writer.append(toRecord('in time'))
    await writer.close()
  })

  test('memory stays bounded while Kafka is away: past the limit, appends are refused at once', async () => {
    const settings = await openTopic()
    const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 2_000, maxPendingRecords: 50 })
    await own.stop()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 80 }, (_, index) => writer.append(toRecord(`${index}`))),
    )
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'acknowledged'))
    expect(codes.filter((code) => code === 'LOG_BUSY')).toHaveLength(30)
    expect(codes.filter((code) => code === 'LOG_IO')).toHaveLength(50)
    await until(() => writer.pending().records === 0)
    expect(writer.pending().bytes).toBe(0)
    await own.startAgain()
    await writer.close()
  })

  test('closing a reader and a writer whose broker is away ends', async () => {
    const settings = await openTopic()
    const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 1_000 })
    const store = createStore()
    const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 3_000 })
    reader.start(store.handler, readerOptions, () => {})
    await writer.append(toRecord('before'))
    await until(() => store.records.length === 1)
    await own.kill()
    await pause(500)
    const startedAt = performance.now()
    const last = writer.append(toRecord('never')).catch((error: LogUnavailableError) => error.code)
    await Promise.all([reader.close(), writer.close()])
    expect(await last).toBe('LOG_IO')
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(reader.assigned()).toEqual([])
    await own.startAgain()
  })
})

describe.skipIf(broker === undefined)('a record that is too large for the topic', () => {
  test('is refused for good, alone, and its neighbours are taken', async () => {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    const topic = { ...topicSettings(settings.topic), partitions: 1, maxBodyBytes: 20_000 }
    const kafka = createKafka(settings, logger)
    await ensureTopic(kafka, topic)
    const writer = await openKafkaLogWriter({ settings, logger })
    // Above what is sent alone and below it: 20,000 and the overhead is what the topic takes.
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
    await until(() => store.records.length >= 40)
    expect(store.ids()).toEqual(records.map(({ eventId }) => eventId))
    await reader.close()
    await writer.close()
  })
})
