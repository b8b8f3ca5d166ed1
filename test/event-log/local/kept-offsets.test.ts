/**
 * `kept-offsets.txt` alone goes wrong, the database beside it does not: nothing is lost, said to be lost, or given twice, every start
 * works, and afterwards the file is right again, so that the next loss of last records is noticed.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import type { LogRecord } from '../../../services/event-log/event-log.ts'
import { checkLocalLog, isWhole } from '../../../services/repair/check-log.ts'
import { repairLocalLog } from '../../../services/repair/repair-log.ts'
import { scanLocalLog } from '../../../services/event-log/local/log-use.ts'
import { meetStore } from '../../../services/event-log/local/meet-store.ts'
import { readKeptOffsets, writeOffsetFloor, writeStoredThrough } from '../../../services/event-log/local/position.ts'
import { openLocalStore, type LocalLimits } from '../../../services/event-log/local/store.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { canMount, mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { isThorough, pickCases, test, testBoth } from '../../support/thorough.ts'
import { until } from '../../support/wait.ts'
import { toRecord } from '../records.ts'
import { appendTo, readAllOf } from './whole-log.ts'
import { testDirectory } from '../../support/directories.ts'

let root: string
let directory: string
let keptFile: string
let disk: SmallDisk | undefined

beforeEach(() => {
  root = testDirectory()
  directory = join(root, 'log')
  keptFile = join(directory, 'kept-offsets.txt')
})
afterEach(() => {
  disk?.remove()
  disk = undefined
})

const makeRecords = (count: number, label: string) =>
  Array.from({ length: count }, (_, index) => toRecord(`${label} ${index}`))
const toIds = (records: readonly LogRecord[]) => records.map(({ eventId }) => eventId)
const keptText = (first: number, next: number) => {
  const digits = [first, next].map((offset) => String(offset).padStart(16, '0')).join(' ')
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`
}

/** As the files are at this moment. */
function copyLog(): string {
  const copy = mkdtempSync(join(root, 'copy-'))
  cpSync(directory, copy, { recursive: true, filter: (path) => !/\.lock$|-shm$/.test(path) })
  return copy
}

function restore(copy: string): void {
  rmSync(directory, { recursive: true })
  cpSync(copy, directory, { recursive: true })
}

const wrongFiles: [string, () => void][] = [
  ['missing', () => rmSync(keptFile)],
  ['empty', () => truncateSync(keptFile, 0)],
  ['cut off', () => truncateSync(keptFile, 20)],
  ['garbage', () => writeFileSync(keptFile, Buffer.alloc(43, 0xa5))],
  ['garbage, and longer than it should be', () => writeFileSync(keptFile, 'x'.repeat(5_000))],
  ['right, with something behind', () => writeFileSync(keptFile, `${readFileSync(keptFile, 'utf8')}more`)],
  ['a digit off', () => writeFileSync(keptFile, readFileSync(keptFile, 'latin1').replace('40', '90'))],
  ['one of numbers that no log has', () => writeFileSync(keptFile, keptText(12, 9_999_999_999_999_998))],
  ['one whose end is before its beginning', () => writeFileSync(keptFile, keptText(30, 12))],
  ['of some records before', () => writeFileSync(keptFile, keptText(0, 25))],
  ['of the very beginning', () => writeFileSync(keptFile, keptText(0, 0))],
  ['not to be written to', () => chmodSync(keptFile, 0o400)],
]

describe.each(pickCases(wrongFiles, 3))('%s', (_, spoil) => {
  testBoth('costs nothing, and is right again after a start', async () => {
    const before = makeRecords(40, 'before')
    await appendTo(directory, before)
    spoil()
    expect(checkLocalLog(directory)).toMatchObject({ readable: 40, missing: 0, lost: 0 })
    const after = makeRecords(10, 'after')
    await appendTo(directory, after)
    expect(readKeptOffsets(directory)).toEqual({ first: 0, next: 50 })
    const expected = { ids: toIds([...before, ...after]), lost: 0, losses: [], errors: [] }
    expect(await readAllOf(directory)).toMatchObject(expected)
    expect(await readAllOf(directory, 40)).toMatchObject({ ...expected, ids: toIds(after) })
  })

  testBoth('costs nothing in a repair', async () => {
    const before = makeRecords(40, 'before')
    await appendTo(directory, before)
    spoil()
    expect(repairLocalLog(directory, new Date(), false)).toMatchObject({ kept: 40, lost: 0, damaged: 0 })
    const after = makeRecords(10, 'after')
    await appendTo(directory, after)
    expect(readKeptOffsets(directory)).toEqual({ first: 0, next: 50 })
    expect(await readAllOf(directory)).toMatchObject({ ids: toIds([...before, ...after]), lost: 0, errors: [] })
  })

  testBoth('does not give offsets again that the store has passed, where the database has lost its end', async () => {
    const before = makeRecords(30, 'before')
    await appendTo(directory, before)
    const older = copyLog()
    await appendTo(directory, makeRecords(10, 'lost'))
    await readAllOf(directory)
    for (const file of ['log.sqlite', 'log.sqlite-wal']) {
      rmSync(join(directory, file), { force: true })
      if (existsSync(join(older, file))) copyFileSync(join(older, file), join(directory, file))
    }
    spoil()
    const after = makeRecords(20, 'after')
    await appendTo(directory, after)
    // All that was lost is in the store, which goes on from its position.
    expect(await readAllOf(directory, 40)).toMatchObject({ ids: toIds(after), errors: [], lost: 0 })
  })
})

