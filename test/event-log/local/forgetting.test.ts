/** Records that retention has removed are in no file any more: neither in freed pages nor in the write-ahead file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { createForgetting } from '../../../services/event-log/local/forgetting.ts'
import { writeStoredThrough } from '../../../services/event-log/local/position.ts'
import { openRows } from '../../../services/event-log/local/row.ts'
import { openLocalStore } from '../../../services/event-log/local/store.ts'
import { openLocalDatabase } from '../../../services/event-log/local/table.ts'
import { toRecord } from '../records.ts'
import { testDirectory } from '../../support/directories.ts'

const mark = 'Annelore Markworth'
const removedCount = 900
const limits = { maxBytes: 1e9, retentionMs: 0, retentionBytes: 1e9, reserveBytes: 0, limitVariable: 'X' }
let directory: string
beforeEach(() => {
  directory = testDirectory()
})

/** Every twentieth fills pages of its own, and two are larger than one removal. */
const makeRecords = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) =>
    toRecord(`${name} ${at} `.repeat(at % 20 === 0 ? 2_000 : 30), `${name} ${at}`),
  )

function findMark(): string[] {
  return readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(mark))
}

test('a log overwrites what it has removed, and keeps what it has not', () => {
  const store = openLocalStore({ ...limits, directory })
  const removed = makeRecords(removedCount, mark)
  for (let start = 0; start < removed.length; start += 50) store.append(removed.slice(start, start + 50))
  const kept = makeRecords(100, 'Somebody Else')
  store.append(kept)
  expect(findMark()).toContain('log.sqlite')

  writeStoredThrough(directory, removedCount)
  const later = Date.now() + 1
  while (store.stats().firstOffset < removedCount) store.trim(later)
  while (store.trim(later));
  expect(findMark()).toEqual([])

  const database = openLocalDatabase(directory)
  const records = [...openRows(database, directory).read(0)]
  database.close()
  expect(records.map(({ eventId }) => eventId)).toEqual(kept.map(({ eventId }) => eventId))
  expect(records.some(({ isDamaged }) => isDamaged)).toBe(false)
  store.close()
})

test('a reader in the middle of something delays the cut, and nothing waits for it', () => {
  const database = openLocalDatabase(directory)
  let now = 0
  const forgetting = createForgetting(database, () => now)
  database.exec(`INSERT INTO records VALUES (1, 1, 1, 'main', '${mark}', 'id', '', x'00', 0)`)
  const reader = new DatabaseSync(join(directory, 'log.sqlite'))
  reader.exec('BEGIN')
  reader.prepare('SELECT * FROM records').all()
  database.exec('DELETE FROM records')
  forgetting.removed()
  // A wait for the reader would end with this test's own limit.
  database.exec('PRAGMA busy_timeout = 3600000')
  forgetting.settled()
  expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 3_600_000 })
  expect(findMark()).toEqual(['log.sqlite-wal'])
  reader.close()
  forgetting.settled()
  expect(findMark()).toEqual(['log.sqlite-wal'])
  now = 60_000
  forgetting.settled()
  expect(findMark()).toEqual([])
  database.close()
})
