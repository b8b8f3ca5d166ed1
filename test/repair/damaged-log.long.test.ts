import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { LogRecord } from '../../services/event-log/event-log.ts'
import { checkLocalLog, isWhole } from '../../services/repair/check-log.ts'
import { LogDamagedError } from '../../services/event-log/local/damage/error.ts'
import { countLost, readLosses } from '../../services/event-log/local/damage/losses.ts'
import { repairLocalLog } from '../../services/repair/repair-log.ts'
import { meetStore } from '../../services/event-log/local/meet-store.ts'
import { openLocalLogReader } from '../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../services/event-log/local/writer.ts'
import { createRandom } from '../../sample-platform/random.ts'
import { flipLog } from '../chaos/faults/files.ts'
import { isComplete } from '../support/thorough.ts'
import { until } from '../support/wait.ts'
import { createStore, readerOptions } from '../event-log/contract.ts'
import { toRecord } from '../event-log/records.ts'
import { appendTo, readAllOf } from '../event-log/local/whole-log.ts'
import { testDirectory } from '../support/directories.ts'

const pageBytes = 8_192
const pageOfPages = 0x05
const flipRuns = Number(process.env['FLIP_RUNS'] ?? (isComplete ? 25 : 12))
let root: string
let directory: string
const inLog = (file: string) => join(directory, file)

beforeEach(() => {
  root = testDirectory()
  directory = join(root, 'log')
})

/** Bodies that repeat something of their own, so that their part on a page can be found; every tenth fills several pages. */
function makeRecords(count: number, label = 'record'): LogRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const mark = `${label}-${String(index).padStart(6, '0')};`
    return toRecord(mark.repeat(index % 10 === 9 ? 2_000 : 60))
  })
}

const append = (records: readonly LogRecord[]) => appendTo(directory, records)
const readAll = () => readAllOf(directory)

function damage(file: string, position: number, bytes: Buffer): void {
  const content = readFileSync(inLog(file))
  bytes.copy(content, position)
  writeFileSync(inLog(file), content)
}

/** The page on which the row of this record begins. */
function findPage(record: LogRecord): number {
  return Math.floor(readFileSync(inLog('log.sqlite')).indexOf(record.eventId) / pageBytes)
}

test('a start that compares the log with its store meets any damaged page in known words or goes on', async () => {
  await append(makeRecords(200))
  const whole = readFileSync(inLog('log.sqlite'))
  let hiddenEnds = 0
  for (let page = 1; page * pageBytes < whole.length; page++) {
    writeFileSync(inLog('log.sqlite'), whole)
    damage('log.sqlite', page * pageBytes, Buffer.alloc(pageBytes, 0xff))
    try {
      if (meetStore(directory, 200) === undefined) hiddenEnds++
    } catch (error) {
      expect(error).toBeInstanceOf(LogDamagedError)
    }
  }
  expect(hiddenEnds).toBeGreaterThan(0)
})

describe('a page of rows that is damaged', () => {
  test('costs the records on it and no other, and what is appended later is stored as before', async () => {
    const records = makeRecords(300)
    await append(records)
    damage('log.sqlite', findPage(records[150] as LogRecord) * pageBytes, Buffer.alloc(pageBytes, 0xff))

    const later = makeRecords(20, 'later')
    await append(later)
    const { ids, lost, losses, errors } = await readAll()
    expect(errors).toEqual([])
    expect(ids).not.toContain(records[150]?.eventId)
    expect(ids.length).toBeGreaterThan(280)
    expect(ids.slice(-20)).toEqual(later.map(({ eventId }) => eventId))
    // Each is said once, and the batch with the next record says it to the ledger.
    expect(lost).toBe(320 - ids.length)
    expect(losses.reduce((sum, records) => sum + records, 0)).toBe(lost)
    expect(countLost(readLosses(directory))).toBe(lost)

    const again = await readAll()
    expect(again).toMatchObject({ ids, lost, losses: [] })
  })

  test('is said by the health of the log, which takes records, and removes no others because of it', async () => {
    const records = makeRecords(100)
    await append(records)
    damage('log.sqlite', findPage(records[50] as LogRecord) * pageBytes, Buffer.alloc(pageBytes, 0xff))
    const { lost } = await readAll()
    const writer = await openLocalLogWriter({ directory, retentionMs: 0 })
    await until(() => writer.stats().lostRecords === lost)
    expect(writer.health()).toEqual({
      ok: true,
      note: expect.stringMatching(/has lost deliveries\. How many: rollcall ledger/),
    })
    await writer.append(makeRecords(1, 'later')[0] as LogRecord)
    await writer.close()
  })

  test('is repaired with the same offsets, a count of lost records, and the old file kept aside', async () => {
    const records = makeRecords(300)
    await append(records)
    const page = findPage(records[150] as LogRecord)
    damage('log.sqlite', page * pageBytes, Buffer.alloc(pageBytes, 0xff))
    const before = await readAll()
    expect(isWhole(checkLocalLog(directory) as never)).toBe(false)

    // Nothing was stored: all that is gone is lost.
    writeFileSync(inLog('stored-through.txt'), `${'0'.repeat(16)}\n`)
    const repair = repairLocalLog(directory, new Date(), false)
    expect(repair).toMatchObject({ kept: before.ids.length, damaged: 0, lost: before.lost })
    expect(readdirSync(repair.asideIn)).toContain('log.sqlite')
    expect(checkLocalLog(directory)).toMatchObject({ readable: before.ids.length, lost: before.lost, structure: [] })
    const after = await readAll()
    expect(after).toMatchObject({ ids: before.ids, lost: before.lost, errors: [] })
    const later = makeRecords(3, 'later')
    await append(later)
    expect((await readAll()).ids.slice(-3)).toEqual(later.map(({ eventId }) => eventId))
  })
})