test('newer than the database is a loss that is said, once, and the log goes on', async () => {
  const before = makeRecords(30, 'before')
  await appendTo(directory, before)
  const older = copyLog()
  await appendTo(directory, makeRecords(10, 'lost'))
  const newer = readFileSync(keptFile)
  restore(older)
  writeFileSync(keptFile, newer)
  expect(checkLocalLog(directory)).toMatchObject({ readable: 30, missing: 10 })
  const after = makeRecords(5, 'after')
  await appendTo(directory, after)
  const ids = toIds([...before, ...after])
  expect(await readAllOf(directory)).toMatchObject({ ids, lost: 10, losses: [10], errors: [] })
  expect(await readAllOf(directory)).toMatchObject({ ids, lost: 10, losses: [], errors: [] })
  expect(isWhole(checkLocalLog(directory) as never)).toBe(true)
})

/** The database has lost its end, and nothing beside it says so: only the store knows how far it has read. */
describe.skipIf(isThorough)('everything gone at once', () => {
  const stored = 40
  const before = makeRecords(30, 'before')

  async function loseEnd(): Promise<void> {
    await appendTo(directory, before)
    const older = copyLog()
    await appendTo(directory, makeRecords(10, 'lost'))
    await readAllOf(directory)
    restore(older)
    for (const name of ['stored-through.txt', 'kept-offsets.txt']) rmSync(join(directory, name), { force: true })
  }

  test.each([
    ['fewer records than were lost', 6],
    ['more of them', 25],
  ])('gives no offset that the store has passed, also where %s come before it is read', async (_, count) => {
    await loseEnd()
    expect(meetStore(directory, stored)).toBe(30)
    const after = makeRecords(count, 'after')
    await appendTo(directory, after)
    expect(await readAllOf(directory, stored)).toMatchObject({ ids: toIds([...before, ...after]), errors: [], lost: 0 })
    // It says it once: from now on all is well.
    expect(meetStore(directory, stored)).toBeUndefined()
    expect(await readAllOf(directory, stored + count)).toMatchObject({ ids: [], errors: [], lost: 0 })
  })

  test('reads all of another log again, also where it is killed in the middle of that', async () => {
    await loseEnd()
    meetStore(directory, stored)
    await appendTo(directory, makeRecords(6, 'after'))
    writeStoredThrough(directory, 12)
    expect((await readAllOf(directory, stored)).ids).toHaveLength(18 + 6)
  })

  test('a kill between the two files that it writes leaves nothing out', async () => {
    await loseEnd()
    writeStoredThrough(directory, 0)
    expect(meetStore(directory, stored)).toBe(30)
    expect((await readAllOf(directory, stored)).ids).toEqual(toIds(before))
  })

  test('the whole directory is gone: a new log begins where the store is', async () => {
    await loseEnd()
    rmSync(directory, { recursive: true })
    expect(meetStore(directory, stored)).toBe(0)
    const after = makeRecords(50, 'after')
    await appendTo(directory, after)
    expect(await readAllOf(directory, stored)).toMatchObject({ ids: toIds(after), errors: [], lost: 0 })
  })

  test('a log that the store has read to its end, or not yet, is left as it is', async () => {
    await appendTo(directory, before)
    for (const position of [0, 12, 30]) {
      expect(meetStore(directory, position)).toBeUndefined()
      expect((await readAllOf(directory, position)).ids).toEqual(toIds(before.slice(position)))
    }
  })
})

test('a reader that is killed while it reads an older copy again goes on there, and not at the position of the store', async () => {
  const older = makeRecords(30, 'older')
  await appendTo(directory, older)
  writeOffsetFloor(directory, 40)
  writeStoredThrough(directory, 25)
  await appendTo(directory, makeRecords(1, 'after'))
  expect((await readAllOf(directory, 40)).ids).toHaveLength(5 + 1)
})

