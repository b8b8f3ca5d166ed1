/** Something else is where the log should be: a start says so in words, changes nothing of it, and goes on once it is away. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { openLocalLogReader } from '../../../services/event-log/local/reader.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { StartError } from '../../../services/config/start-error.ts'
import { toRecord } from '../records.ts'
import { appendTo, readAllOf } from './whole-log.ts'
import { testDirectory } from '../../support/directories.ts'

let root: string
let directory: string

beforeEach(() => {
  root = testDirectory()
  directory = join(root, 'log')
})

function writeDatabase(sql: string): void {
  mkdirSync(directory)
  const database = new DatabaseSync(join(directory, 'log.sqlite'))
  database.exec(sql)
  database.close()
}

const cases: [string, RegExp, () => void][] = [
  [
    'a file in place of its directory',
    /log cannot be used as an event log \(EEXIST/,
    () => writeFileSync(directory, 'mine'),
  ],
  [
    'a directory in place of its file',
    /log cannot be used as an event log \(/,
    () => mkdirSync(join(directory, 'log.sqlite'), { recursive: true }),
  ],
  [
    'a table of somebody else',
    /log cannot be used as an event log \(no such column: /,
    () => writeDatabase('CREATE TABLE records (a)'),
  ],
]

test.each(cases)('%s is said in words, and stays what it is', async (_, words, make) => {
  make()
  const attempts = [() => openLocalLogWriter({ directory }), async () => openLocalLogReader({ directory })]
  for (const open of attempts) {
    const error = await open().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(words)
  }
  renameSync(directory, join(root, 'aside'))
  appendTo(directory, [toRecord('after')])
  expect(await readAllOf(directory)).toMatchObject({ ids: [toRecord('after').eventId], errors: [] })
})