test('what the reader has passed over and a repair can read is stored after all, once', async () => {
  const records = makeRecords(200)
  await append(records)
  // The link to a page of rows, not the page itself: the page of all such pages has a four-byte number for each.
  const content = readFileSync(inLog('log.sqlite'))
  const number = Buffer.alloc(4)
  number.writeUInt32BE(findPage(records[150] as LogRecord) + 1)
  const root = Array.from({ length: content.length / pageBytes }, (_, page) => page * pageBytes).find(
    (position) => content[position] === pageOfPages,
  ) as number
  damage('log.sqlite', content.indexOf(number, root), Buffer.alloc(4, 0xff))
  const { ids: before, lost } = await readAll()
  expect(lost).toBeGreaterThan(0)

  expect(repairLocalLog(directory, new Date(), false)).toMatchObject({ kept: 200, lost: 0, foundAgain: lost })
  expect(countLost(readLosses(directory))).toBe(0)
  expect(isWhole(checkLocalLog(directory) as never)).toBe(true)
  // From where the reader had come to.
  const store = createStore()
  store.positions.set(0, 200)
  const reader = openLocalLogReader({ directory })
  reader.start(store.handler, readerOptions, () => {})
  await until(() => store.caughtUp.length > 0)
  await reader.close()
  expect(store.ids().toSorted()).toEqual(
    records
      .map(({ eventId }) => eventId)
      .filter((id) => !before.includes(id))
      .toSorted(),
  )
  await append(makeRecords(1, 'later'))
})

describe('a body that is damaged', () => {
  test('is delivered as such, under its id, and so it is after a repair', async () => {
    const records = makeRecords(30)
    await append(records)
    const position = readFileSync(inLog('log.sqlite')).indexOf('record-000012;record')
    damage('log.sqlite', position + 100, Buffer.from('x'))
    const expected = [records[12]?.eventId]
    expect((await readAll()).damagedIds).toEqual(expected)
    expect(checkLocalLog(directory)).toMatchObject({ readable: 29, damaged: 1 })
    expect(repairLocalLog(directory, new Date(), false)).toMatchObject({ kept: 30, damaged: 1, lost: 0 })
    expect((await readAll()).damagedIds).toEqual(expected)
  })

  test('is distinguished from an intact body with a damaged source or time', async () => {
    const records = makeRecords(10)
    await append(records)
    const position = readFileSync(inLog('log.sqlite')).indexOf(`default${records[4]?.key}`)
    damage('log.sqlite', position, Buffer.from('D'))
    expect(await readAll()).toMatchObject({ damagedIds: [], ids: records.map(({ eventId }) => eventId) })
  })
})

