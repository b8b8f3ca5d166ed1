/** A store reads one log. Another one is refused, and read from its first record once it was adopted. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { select } from '../../services/cli/statements.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { adoptLog } from '../../services/consumer/store-log.ts'
import { createWaitingReport } from '../../services/watch/reports.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

const open = () => createConsumer({ client: store.writer })
const toRecords = (labels: readonly string[], from = 0) =>
  labels.map((label, index) => toRecord(toBody('Created', label, monday), from + index))

async function readTotal() {
  const [total] = await store.rows<Record<string, string>>(
    'SELECT given, stored, repeated, lost, difference FROM rollcall.ledger_total',
  )
  return Object.fromEntries(Object.entries(total ?? {}).map(([name, value]) => [name, Number(value)]))
}

const readThrough = async () =>
  (await select<{ through: number }>(store.reader, 'complete-through'))[0]?.through

test('a store resumes in the log that it has read, and refuses another one with the way out', async () => {
  const consumer = open()
  expect(await consumer.resumeFrom(0, 'first')).toBe(0)
  await consumer.handle(toBatch(toRecords(['a', 'b', 'c'])))
  expect(await open().resumeFrom(0, 'first')).toBe(3)
  const words = 'its id is second, and not first. To read it from its first record, run: rollcall log adopt.'
  await expect(open().resumeFrom(0, 'second')).rejects.toMatchObject({ name: 'StartError', exitCode: 2 })
  await expect(open().counted(1, 'second')).rejects.toThrow(words)
})

test('a new store refuses two logs that were taken at once', async () => {
  const [one, other] = [open(), open()]
  await one.counted(1, 'one')
  await other.counted(1, 'other').catch(() => undefined)
  await store.writer.command({
    query: `INSERT INTO rollcall.log_positions (log_partition, log_id) VALUES (1, 'other')`,
  })
  await expect(open().resumeFrom(0, 'one')).rejects.toThrow('not other')
  await expect(open().resumeFrom(0, 'other')).rejects.toThrow('not one')
})

test('an adopted log is read from its first record; what the store has of it is a repeat, in any partition', async () => {
  const before = open()
  await before.resumeFrom(0, 'first')
  await before.handle(toBatch(toRecords(['a', 'b', 'c'])))
  expect(await adoptLog(store.writer, 'second')).toBe(0)

  const consumer = open()
  expect(await consumer.resumeFrom(1, 'second')).toBe(0)
  // Twice: as after a crash between the events and the position.
  await consumer.handle(toBatch(toRecords(['d', 'a', 'b']), 1))
  await consumer.handle(toBatch(toRecords(['d', 'a', 'b']), 1))
  expect(await consumer.resumeFrom(1, 'second')).toBe(3)
  await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.event_rows FINAL' })
  expect(await readTotal()).toEqual({ given: 6, stored: 4, repeated: 2, lost: 0, difference: 0 })
  // Of one event the first delivery counts, whatever its offset in its own log was.
  expect(await store.rows(`SELECT log_partition FROM rollcall.event_rows WHERE assignment_id = 'a'`)).toEqual(
    [{ log_partition: 0 }],
  )
  await expect(open().resumeFrom(0, 'first')).rejects.toThrow('rollcall log adopt')
})

test('a log that was adopted once more is read once more, and puts back what the store has lost', async () => {
  const consumer = open()
  await consumer.resumeFrom(0, 'log')
  const batch = toBatch([...toRecords(['a', 'b', 'c']), toRecord(Buffer.from('no event'), 3)])
  await consumer.handle(batch)
  const readAll = async () => [
    await store.rows('SELECT event_id, assignment_id FROM rollcall.events ORDER BY ALL'),
    await store.rows('SELECT event_id, reasons FROM rollcall.failed_events ORDER BY ALL'),
    await store.rows('SELECT * FROM rollcall.assignments ORDER BY ALL'),
    await store.rows('SELECT * FROM rollcall.people ORDER BY ALL'),
  ]
  const before = await readAll()
  for (const table of ['open_versions', 'user_versions', 'event_rows', 'failed_event_rows', 'event_bodies'])
    await store.writer.command({ query: `TRUNCATE TABLE rollcall.${table}` })
  await createWaitingReport(store.writer).write(
    [{ partition: 0, records: 2, oldestMs: 0 }],
    undefined,
    monday,
  )
  // What waits in it is read, too.
  expect(await adoptLog(store.writer, 'log')).toBe(0)
  const again = open()
  expect(await again.resumeFrom(0, 'log')).toBe(0)
  await again.handle(batch)
  expect(await readAll()).toEqual(before)
  await adoptLog(store.writer, 'log')
  expect(await again.resumeFrom(0, 'log')).toBe(0)
  await again.handle(batch)
  expect(await readAll()).toEqual(before)
  expect(await readTotal()).toMatchObject({ repeated: 4, lost: 0, difference: 0 })
})

test('nothing is complete after an adoption until each partition of the log was read, and what waited before is lost', async () => {
  const before = open()
  await before.counted(1, 'first')
  await before.caughtUp(0, 0, monday)
  await createWaitingReport(store.writer).write(
    [{ partition: 0, records: 3, oldestMs: 0 }],
    undefined,
    monday,
  )
  expect(await readThrough()).toBe(monday)
  expect(await adoptLog(store.writer, 'second')).toBe(3)
  expect(await readTotal()).toMatchObject({ given: 3, lost: 3, difference: 0 })
  expect(await readThrough()).toBeUndefined()

  const consumer = open()
  await consumer.counted(2, 'second')
  await consumer.caughtUp(0, 0, monday + 1)
  expect(await readThrough()).toBeUndefined()
  await consumer.caughtUp(1, 0, monday + 2)
  expect(await readThrough()).toBe(monday + 1)
})

test('offsets without a record are no deliveries, before, between and after records, and alone', async () => {
  const consumer = open()
  const [a, b] = toRecords(['a', 'b']) as [ReturnType<typeof toRecord>, ReturnType<typeof toRecord>]
  const records = [
    { ...a, offset: 2 },
    { ...b, offset: 5 },
  ]
  await consumer.handle({ ...toBatch(records), from: 0, next: 7 })
  await consumer.handle({ ...toBatch([]), from: 7, next: 9 })
  expect(await consumer.resumeFrom(0)).toBe(9)
  expect(await readTotal()).toEqual({ given: 2, stored: 2, repeated: 0, lost: 0, difference: 0 })
})
