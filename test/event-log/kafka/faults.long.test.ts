import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogUnavailableError } from '../../../services/event-log/event-log.ts'
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

  test.each(['stop', 'kill'] as const)(
    'appends during a broker %s are refused in time, go on after it, and everything acknowledged is read',
    async (how) => {
      const settings = await openTopic()
      const writer = await openKafkaLogWriter({ settings, logger, appendTimeoutMs: 1_500 })
      const store = createStore()
      const reader = openKafkaLogReader({ settings, logger, sessionTimeoutMs: 3_000 })
      const errors: unknown[] = []
      reader.start(store.handler, readerOptions, (error) => errors.push(error))
      const acknowledged = new Set<string>()
      const refused: string[] = []
      let isSending = true
      const sending = Array.from({ length: 16 }, async (_, caller) => {
        for (let index = 0; isSending; index++) {
          const record = toRecord(`${caller} ${index} `.padEnd(500, 'x'), `key ${caller}`)
          await writer.append(record).then(
            () => acknowledged.add(record.eventId),
            (error: LogUnavailableError) => refused.push(error.code),
          )
          await sleep(10)
        }
      })
      await until(() => store.records.length > 200)
      await own[how]()
      await until(() => refused.length > 16)
      await own.startAgain()
      const before = acknowledged.size
      await until(() => acknowledged.size > before + 200)
      isSending = false
      await Promise.all(sending)
      expect(new Set(refused)).toEqual(new Set(['LOG_IO']))
      await until(() => {
        for (const id of store.ids()) acknowledged.delete(id)
        return acknowledged.size === 0
      })
      // The store was never asked to go back, so each offset came once, in order.
      for (const partition of [0, 1, 2]) {
        const ofPartition = store.batches.filter((batch) => batch.partition === partition)
        const offsets = ofPartition.flatMap(({ records }) => records.map(({ offset }) => offset))
        expect(offsets).toEqual(offsets.map((_, index) => index))
      }
      expect(errors).toEqual([])
      await reader.close()
      await writer.close()
    },
  )

  test('while Kafka is away a writer can be opened and refuses in time, past its limit at once, and takes records afterwards', async () => {
    const settings = await openTopic()
    const options = { settings, logger, appendTimeoutMs: 1_000, maxPendingRecords: 50 }
    await own.stop()
    const writer = await openKafkaLogWriter(options)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 80 }, (_, index) => writer.append(toRecord(`${index}`))),
    )
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : 'acknowledged',
    )
    expect(codes.filter((code) => code === 'LOG_BUSY')).toHaveLength(30)
    expect(codes.filter((code) => code === 'LOG_IO')).toHaveLength(50)
    await own.startAgain()
    // Those that were given up are in memory until their send has ended.
    await until(() =>
      writer.append(toRecord('in time')).then(
        () => true,
        () => false,
      ),
    )
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
    const last = writer.append(toRecord('never')).catch((error: LogUnavailableError) => error.code)
    await Promise.all([reader.close(), writer.close()])
    expect(await last).toBe('LOG_IO')
    expect(reader.assigned()).toEqual([])
    await own.startAgain()
  })
})