describe('a file that SQLite refuses', () => {
  test.each([
    ['a header that is garbage', (content: Buffer) => void content.fill(0xa5, 0, 100)],
    ['a header that claims another page size', (content: Buffer) => void content.writeUInt16BE(512, 16)],
    ['a root page that is garbage', (content: Buffer) => void content.fill(0xa5, pageBytes, 2 * pageBytes)],
    ['a schema that is garbage', (content: Buffer) => void content.fill(0xa5, 100, pageBytes)],
  ])('(%s) is refused with the way out, and loses no record by that', async (_, spoil) => {
    const records = makeRecords(120)
    await append(records)
    const content = readFileSync(inLog('log.sqlite'))
    spoil(content)
    writeFileSync(inLog('log.sqlite'), content)
    rmSync(inLog('log.sqlite-wal'), { force: true })

    const opened = openLocalLogWriter({ directory })
    await expect(opened).rejects.toThrow(LogDamagedError)
    await expect(opened).rejects.toThrow('run: rollcall log repair')
    expect(checkLocalLog(directory)).toMatchObject({ broken: expect.stringContaining('damaged') })
    expect(repairLocalLog(directory, new Date(), false)).toMatchObject({ kept: 120, lost: 0 })
    expect((await readAll()).ids).toEqual(records.map(({ eventId }) => eventId))
  })

  test('because its end is cut off keeps all that is before the end', async () => {
    const records = makeRecords(200)
    await append(records)
    const firstGone = Math.floor(readFileSync(inLog('log.sqlite')).length / 2 / pageBytes)
    const before = records.filter((record) => findPage(record) < firstGone - 5)
    truncateSync(inLog('log.sqlite'), firstGone * pageBytes)
    const { kept, lost } = repairLocalLog(directory, new Date(), false)
    expect(kept).toBeGreaterThanOrEqual(before.length)
    expect(kept + lost).toBe(records.length)
    const { ids, errors } = await readAll()
    expect(errors).toEqual([])
    expect(ids).toEqual(expect.arrayContaining(before.map(({ eventId }) => eventId)))
  })
})

test('a repair that is stopped between its last two steps is finished by the next one, and nothing starts empty before', async () => {
  const records = makeRecords(40)
  await append(records)
  cpSync(directory, `${directory}.repaired`, { recursive: true })
  rmSync(directory, { recursive: true })
  await expect(openLocalLogWriter({ directory })).rejects.toThrow('was interrupted. Run: rollcall log repair')
  repairLocalLog(directory, new Date(), false)
  expect((await readAll()).ids).toHaveLength(40)
})

test('what a stranger writes into a body is no row, however it looks', async () => {
  const [own] = makeRecords(1, 'own') as [LogRecord]
  await append([own])
  // A page of the log itself, with a whole row, shifted so that it fills pages that continue the body.
  const page = readFileSync(inLog('log.sqlite')).subarray(pageBytes, 2 * pageBytes)
  const forged = Array.from({ length: 40 }, (_, shift) => Buffer.concat([Buffer.alloc(shift), page, page, page]))
  rmSync(directory, { recursive: true })
  await append(forged.map((body) => toRecord(body)))
  truncateSync(inLog('log.sqlite'), readFileSync(inLog('log.sqlite')).length - 100)
  damage('log.sqlite', 0, Buffer.alloc(100))
  repairLocalLog(directory, new Date(), false)
  expect((await readAll()).ids).not.toContain(own.eventId)
})

describe('flipped bits', () => {
  test.each([
    ['repaired first', true],
    ['found by a start', false],
  ])('(%s) destroy nothing in silence', async (_, isRepairedFirst) => {
    const records = makeRecords(60)
    const writer = await openLocalLogWriter({ directory })
    for (const record of records.slice(0, 30)) await writer.append(record)
    await Promise.all(records.slice(30).map((record) => writer.append(record)))
    // As a kill leaves it.
    const original = `${directory}.original`
    cpSync(directory, original, { recursive: true })
    await writer.close()
    const repairIfDamaged = () => {
      const check = checkLocalLog(directory)
      if (check !== undefined && !isWhole(check)) repairLocalLog(directory, new Date(), false)
    }

    for (let seed = 1; seed <= flipRuns; seed++) {
      for (const each of readdirSync(root)) {
        if (join(root, each) !== original) rmSync(join(root, each), { recursive: true })
      }
      cpSync(original, directory, { recursive: true })
      for (const role of ['writer', 'reader']) rmSync(inLog(`${role}.lock`), { force: true })
      rmSync(inLog('log.sqlite-shm'), { force: true })
      flipLog(directory, createRandom(`flips-${seed}`))

      if (!isRepairedFirst) {
        await openLocalLogWriter({ directory }).then(
          (opened) => opened.close(),
          (error: unknown) => expect(error).toBeInstanceOf(LogDamagedError),
        )
      }
      repairIfDamaged()
      const later = makeRecords(3, 'later')
      await append(later)
      const { ids, damagedIds, lost, errors } = await readAll()
      const kept = new Set([...ids, ...damagedIds])
      const destroyed = records.filter(({ eventId }) => !kept.has(eventId))
      const place = `seed ${seed}`
      expect({ place, errors, doubled: ids.length - new Set(ids).size }).toEqual({ place, errors: [], doubled: 0 })
      expect({ place, later: ids.slice(-3) }).toEqual({ place, later: later.map(({ eventId }) => eventId) })
      expect({ place, lost }).toEqual({ place, lost: destroyed.length })
      expect(countLost(readLosses(directory)), place).toBe(lost)
    }
  })
})