describe.skipIf(isThorough)('something else in its place', () => {
  test('is said by the health of the log, which works without it', async () => {
    const before = makeRecords(40, 'before')
    await appendTo(directory, before)
    rmSync(keptFile)
    mkdirSync(join(keptFile, 'and something in it'), { recursive: true })
    const writer = await openLocalLogWriter({ directory })
    const after = makeRecords(1, 'after')
    await writer.append(after[0] as LogRecord)
    await until(() => 'note' in writer.health())
    expect(writer.health()).toEqual({ ok: true, note: expect.stringContaining('kept-offsets.txt cannot be written') })
    await writer.close()
    expect(await readAllOf(directory)).toMatchObject({ ids: toIds([...before, ...after]), lost: 0, errors: [] })
    expect(checkLocalLog(directory)).toMatchObject({ readable: 41, missing: 0 })
  })
})

describe.runIf(canMount && !isThorough)('a full disk under it alone', () => {
  test('keeps no record out, is said, and the file is written as soon as there is room', async () => {
    disk = mountSmallDisk('1m')
    mkdirSync(directory)
    symlinkSync(join(disk.directory, 'kept-offsets.txt'), keptFile)
    disk.fill(0)
    const writer = await openLocalLogWriter({ directory })
    const records = makeRecords(20, 'before')
    await Promise.all(records.map((record) => writer.append(record)))
    expect(readKeptOffsets(directory)).toBeUndefined()
    await until(() => 'note' in writer.health())
    disk.makeRoom()
    const after = makeRecords(1, 'after')
    await writer.append(after[0] as LogRecord)
    expect(readKeptOffsets(directory)).toEqual({ first: 0, next: 21 })
    await until(() => !('note' in writer.health()))
    await writer.close()
    expect(await readAllOf(directory)).toMatchObject({ ids: toIds([...records, ...after]), lost: 0, errors: [] })
  })
})

describe.skipIf(isThorough)('a power failure', () => {
  const limits = (): LocalLimits => ({
    directory,
    maxBytes: 1e9,
    retentionMs: 0,
    retentionBytes: 0,
    shrinks: true,
    reserveBytes: 0,
    limitVariable: 'LOG_MAX_BYTES',
  })

  test('between a commit and its write leaves the record, once', async () => {
    mkdirSync(directory)
    const store = openLocalStore(limits())
    const records = makeRecords(12, 'committed')
    store.append(records.slice(0, 5))
    const older = readFileSync(keptFile)
    for (const record of records.slice(5)) store.append([record])
    const copy = copyLog()
    store.close()
    restore(copy)
    writeFileSync(keptFile, older)

    expect(checkLocalLog(directory)).toMatchObject({ readable: 12, missing: 0 })
    const after = makeRecords(3, 'after')
    await appendTo(directory, after)
    expect(await readAllOf(directory)).toMatchObject({ ids: toIds([...records, ...after]), lost: 0, errors: [] })
    expect(readKeptOffsets(directory)).toEqual({ first: 0, next: 15 })
  })

  test.each([
    ['1970', 300_000],
    ['2201', Date.UTC(2201)],
  ])('between the two leaves the record of a clock in %s, with its time', async (_, receivedAt) => {
    const records = makeRecords(3, 'clock').map((record) => ({ ...record, receivedAt }))
    await appendTo(directory, records.slice(0, 1))
    const older = readFileSync(keptFile)
    await appendTo(directory, records.slice(1))
    writeFileSync(keptFile, older)

    const after = makeRecords(1, 'after')
    await appendTo(directory, after)
    writeFileSync(keptFile, older)
    expect(repairLocalLog(directory, new Date(), false)).toMatchObject({ kept: 4, lost: 0, damaged: 0 })
    expect(await readAllOf(directory)).toMatchObject({ ids: toIds([...records, ...after]), lost: 0, errors: [] })
    const times: number[] = []
    for await (const slice of scanLocalLog(directory)) times.push(...slice.records.map((record) => record.receivedAt))
    expect(times).toEqual([receivedAt, receivedAt, receivedAt, after[0]?.receivedAt])
  })

  test('between its write and the removal that it announces says no loss', async () => {
    mkdirSync(directory)
    const store = openLocalStore(limits())
    const records = makeRecords(12, 'stored')
    store.append(records)
    const announced = copyLog()
    writeStoredThrough(directory, 8)
    while (store.trim(Date.now() + 60_000));
    expect(readKeptOffsets(directory)).toEqual({ first: 8, next: 12 })
    writeFileSync(join(announced, 'kept-offsets.txt'), readFileSync(keptFile))
    store.close()
    // The removal did not come to the disk, nor did the position.
    restore(announced)
    expect(checkLocalLog(directory)).toMatchObject({ readable: 12, missing: 0 })
    expect(await readAllOf(directory)).toMatchObject({ ids: toIds(records), lost: 0, errors: [] })
  })
})
