/** The promises of every event log, whatever it is made of. An adapter's test calls `describeEventLog` with how to open it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  LogUnavailableError,
  type BatchHandler,
  type LogBatch,
  type LogReader,
  type LogWriter,
  type PositionedRecord,
  type ReaderOptions,
  type TakeDelivery,
} from '../../services/event-log/event-log.ts'
import { readDelivery } from '../../schemas/webhook/parse-delivery.ts'
import { toId, toRecord } from './records.ts'
import { until } from '../support/wait.ts'
import { createTake } from '../../services/ingest/open-ingest.ts'

/** One log of its own per test; writers and readers of it can be opened again and again, one of each at a time. */
export type LogUnderTest = {
  openWriter(limits?: { maxPendingRecords?: number }): Promise<LogWriter & { take?: TakeDelivery }>
  openReader(): LogReader
  dispose(): Promise<void>
}

export const readerOptions: ReaderOptions = {
  maxBatchRecords: 1_000,
  maxBatchBytes: 4_000_000,
  minBatchIntervalMs: 0,
}

/** A handler that keeps its records, and its position as a store downstream would. */
export function createStore(onBatch: (batch: LogBatch) => Promise<void> | void = () => {}) {
  const positions = new Map<number, number>()
  const records: PositionedRecord[] = []
  const batches: LogBatch[] = []
  const caughtUp: { partition: number; nextOffset: number; asOf: number; stored: number }[] = []
  const resumes: { partition: number; position: number }[] = []
  const handler: BatchHandler = {
    async resumeFrom(partition) {
      const position = positions.get(partition) ?? 0
      resumes.push({ partition, position })
      return position
    },
    async handle(batch) {
      batches.push(batch)
      await onBatch(batch)
      records.push(...batch.records)
      positions.set(batch.partition, batch.next)
    },
    async caughtUp(partition, nextOffset, asOf) {
      caughtUp.push({ partition, nextOffset, asOf, stored: records.length })
    },
  }
  return {
    handler,
    positions,
    records,
    batches,
    caughtUp,
    resumes,
    ids: () => records.map(({ eventId }) => eventId),
  }
}

const failOnError = (error: unknown) => {
  throw error
}

