/** The log as `rollcall replay --from-log` reads it in the distributed mode. */
import { createRequire } from 'node:module'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LogSlice } from '../../../services/event-log/event-log.ts'
import { scanKafkaLog } from '../../../services/event-log/kafka/scan-log.ts'
import { createKafka, type KafkaSettings } from '../../../services/event-log/kafka/settings.ts'
import { ensureTopic, withAdmin } from '../../../services/event-log/kafka/topic.ts'
import { openKafkaLogWriter } from '../../../services/event-log/kafka/writer/writer.ts'
import { findBroker, toSettings } from '../../support/kafka/broker.ts'
import { toRecord } from '../records.ts'
import { logger, topicSettings } from './kafka.ts'

/** The library's connection, to have a broker refuse what a real one refuses only at times that no test can choose. */
const requireLibrary = createRequire(import.meta.url)
const Broker = requireLibrary('kafkajs/src/broker') as {
  prototype: Record<'joinGroup' | 'fetch', () => Promise<never>>
}
const { createErrorFromCode } = requireLibrary('kafkajs/src/protocol/error') as {
  createErrorFromCode(code: number): Error
}
const coordinatorIsLoading = 14

const broker = await findBroker()

describe.skipIf(broker === undefined)('a scan of a topic', () => {
  afterEach(() => vi.restoreAllMocks())

  async function openTopic(partitions: number): Promise<KafkaSettings> {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    await ensureTopic(createKafka(settings, logger), { ...topicSettings(settings.topic), partitions })
    return settings
  }

  async function write(settings: KafkaSettings, name: string, count: number): Promise<string[]> {
    const records = Array.from({ length: count }, (_, index) => toRecord(`${name} ${index}`))
    const writer = await openKafkaLogWriter({ settings, logger })
    await Promise.all(records.map((record) => writer.append(record)))
    await writer.close()
    return records.map(({ eventId }) => eventId)
  }

  async function scan(settings: KafkaSettings): Promise<LogSlice[]> {
    const slices: LogSlice[] = []
    for await (const slice of scanKafkaLog(settings, logger)) slices.push(slice)
    return slices
  }

  const idsOf = (slices: readonly LogSlice[]) =>
    slices.flatMap(({ records }) => records.map(({ eventId }) => eventId)).toSorted()

  const listScanGroups = ({ groupId, ...settings }: KafkaSettings) =>
    withAdmin(createKafka({ ...settings, groupId }, logger), async (admin) =>
      (await admin.listGroups()).groups.filter((group) => group.groupId.startsWith(`${groupId}-scan-`)),
    )

  test('of no records is empty', async () => {
    expect(await scan(await openTopic(2))).toEqual([])
  })

  test('has each record of every partition once, in the order of its partition, and leaves no group', async () => {
    const settings = await openTopic(3)
    // More than one slice in a partition.
    const written = await write(settings, 'record', 7_000)
    const slices = await scan(settings)
    expect(idsOf(slices)).toEqual(written.toSorted())
    const byPartition = Map.groupBy(slices, ({ partition }) => partition)
    expect(byPartition.size).toBe(3)
    for (const ofPartition of byPartition.values()) {
      const offsets = ofPartition.flatMap(({ records }) => records.map(({ offset }) => offset))
      expect(offsets).toEqual(offsets.map((_, index) => index))
    }
    expect(await listScanGroups(settings)).toEqual([])
  })

  test('ends where the topic ended when it began, while that grows', async () => {
    const settings = await openTopic(2)
    const written = await write(settings, 'before', 3_000)
    const slices: LogSlice[] = []
    for await (const slice of scanKafkaLog(settings, logger)) {
      slices.push(slice)
      await write(settings, `during ${slices.length}`, 50)
    }
    expect(slices.length).toBeGreaterThan(1)
    expect(idsOf(slices)).toEqual(written.toSorted())
  })

  test('ends where transactions that were given up have left no record', async () => {
    const settings = await openTopic(1)
    const transactional = { idempotent: true, maxInFlightRequests: 1, transactionalId: settings.topic }
    const producer = createKafka(settings, logger).producer(transactional)
    await producer.connect()
    const transaction = await producer.transaction()
    await transaction.send({ topic: settings.topic, messages: [{ key: 'k', value: 'given up' }] })
    await transaction.abort()
    await producer.disconnect()
    expect(await scan(settings)).toEqual([])
  })

  test('ends while a transaction is open, with what stands before it', async () => {
    const settings = await openTopic(1)
    const written = await write(settings, 'before', 10)
    const transactional = { idempotent: true, maxInFlightRequests: 1, transactionalId: settings.topic }
    const producer = createKafka(settings, logger).producer(transactional)
    await producer.connect()
    const transaction = await producer.transaction()
    await transaction.send({ topic: settings.topic, messages: [{ key: 'k', value: 'open' }] })
    await write(settings, 'behind', 10)
    expect(idsOf(await scan(settings))).toEqual(written.toSorted())
    await transaction.abort()
    await producer.disconnect()
  })

  test('that is stopped early ends, and leaves no group', async () => {
    const settings = await openTopic(1)
    await write(settings, 'record', 5_000)
    for await (const { records } of scanKafkaLog(settings, logger)) {
      expect(records).not.toEqual([])
      break
    }
    expect(await listScanGroups(settings)).toEqual([])
  })

  test('waits for a broker that has just started and does not know its groups yet', async () => {
    const settings = await openTopic(2)
    const written = await write(settings, 'record', 10)
    const join = vi.spyOn(Broker.prototype, 'joinGroup')
    // More often than the library tries by itself.
    for (let refusal = 0; refusal < 4; refusal++)
      join.mockRejectedValueOnce(createErrorFromCode(coordinatorIsLoading))
    expect(idsOf(await scan(settings))).toEqual(written.toSorted())
    expect(join.mock.calls.length).toBeGreaterThan(4)
  })

  test('goes on where it was after a broker has failed in the middle, with nothing twice and nothing left out', async () => {
    const settings: KafkaSettings = { ...(await openTopic(1)), compression: 'none' }
    // More than one fetch.
    const written = await write(settings, 'x'.repeat(400), 9_000)
    const fetch = vi.spyOn(Broker.prototype, 'fetch')
    const slices: LogSlice[] = []
    for await (const slice of scanKafkaLog(settings, logger)) {
      slices.push(slice)
      if (slices.length > 1) continue
      for (let failure = 0; failure < 8; failure++)
        fetch.mockRejectedValueOnce(new Error('The connection broke'))
    }
    expect(fetch.mock.settledResults.filter(({ type }) => type === 'rejected')).toHaveLength(8)
    expect(idsOf(slices)).toEqual(written.toSorted())
  })

  test('of a topic that is not there fails at once', async () => {
    const settings = toSettings(broker as NonNullable<typeof broker>)
    await expect(scan(settings)).rejects.toThrow('does not host this topic')
  })
})
