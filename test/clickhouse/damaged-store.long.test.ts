/** Definitions in a store that a full disk has left empty or cut, and what is damaged for good. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { migrate, readViews } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { fileDirectory, testDirectory } from '../support/directories.ts'
import { openDirectory } from '../support/store/store.ts'

let directory: string
const inMetadata = (file: string) => join(directory, 'metadata/rollcall', file)
const viewFiles = () => readViews().map(({ name }) => inMetadata(`${name}.sql`))

async function inStore<Result>(
  use: (client: Parameters<typeof migrate>[0]) => Promise<Result>,
): Promise<Result> {
  const clickhouse = await openDirectory(directory)
  try {
    return await use(clickhouse.writer)
  } finally {
    await clickhouse.close()
  }
}

const whole = join(fileDirectory(), 'clickhouse')
directory = whole
await inStore((client) => migrate(client))
beforeEach(() => {
  directory = join(testDirectory(), 'clickhouse')
  cpSync(whole, directory, { recursive: true, verbatimSymlinks: true })
})

test('a start that changes no view touches no file of one; a missing one is created again', async () => {
  const stamps = () => viewFiles().map((file) => statSync(file).ino)
  const before = stamps()
  expect(await inStore((client) => migrate(client))).toEqual({ applied: [], replaced: [] })
  expect(stamps()).toEqual(before)
  await inStore((client) => client.command({ query: 'DROP VIEW rollcall.events' }))
  expect((await inStore((client) => migrate(client))).replaced).toContain('events')
})

test('definitions that a full disk has left empty, cut, or under a name of the engine are created again', async () => {
  const [empty, cut, lost, garbled] = viewFiles() as [string, string, string, string]
  truncateSync(empty, 0)
  truncateSync(cut, Math.floor(statSync(cut).size / 2))
  rmSync(lost)
  writeFileSync(garbled, Buffer.alloc(4_096, 0xff))
  writeFileSync(inMetadata('_tmp_replace_6fa1.sql'), '')
  // Of a table without rows.
  truncateSync(inMetadata('reconcile_checks.sql'), 0)
  await inStore(async (client) => {
    await client.command({ query: `DELETE FROM rollcall.schema_migrations WHERE name = '05_platform.sql'` })
    expect((await migrate(client)).applied).toEqual(['05_platform.sql'])
  })
  for (const file of viewFiles()) expect(readFileSync(file, 'utf8')).toMatch(/^ATTACH VIEW /)
  expect(readdirSync(inMetadata('')).filter((file) => file.startsWith('_tmp'))).toEqual([])
})

test('a cut definition of a table with rows keeps the store closed, and the error names both ways out', async () => {
  truncateSync(inMetadata('settings.sql'), 40)
  await expect(openEmbeddedClickHouse({ directory })).rejects.toThrow(
    /^The store in \S+clickhouse cannot be opened\. .* either restore the backup \(rollcall restore\), or move it away, start Rollcall and run rollcall backfill/,
  )
})

test('a file in place of the directory, and a store in use, are not called damaged', async () => {
  const opened = await openEmbeddedClickHouse({ directory })
  await expect(openEmbeddedClickHouse({ directory })).rejects.toThrow('another Rollcall runs on it')
  await opened.close()
  rmSync(directory, { recursive: true })
  writeFileSync(directory, 'mine')
  await expect(openEmbeddedClickHouse({ directory })).rejects.toThrow(
    'is a file, and the store needs a directory',
  )
  expect(readFileSync(directory, 'utf8')).toBe('mine')
})