export function describeEventLog(name: string, openLog: () => Promise<LogUnderTest>): void {
  describe(`${name} keeps the promises of an event log`, () => {
    let log: LogUnderTest
    const opened: { close(): Promise<void> }[] = []

    const openWriter = async (limits?: { maxPendingRecords?: number }) => {
      const writer = await log.openWriter(limits)
      opened.push(writer)
      return writer
    }
    const openReader = () => {
      const reader = log.openReader()
      opened.push(reader)
      return reader
    }
    const close = async (part: { close(): Promise<void> }) => {
      opened.splice(opened.indexOf(part), 1)
      await part.close()
    }

    beforeEach(async () => {
      log = await openLog()
    })
    afterEach(async () => {
      for (const part of opened.splice(0).toReversed()) await part.close()
      await log.dispose()
    })

    test('a raw delivery is read and kept, with what there is to say about it, also among records that were read before', async () => {
      const writer = await openWriter()
      const take = writer.take ?? createTake(writer)
      const event = { eventType: 'assignmentProgress.challenge', timestamp: 1_760_000_000_000 }
      const bodies = [
        { ...event, challengeAssignment: { id: 'Größe 📈', isCompleted: 'yes' } },
        { ...event, challengeAssignment: { id: 'a-1' } },
        { eventType: 'userCreated', timestamp: 1_760_000_000_000 },
        { ...event, challengeAssignment: null },
        {},
      ].map((value) => new TextEncoder().encode(JSON.stringify(value)))
      bodies.push(new Uint8Array(0), new TextEncoder().encode('{"'), randomBytes(300_000))
      const appended: Promise<void>[] = []
      const summaries = await Promise.all(
        bodies.map((body, index) => {
          appended.push(writer.append(toRecord(`read before ${index}`)))
          return take({
            source: 'raw',
            receivedAt: 1_700_000_000_000 + index,
            oddRequest: `(odd ${index})`,
            body,
          })
        }),
      )
      await Promise.all(appended)
      const expected = bodies.map(readDelivery)
      expect(summaries).toEqual(expected.map(({ eventId, problems }) => ({ eventId, problems })))
      expect(summaries.filter(({ problems }) => problems.length > 0)).toHaveLength(5)

      const store = createStore()
      openReader().start(store.handler, readerOptions, failOnError)
      await until(() => store.records.length === 2 * bodies.length)
      const kept = store.records
        .filter(({ source }) => source === 'raw')
        .sort((a, b) => a.receivedAt - b.receivedAt)
      expect(kept.map(({ key, eventId, oddRequest }) => ({ key, eventId, oddRequest }))).toEqual(
        expected.map(({ key, eventId }, index) => ({ key, eventId, oddRequest: `(odd ${index})` })),
      )
      for (const [index, { body }] of kept.entries())
        expect(Buffer.compare(body, bodies[index] as Uint8Array)).toBe(0)
    })

    test('a record comes out as it went in, byte for byte', async () => {
      const writer = await openWriter()
      const bodies = [
        new Uint8Array(0),
        new Uint8Array([0, 255, 254, 0, 10, 13, 34, 39]),
        randomBytes(1_048_576),
        new TextEncoder().encode('{"challenge":{"displayTitle":"Größe 📈"}}'),
      ]
      const sent = bodies.map((body, index) => ({
        ...toRecord(body),
        source: `source ${index}`,
        receivedAt: 1_700_000_000_000 + index,
      }))
      sent.push({ ...toRecord('strange key'), key: 'a\u0000b/ü\n"' })
      sent.push({ ...toRecord('odd request'), oddRequest: '(address) (content-type)' })
      for (const record of sent) await writer.append(record)

      const store = createStore()
      openReader().start(store.handler, readerOptions, failOnError)
      await until(() => store.records.length === sent.length)

      const byId = new Map(store.records.map((record) => [record.eventId, record]))
      for (const record of sent) {
        const found = byId.get(record.eventId)
        expect(found).toMatchObject({ ...record, body: expect.anything() })
        expect(Buffer.compare(found?.body as Uint8Array, record.body)).toBe(0)
      }
    })

    test('what was acknowledged is there after the writer is opened again, once', async () => {
      const sent: string[] = []
      for (let round = 0; round < 3; round++) {
        const writer = await openWriter()
        const records = Array.from({ length: 50 }, (_, index) =>
          toRecord(`round ${round}, ${index}`, 'one key'),
        )
        await Promise.all(records.map((record) => writer.append(record)))
        sent.push(...records.map(({ eventId }) => eventId))
        await close(writer)
      }
      const last = toRecord('last', 'one key')
      await (await openWriter()).append(last)
      const store = createStore()
      openReader().start(store.handler, readerOptions, failOnError)
      await until(() => store.ids().includes(last.eventId))
      expect(store.ids().toSorted()).toEqual([...sent, last.eventId].toSorted())
    })

    test('records of one key stay in one partition, in the order of their appends', async () => {
      const writer = await openWriter()
      const keys = ['assignment-1', 'assignment-2', 'assignment-3']
      const appends: Promise<void>[] = []
      for (let index = 0; index < 600; index++) {
        const key = keys[index % keys.length] as string
        appends.push(writer.append(toRecord(`${key} ${index}`, key)))
      }
      await Promise.all(appends)
      let underWay = 0
      const store = createStore(async () => {
        // No batch begins before the one before is stored.
        expect(++underWay).toBe(1)
        await pause(5)
        underWay--
      })
      openReader().start(store.handler, { ...readerOptions, maxBatchRecords: 70 }, failOnError)
      await until(() => store.records.length === 600)

      for (const key of keys) {
        const partitions = store.batches.filter(({ records }) => records.some((record) => record.key === key))
        expect(new Set(partitions.map(({ partition }) => partition)).size).toBe(1)
        const order = store.records
          .filter((record) => record.key === key)
          .map(({ body }) => Number(Buffer.from(body).toString().split(' ')[1]))
        expect(order).toEqual(order.toSorted((a, b) => a - b))
      }
    })

    test('offsets rise within a partition, and a batch keeps to its limits and knows the end', async () => {
      const writer = await openWriter()
      await Promise.all(
        Array.from({ length: 200 }, (_, index) => writer.append(toRecord(`${index}`.padEnd(100)))),
      )
      await writer.append(toRecord('x'.repeat(5_000)))
      const store = createStore()
      openReader().start(
        store.handler,
        { maxBatchRecords: 30, maxBatchBytes: 2_000, minBatchIntervalMs: 0 },
        failOnError,
      )
      await until(() => store.records.length === 201)

      const last = new Map<number, number>()
      for (const { partition, records, from, next } of store.batches) {
        const bytes = records.reduce((sum, { body }) => sum + body.byteLength, 0)
        expect(records.length).toBeGreaterThan(0)
        expect(records.length).toBeLessThanOrEqual(30)
        expect(bytes <= 2_000 || records.length === 1).toBe(true)
        expect(from).toBe((last.get(partition) ?? -1) + 1)
        for (const { offset } of records) {
          expect(offset).toBeGreaterThan(last.get(partition) ?? -1)
          expect(offset).toBeLessThan(next)
          last.set(partition, offset)
        }
      }
    })

    test('a new reader goes on after the position that the store has recorded', async () => {
      const writer = await openWriter()
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => writer.append(toRecord(`first ${index}`, 'one key'))),
      )
      const store = createStore()
      const first = openReader()
      first.start(store.handler, readerOptions, failOnError)
      await until(() => store.records.length === 100)
      await close(first)

      for (let index = 0; index < 100; index++) await writer.append(toRecord(`second ${index}`, 'one key'))
      const last = toId(Buffer.from('second 99'))
      openReader().start(store.handler, readerOptions, failOnError)
      await until(() => store.ids().includes(last))
      expect(store.records).toHaveLength(200)
      expect(new Set(store.ids()).size).toBe(200)
    })

    test('a batch that could not be stored comes again from the position of the store, and nothing overtakes it', async () => {
      const writer = await openWriter()
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => writer.append(toRecord(`${index}`, 'one key'))),
      )
      let failures = 0
      const errors: unknown[] = []
      const store = createStore(() => {
        if (store.records.length >= 20 && failures < 3) throw new Error(`store is away ${++failures}`)
      })
      openReader().start(store.handler, { ...readerOptions, maxBatchRecords: 10 }, (error) =>
        errors.push(error),
      )
      await until(
        () => store.records.length,
        (count) => count >= 100,
      )

      expect(errors.map((error) => (error as Error).message)).toEqual([
        'store is away 1',
        'store is away 2',
        'store is away 3',
      ])
      expect(store.records.map(({ body }) => Number(Buffer.from(body).toString()))).toEqual(
        Array.from({ length: 100 }, (_, index) => index),
      )
      const { partition } = store.batches[0] as LogBatch
      expect(store.resumes.filter((resume) => resume.partition === partition)).toHaveLength(4)
    })

    test('a store that cannot say its position is asked again', async () => {
      const writer = await openWriter()
      await writer.append(toRecord('patience'))
      const store = createStore()
      let asked = 0
      const errors: unknown[] = []
      const resumeFrom = (partition: number, logId: string) => {
        if (++asked === 1) throw new Error('not yet')
        return store.handler.resumeFrom(partition, logId)
      }
      openReader().start({ ...store.handler, resumeFrom }, readerOptions, (error) => errors.push(error))
      await until(() => store.records.length === 1)
      expect(errors).toHaveLength(1)
    })

    test('caught up means that everything acknowledged before its instant is stored', async () => {
      const writer = await openWriter()
      const store = createStore(() => pause(5))
      openReader().start(store.handler, readerOptions, failOnError)
      const acknowledgedAt: number[] = []
      const ownCalls = () =>
        store.caughtUp.filter(({ partition }) => partition === store.batches[0]?.partition)
      // At least one look falls between two appends, and one after the last.
      await until(async () => {
        await writer.append(toRecord(`record ${acknowledgedAt.length}`, 'one key'))
        acknowledgedAt.push(Date.now())
        return ownCalls().some(({ asOf }) => asOf > (acknowledgedAt[0] as number))
      })
      const lastAt = Date.now()
      await until(() => ownCalls().some(({ asOf }) => asOf > lastAt))
      const calls = ownCalls()
      for (const { asOf, stored } of calls) {
        expect(stored).toBeGreaterThanOrEqual(acknowledgedAt.filter((at) => at < asOf).length)
      }
      let delivered = 0
      for (const { records, caughtUp } of store.batches) {
        delivered += records.length
        if (caughtUp !== undefined)
          expect(delivered).toBeGreaterThanOrEqual(acknowledgedAt.filter((at) => at < caughtUp).length)
      }
    })

    test('lag says how many records wait and how old the oldest is, and goes to nothing', async () => {
      const writer = await openWriter()
      const receivedAt = Date.now() - 60_000
      await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          writer.append({ ...toRecord(`${index}`, 'one key'), receivedAt }),
        ),
      )
      let letGo = () => {}
      const gate = new Promise<void>((resolve) => (letGo = resolve))
      const store = createStore(() => gate)
      const reader = openReader()
      expect(reader.assigned()).toEqual([])
      reader.start(store.handler, readerOptions, failOnError)
      await until(() => store.batches.length > 0)
      expect(reader.assigned()).toContain(0)
      const total = (lag: { records: number }[]) => lag.reduce((sum, { records }) => sum + records, 0)
      const behind = await reader.lag()
      expect(total(behind)).toBe(25)
      expect(Math.max(...behind.map(({ oldestMs }) => oldestMs))).toBeGreaterThanOrEqual(60_000)
      letGo()
      await until(() => store.records.length === 25)
      await until(async () => total(await reader.lag()) === 0)
    })

    test('a full queue refuses at once, with when to come back, and takes what follows', async () => {
      const writer = await openWriter({ maxPendingRecords: 10 })
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => writer.append(toRecord(`${index}`, 'one key'))),
      )
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
      expect(refused.length).toBeGreaterThan(0)
      for (const reason of refused) {
        expect(reason).toBeInstanceOf(LogUnavailableError)
        expect(reason.code).toBe('LOG_BUSY')
        expect(reason.retryAfterMs).toBeGreaterThan(0)
      }
      const after = toRecord('after', 'one key')
      await writer.append(after)
      const accepted = outcomes.filter(({ status }) => status === 'fulfilled').length + 1

      const store = createStore()
      openReader().start(store.handler, readerOptions, failOnError)
      await until(() => store.records.length >= accepted && store.ids().includes(after.eventId))
      expect(store.records).toHaveLength(accepted)
    })

    test('closing the writer finishes running appends and refuses later ones', async () => {
      const writer = await openWriter()
      const underWay = Array.from({ length: 30 }, (_, index) => writer.append(toRecord(`${index}`)))
      await close(writer)
      expect((await Promise.allSettled(underWay)).every(({ status }) => status === 'fulfilled')).toBe(true)
      await expect(writer.append(toRecord('late'))).rejects.toMatchObject({ code: 'LOG_CLOSED' })
    })

    test('closing the reader waits for the batch under way and delivers no other', async () => {
      const writer = await openWriter()
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => writer.append(toRecord(`${index}`, 'one key'))),
      )
      const stored = Promise.withResolvers<void>()
      const store = createStore(() => stored.promise)
      const reader = openReader()
      reader.start(store.handler, { ...readerOptions, maxBatchRecords: 10 }, failOnError)
      await until(() => store.batches.length === 1)
      const closed = close(reader)
      stored.resolve()
      await closed
      expect(store.records).toHaveLength(10)
      expect(store.batches).toHaveLength(1)
      expect(reader.assigned()).toEqual([])
    })
  })
}