describe('random damage', () => {
  type Damage = { file: 'log.sqlite' | 'log.sqlite-wal'; at: number; bytes: Uint8Array; isCut: boolean }
  const anyDamage: fc.Arbitrary<Damage> = fc.record({
    file: fc.constantFrom('log.sqlite', 'log.sqlite-wal'),
    at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    isCut: fc.boolean(),
  })

  /** Which parts of the file a damage has touched: whole pages, and in the write-ahead file whole frames. */
  function apply({ file, at, bytes, isCut }: Damage): (position: number) => boolean {
    const content = readFileSync(inLog(file))
    const position = Math.floor(at * content.length)
    if (isCut) truncateSync(inLog(file), position)
    else damage(file, position, Buffer.from(bytes.slice(0, content.length - position)))
    const [start, step] = file === 'log.sqlite' ? [0, pageBytes] : [32, pageBytes + 24]
    const toIndex = (where: number) => Math.floor((where - start) / step)
    const last = isCut ? Infinity : toIndex(position + bytes.length)
    return (where) => toIndex(where) >= toIndex(position) && toIndex(where) <= last
  }

  function findAll(content: Buffer, mark: string): number[] {
    const found: number[] = []
    for (let at = content.indexOf(mark); at !== -1; at = content.indexOf(mark, at + 1)) found.push(at)
    return found
  }

  test('is passed over, or refused with the way out; every record that it has not touched is delivered, none is altered', async () => {
    const records = makeRecords(60)
    const known = new Map(records.map((record) => [record.eventId, record]))
    const writer = await openLocalLogWriter({ directory })
    for (const record of records.slice(0, 30)) await writer.append(record)
    await Promise.all(records.slice(30).map((record) => writer.append(record)))
    // As a kill leaves it: with a write-ahead file that is not in the file yet.
    const original = `${directory}.original`
    cpSync(directory, original, { recursive: true })
    await writer.close()

    await fc.assert(
      fc.asyncProperty(anyDamage, async (given) => {
        for (const each of readdirSync(root)) {
          if (join(root, each) !== original) rmSync(join(root, each), { recursive: true })
        }
        cpSync(original, directory, { recursive: true })
        for (const role of ['writer', 'reader']) rmSync(inLog(`${role}.lock`), { force: true })
        rmSync(inLog('log.sqlite-shm'), { force: true })
        const contents = { main: readFileSync(inLog('log.sqlite')), wal: readFileSync(inLog('log.sqlite-wal')) }
        const isTouched = apply(given)
        const inDamaged = given.file === 'log.sqlite' ? contents.main : contents.wal
        const untouched = records.filter(({ body, eventId }) => {
          const mark = Buffer.from(body.subarray(0, 14)).toString()
          return ![...findAll(inDamaged, mark), ...findAll(inDamaged, eventId)].some(isTouched)
        })

        const isOpen = await openLocalLogWriter({ directory }).then(
          async (opened) => {
            await opened.close()
            return true
          },
          (error: unknown) => {
            expect(error).toBeInstanceOf(LogDamagedError)
            return false
          },
        )
        if (isOpen) {
          const { errors } = await readAll()
          expect(errors.filter((error) => !(error instanceof LogDamagedError))).toEqual([])
        }
        const check = checkLocalLog(directory)
        if (check !== undefined && !isWhole(check)) repairLocalLog(directory, new Date(), false)
        rmSync(inLog('stored-through.txt'), { force: true })
        const { ids, errors } = await readAll()
        expect(errors).toEqual([])
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(known.has(id)).toBe(true)
        expect(untouched.filter(({ eventId }) => !ids.includes(eventId)).map(({ eventId }) => eventId)).toEqual([])
      }),
      { numRuns: isComplete ? 15 : 8, seed: 2026 },
    )
  })
})
