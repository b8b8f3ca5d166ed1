import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogUnavailableError, LogWriter } from '../../../services/event-log/event-log.ts'
import { openKafkaLogReader } from '../../../services/event-log/kafka/reader/reader.ts'
import { createKafka } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import {
  canOpenOwnBroker,
  findBroker,
  openOwnBroker,
  toSettings,
  type OwnBroker,
} from '../../support/kafka/broker.ts'
import { createStore, readerOptions } from '../contract.ts'
import { logger, topicSettings } from './kafka.ts'
import { toRecord } from '../records.ts'
import { isComplete } from '../../support/tiers.ts'
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

  /** Appends without end, at a pace that leaves the processor to others; knows the acknowledged records. */
  function load(writer: LogWriter, callers: number) {
    const acknowledged = new Set<string>()
    const refused: string[] = []
    let isRunning = true
    const running = Array.from({ length: callers }, async (_, caller) => {
      for (let index = 0; isRunning; index++) {
        const record = toRecord(`${caller} ${index} `.padEnd(500, 'x'), `key ${caller}`)
        await writer.append(record).then(
          () => acknowledged.add(record.eventId),
          (error: LogUnavailableError) => refused.push(error.code),
        )
        await sleep(10)
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
      for (let round = 0; round < (isComplete && how === 'kill' ? 2 : 1); round++) {
        await until(() => store.records.length > 0)
        const handled = store.records.length
        await until(
          () => store.records.length,
          (count) => count > handled + 200,
        )
        await own[how]()
        await until(
          () => traffic.refused.length,
          (count) => count > 16,
        )
        expect(writer.health()).toMatchObject({ ok: false, reason: expect.stringContaining('Kafka') })
        await own.startAgain()
        const before = traffic.acknowledged.size
        const startedAt = performance.now()
        await until(
          () => traffic.acknowledged.size,
          (count) => count > before + 200,
        )
        const writingMs = performance.now() - startedAt
        const read = store.records.length
        await until(
          () => store.records.length,
          (count) => count > read,
        )
        const readingMs = performance.now() - startedAt
        // Printed to show how long it takes here.
        console.info(
          `after a ${how}: writes again in ${Math.round(writingMs)} ms, reads in ${Math.round(readingMs)} ms`,
        )
        traffic.refused.length = 0
      }
      await traffic.stop()
      await until(() => writer.health().ok)
      expect(traffic.refused.every((code) => code === 'LOG_IO')).toBe(true)
      // Their number says nothing: records refused because nobody answered in time may be in the log as well.
      const unread = new Set(traffic.acknowledged)
      await until(() => {
        for (const id of store.ids()) unread.delete(id)
        return unread.size === 0
      })
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
  )

  test('while Kafka is away a writer can be opened and refuses in time, past its limit at once, and takes records afterwards', async () => {
    const settings = await openTopic()
    const limited = await openKafkaLogWriter({
      settings,
      logger,
      appendTimeoutMs: 2_000,
      maxPendingRecords: 50,
    })
    await own.stop()
    const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 1_000 })
    expect(writer.health()).toMatchObject({ ok: false })
    await expect(writer.append(toRecord('too early'))).rejects.toMatchObject({ code: 'LOG_IO' })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 80 }, (_, index) => limited.append(toRecord(`${index}`))),
    )
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : 'acknowledged',
    )
    expect(codes.filter((code) => code === 'LOG_BUSY')).toHaveLength(30)
    expect(codes.filter((code) => code === 'LOG_IO')).toHaveLength(50)
    await until(() => limited.pending().records === 0)
    expect(limited.pending().bytes).toBe(0)
    await own.startAgain()
    // Nobody appends: it finds out by itself.
    await until(() => writer.health().ok)
    await until(() =>
      writer.append(toRecord('in time')).then(
        () => true,
        () => false,
      ),
    )
    await writer.close()
    await limited.close()
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
    const last = writer.append(toRecord('never')).catch((error: LogUnavailableError) => error.code)
    await Promise.all([reader.close(), writer.close()])
    expect(await last).toBe('LOG_IO')
    expect(reader.assigned()).toEqual([])
    await own.startAgain()
  })
})
