import { afterAll, beforeEach, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import {
  offsetsPerGeneration,
  toStoredSlices,
  withGenerations,
  type GenerationsOptions,
} from '../../services/consumer/generations.ts'
import { movedPartition } from '../../services/consumer/batch-steps.ts'
import { select } from '../../services/cli/statements.ts'
import type { PositionedRecord } from '../../services/event-log/event-log.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

/** As a process has it: nothing is remembered of the one before. */
function start(topic: string, partitions?: number, options: Pick<GenerationsOptions, 'keepsFailed'> = {}) {
  const begun: number[] = []
  const handler = withGenerations(createConsumer({ client: store.writer }), {
    client: store.writer,
    log: `kafka:${topic}`,
    ...options,
    ...(partitions !== undefined && { partitions }),
    onNewLog: ({ generation }) => begun.push(generation),
  })
  return { ...handler, begun }
}

/** Records at the log's own offsets; every label is an event of its own. */
function toRecords(labels: string[], from = 0): PositionedRecord[] {
  return labels.map((label, index) => toRecord(toBody('Created', label, monday), from + index))
}

async function readThrough(): Promise<number | undefined> {
  const [row] = await select<{ through: number }>(store.reader, 'complete-through')
  return row?.through
}

async function readLedger() {
  const [sums] = await store.rows<Record<string, string>>(
    'SELECT given, stored, repeated, lost + difference AS difference FROM rollcall.ledger_total',
  )
  return Object.fromEntries(Object.entries(sums ?? {}).map(([name, value]) => [name, Number(value)]))
}

async function readAssignments(): Promise<string[]> {
  const rows = await store.rows<{ assignment_id: string }>(
    'SELECT assignment_id FROM rollcall.open_versions GROUP BY assignment_id HAVING sum(sign) = 1 ORDER BY assignment_id',
  )
  return rows.map(({ assignment_id: id }) => id)
}

test('a store that has read an embedded log, or a topic without a recorded name, resumes at its position', async () => {
  const before = createConsumer({ client: store.writer })
  await before.handle(toBatch(toRecords(['a', 'b', 'c'])))
  expect(await before.resumeFrom(0)).toBe(3)
  const consumer = start('first')
  expect(await consumer.resumeFrom(0)).toBe(3)
  expect(await start('first').resumeFrom(0)).toBe(3)
  expect(consumer.begun).toEqual([])
})

test('another topic is read from its start, however long it is, and resumed by its own positions', async () => {
  const first = start('first')
  await first.resumeFrom(0)
  await first.handle(toBatch(toRecords(['a', 'b', 'c'])))
  const second = start('second')
  expect(await second.resumeFrom(0)).toBe(0)
  expect(second.begun).toEqual([1])
  await second.handle(toBatch(toRecords(['d'])))
  expect(await start('second').resumeFrom(0)).toBe(1)
  await second.handle(toBatch(toRecords(['e', 'f', 'g', 'h'], 1)))
  expect(await start('second').resumeFrom(0)).toBe(5)
  expect(await readAssignments()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
})

test('a recreated topic is read from its start, also after a restart right after its detection', async () => {
  const first = start('topic')
  await first.resumeFrom(0)
  await first.resumeFrom(1)
  await first.handle(toBatch(toRecords(['a', 'b', 'c'])))
  await first.handle(toBatch(toRecords(['x', 'y', 'z']), 1))
  await first.otherLog(0)
  // The process with the other partition notices as well, a moment later.
  await first.otherLog(1)
  expect(await start('topic').resumeFrom(0)).toBe(0)
  const restarted = start('topic')
  expect([await restarted.resumeFrom(0), await restarted.resumeFrom(1)]).toEqual([0, 0])
  await restarted.handle(toBatch(toRecords(['d'])))
  expect(await start('topic').resumeFrom(0)).toBe(1)
  expect(await store.rows('SELECT DISTINCT generation FROM rollcall.logs ORDER BY generation')).toEqual([
    { generation: 0 },
    { generation: 1 },
  ])
})

test("a reader of the previous log records no position that the new log's reader would use", async () => {
  const [one, other] = [start('topic'), start('topic')]
  await one.resumeFrom(0)
  await other.resumeFrom(1)
  await one.otherLog(0)
  await other.handle(toBatch(toRecords(['a', 'b'], 7), 1))
  expect(await start('topic').resumeFrom(1)).toBe(0)
})

test('of two topics at once on one store, each begins a generation of its own, and none takes the position of the other', async () => {
  const [one, other] = [start('one'), start('other')]
  const resumed = await Promise.all([one.resumeFrom(0), other.resumeFrom(0)])
  expect(resumed).toEqual([0, 0])
  await one.handle(toBatch(toRecords(['a', 'b', 'c'])))
  expect(await start('other').resumeFrom(0)).toBe(0)
  await other.handle(toBatch(toRecords(['d'])))
  const again = start('one')
  const next = await again.resumeFrom(0)
  await again.handle(toBatch(toRecords(['a', 'b', 'c', 'e'].slice(next), next)))
  expect(await readAssignments()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('what is read again counts as a repeat in the ledger, in any partition, and nothing is missing', async () => {
  const first = start('topic')
  await first.resumeFrom(0)
  await first.handle(toBatch(toRecords(['a', 'b', 'c'])))
  expect(await readLedger()).toEqual({ given: 3, stored: 3, repeated: 0, difference: 0 })
  await first.otherLog(0)
  const second = start('topic')
  await second.resumeFrom(1)
  // Twice: as after a crash between the events and the position.
  await second.handle(toBatch(toRecords(['d', 'a', 'b']), 1))
  await second.handle(toBatch(toRecords(['d', 'a', 'b']), 1))
  await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.event_rows FINAL' })
  await second.handle(toBatch(toRecords(['d', 'a', 'b']), 1))
  expect(await readLedger()).toEqual({ given: 6, stored: 4, repeated: 2, difference: 0 })
})

test('complete through is what the present log says: neither its predecessor nor a moved store hold it back', async () => {
  const before = { log_partition: movedPartition, first_offset: 0, next_offset: 5, recorded_at: 1, ledger: [] }
  await store.writer.insert({
    table: 'rollcall.log_positions',
    values: [{ ...before, complete_through: '2200-01-01 00:00:00.000' }],
    format: 'JSONEachRow',
  })
  const first = start('first')
  for (const partition of [0, 1, 2]) {
    await first.resumeFrom(partition)
    await first.caughtUp(partition, 0, monday + partition)
  }
  expect(await readThrough()).toBe(monday)
  const second = start('second')
  await second.resumeFrom(0)
  expect(await readThrough()).toBe(monday)
  await second.caughtUp(0, 0, monday + day)
  expect(await readThrough()).toBe(monday + day)
})

test('nothing is complete while a partition of the log has no position, of a moved store as well', async () => {
  const before = { log_partition: movedPartition, first_offset: 0, next_offset: 5, recorded_at: 1, ledger: [] }
  await store.writer.insert({
    table: 'rollcall.log_positions',
    values: [{ ...before, complete_through: '2200-01-01 00:00:00.000' }],
    format: 'JSONEachRow',
  })
  const consumer = start('topic', 2)
  const settle = async (partition: number, asOf: number) => {
    await consumer.resumeFrom(partition)
    await consumer.caughtUp(partition, 0, asOf)
  }
  await settle(0, monday)
  expect(await readThrough()).toBeUndefined()
  await settle(1, monday + day)
  expect(await readThrough()).toBe(monday)
  await consumer.counted(4)
  expect(await readThrough()).toBeUndefined()
  await settle(2, monday + day)
  expect(await readThrough()).toBeUndefined()
  await settle(3, monday + day)
  expect(await readThrough()).toBe(monday)
  // A log that takes its place, and has fewer.
  await consumer.counted(1)
  await consumer.otherLog(0)
  await settle(0, monday + 2 * day)
  expect(await readThrough()).toBe(monday + 2 * day)
})

test('says each time when readers can see more: deliveries, or that nothing arrived', async () => {
  let times = 0
  const consumer = createConsumer({ client: store.writer, onPosition: () => void times++ })
  await consumer.resumeFrom(0)
  await consumer.handle(toBatch(toRecords(['a', 'b'])))
  expect(times).toBe(1)
  await consumer.caughtUp(0, 2, monday + day)
  expect(times).toBe(2)
  // Within five seconds nothing is recorded.
  await consumer.caughtUp(0, 2, monday + day)
  expect(times).toBe(2)
})

test('whether a record is stored is known of events and of what could not be used', async () => {
  const consumer = start('topic')
  await consumer.resumeFrom(0)
  const [event, other] = toRecords(['a', 'b'])
  const failed = toRecord(Buffer.from('no event'), 1)
  await consumer.handle(toBatch([{ ...event!, key: 'a' }, failed]))
  expect(await consumer.hasStored(0, event!)).toBe(true)
  expect(await consumer.hasStored(0, failed)).toBe(true)
  expect(await consumer.hasStored(0, other!)).toBe(false)
})

test('a failed event that was removed by age does not make its log another one', async () => {
  const consumer = start('topic')
  await consumer.resumeFrom(0)
  await consumer.otherLog(0)
  await consumer.resumeFrom(0)
  const [first, repeat, next] = [0, 1, 2].map((offset) => ({
    ...toRecord(Buffer.from('no event'), offset),
    // Repeats are kept for 90 days.
    receivedAt: Date.now(),
  }))
  for (const record of [first!, repeat!]) await consumer.handle(toBatch([record]))
  await store.writer.command({ query: 'TRUNCATE TABLE rollcall.failed_event_rows' })
  expect(await consumer.hasStored(0, repeat!)).toBe(true)
  expect(await consumer.hasStored(0, next!)).toBe(false)
  // Where all that is left of it may be gone by age, it proves nothing; an event still does.
  const forgetful = start('topic', 1, { keepsFailed: false })
  await forgetful.resumeFrom(0)
  expect(await forgetful.hasStored(0, next!)).toBe(true)
  expect(await forgetful.hasStored(0, toRecords(['a'])[0]!)).toBe(false)
})

test('what the log still has is put back where it was, and begins no generation', async () => {
  const first = start('topic')
  await first.resumeFrom(0)
  await first.otherLog(0)
  const options = { client: store.writer, log: 'kafka:topic' }
  async function* scan() {
    yield { partition: 2, records: toRecords(['a'], 4) }
  }
  const readOffsets = async () => {
    const offsets: number[] = []
    for await (const { records } of toStoredSlices(scan(), options))
      offsets.push(...records.map(({ offset }) => offset))
    return offsets
  }
  expect(await readOffsets()).toEqual([offsetsPerGeneration + 4])
  await start('other').resumeFrom(0)
  expect(await readOffsets()).toEqual([offsetsPerGeneration + 4])
})
