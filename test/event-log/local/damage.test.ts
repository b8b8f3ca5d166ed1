/** Damage is noticed and never worked around: a wrong row is a failed event, a file that SQLite refuses is one sentence. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { StartError } from '../../../services/config/start-error.ts'
import { writeStoredThrough } from '../../../services/event-log/local/position.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { testDirectory } from '../../support/directories.ts'
import { toRecord } from '../records.ts'
import { appendTo, readAllOf } from './whole-log.ts'

const pageBytes = 8_192
const count = 400
const records = Array.from({ length: count }, (_, index) => toRecord(`delivery <${index}> `.padEnd(300, 'x')))
let directory: string
const file = () => join(directory, 'log.sqlite')
/** Names the file and both ways out, in one line. */
const sentence = (words: string) =>
  new RegExp(
    `^\\S+log\\.sqlite is damaged \\(.*${words}.*\\): either restore the backup \\(rollcall restore\\), or move it away, ` +
      'start Rollcall and run rollcall backfill --all --repair, which does not bring back past states, people who sign in, tokens, notes and targets\\.$',
  )

beforeEach(() => {
  directory = testDirectory()
  appendTo(directory, records)
})

function spoil(change: (content: Buffer) => void): void {
  const content = readFileSync(file())
  change(content)
  writeFileSync(file(), content)
}

function inDatabase(sql: string): void {
  const database = new DatabaseSync(file())
  database.exec(sql)
  database.close()
}

async function expectDamaged(words: string, open: () => Promise<unknown>): Promise<void> {
  const error = await open().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(StartError)
  expect((error as Error).message).toMatch(sentence(words))
}

test.each([
  ['body', `CAST('X' || substr(CAST(body AS TEXT), 2) AS BLOB)`],
  ['event_id', `'${'0'.repeat(32)}'`],
  ['received_at', '9e14'],
  ['source', `'somebody'`],
  ['key', `'another'`],
  ['crc', '1'],
])(
  'delivers a record with a wrong %s as damaged, with the time of the record before it',
  async (column, value) => {
    inDatabase(`UPDATE records SET ${column} = ${value} WHERE offset = 20`)
    const read = await readAllOf(directory)
    expect(read.errors).toEqual([])
    expect(read.records.map(({ offset }) => offset)).toEqual(records.map((_, index) => index))
    expect(read.records.filter(({ isDamaged }) => isDamaged)).toEqual([
      expect.objectContaining({ offset: 20, receivedAt: records[19]?.receivedAt }),
    ])
  },
)

test('stops at a record that is not in its place, because it would pass over those behind it', async () => {
  inDatabase(
    'UPDATE records SET offset = 9000 WHERE offset = 399; UPDATE records SET offset = 8000 WHERE offset = 398',
  )
  const read = await readAllOf(directory)
  expect(read.records).toEqual([])
  await expectDamaged('record 398 is not in its place', () => Promise.reject(read.errors[0]))
})

test('stops at a page that SQLite cannot read', async () => {
  spoil((content) => {
    const page = Math.floor(content.indexOf('delivery <200>') / pageBytes)
    content.fill(0xff, page * pageBytes, (page + 1) * pageBytes)
  })
  const read = await readAllOf(directory)
  await expectDamaged('malformed', () => Promise.reject(read.errors[0]))
  // What was read before it is as it was written.
  expect(read.ids).toEqual(records.slice(0, read.ids.length).map(({ eventId }) => eventId))
})

test.each([
  ['that is no database', 'not a database', (content: Buffer) => void content.fill(0xa5, 0, 100)],
  ['whose first page is garbled', 'malformed', (content: Buffer) => void content.fill(0xff, 100, pageBytes)],
])(
  'refuses a file %s in one sentence, and goes on in a new one from the position',
  async (_, words, change) => {
    spoil(change)
    await expectDamaged(words, () => openLocalLogWriter({ directory }))
    await expectDamaged(words, () => readAllOf(directory))
    for (const name of ['log.sqlite', 'log.sqlite-wal', 'log.sqlite-shm'])
      rmSync(join(directory, name), { force: true })
    writeStoredThrough(directory, count)
    appendTo(directory, [toRecord('after')])
    expect((await readAllOf(directory, count)).ids).toEqual([toRecord('after').eventId])
  },
)

test('refuses an empty file where there was a log: SQLite would start it over', async () => {
  writeStoredThrough(directory, 10)
  writeFileSync(file(), '')
  await expectDamaged('the file is empty', () => openLocalLogWriter({ directory }))
})
