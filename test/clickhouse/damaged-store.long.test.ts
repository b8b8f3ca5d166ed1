import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { StartError } from '../../services/config/start-error.ts'
import { migrate, readViews, replaceViews } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'

describe('the definitions in a store', () => {
  let whole: string
  let directory: string
  const inMetadata = (file: string) => join(directory, 'metadata/rollcall', file)
  const viewFiles = () => readViews().map(({ name }) => inMetadata(`${name}.sql`))

  async function inStore<Result>(
    use: (client: Parameters<typeof migrate>[0]) => Promise<Result>,
  ): Promise<Result> {
    const clickhouse = await openEmbeddedClickHouse({ directory })
    try {
      return await use(clickhouse.writer)
    } finally {
      await clickhouse.close()
    }
  }
  const stamps = () => viewFiles().map((file) => statSync(file).ino)

  beforeAll(async () => {
    whole = directory = join(mkdtempSync(join(tmpdir(), 'rollcall-whole-')), 'clickhouse')
    await inStore((client) => migrate(client))
  })
  afterAll(() => rmSync(join(whole, '..'), { recursive: true }))
  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'rollcall-damaged-')), 'clickhouse')
    cpSync(whole, directory, { recursive: true, verbatimSymlinks: true })
  })
  afterEach(() => rmSync(join(directory, '..'), { recursive: true }))

  test('stay untouched by a start that changes none of them', async () => {
    const before = stamps()
    expect(await inStore((client) => migrate(client))).toEqual({ applied: [], replaced: [] })
    expect(stamps()).toEqual(before)
  })

  test('of a view are replaced when its text differs, when it is another one, and when it is missing', async () => {
    const views = ['one', 'two', 'three', 'four'].map((name) => {
      return {
        name,
        statement: `CREATE OR REPLACE VIEW rollcall.${name} AS SELECT 1 AS n COMMENT 'A number'`,
      }
    })
    const changed = views.map((view) =>
      view.name === 'one' ? { ...view, statement: view.statement.replace('SELECT 1', 'SELECT 2') } : view,
    )
    await inStore(async (client) => {
      const replaced = (of: typeof views) => replaceViews(client, of, { isAll: false })
      expect(await replaced(views)).toEqual(['one', 'two', 'three', 'four'])
      expect(await replaced(views)).toEqual([])
      await client.command({ query: 'CREATE OR REPLACE VIEW rollcall.two AS SELECT 3 AS n' })
      await client.command({ query: 'DROP VIEW rollcall.three' })
      expect(await replaced(changed)).toEqual(['one', 'two', 'three'])
      expect(await replaced(changed)).toEqual([])
    })
  })

  test('of views are created anew when a full disk has left them empty, cut, or under a name of the engine', async () => {
    const [empty, cut, lost, garbled] = viewFiles() as [string, string, string, string]
    truncateSync(empty, 0)
    truncateSync(cut, Math.floor(statSync(cut).size / 2))
    rmSync(lost)
    writeFileSync(garbled, Buffer.alloc(4_096, 0xff))
    writeFileSync(inMetadata('_tmp_replace_6fa1.sql'), '')
    const { applied, replaced } = await inStore((client) => migrate(client))
    expect(applied).toEqual([])
    expect(replaced).toHaveLength(viewFiles().length)
    for (const file of viewFiles()) expect(readFileSync(file, 'utf8')).toMatch(/^ATTACH VIEW /)
    expect(
      readdirSync(join(directory, 'metadata/rollcall')).filter((file) => file.startsWith('_tmp')),
    ).toEqual([])
  })

  test('of a table without rows are created anew when they are empty', async () => {
    truncateSync(inMetadata('reconcile_checks.sql'), 0)
    await inStore(async (client) => {
      await client.command({
        query: `DELETE FROM rollcall.schema_migrations WHERE name = '05_platform.sql'`,
      })
      expect((await migrate(client)).applied).toEqual(['05_platform.sql'])
    })
  })

  test.each([
    ['cut', (file: string) => truncateSync(file, 40)],
    ['garbled', (file: string) => writeFileSync(file, Buffer.alloc(4_096, 0xff))],
  ])(
    'of a table with rows, once %s, are called damaged in the words of the engine, with both ways out',
    async (_, change) => {
      change(inMetadata('settings.sql'))
      const error = await openEmbeddedClickHouse({ directory }).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(StartError)
      expect((error as Error).message).toMatch(
        /^\S+clickhouse is damaged \(.*settings\.sql.*\): either restore the backup \(rollcall restore\), or move it away, start Rollcall and run rollcall backfill --all --repair, which does not bring back past states, people who sign in, tokens, notes and targets\.$/,
      )
    },
  )

  test('are not called damaged where a file is in place of the directory', async () => {
    rmSync(directory, { recursive: true })
    writeFileSync(directory, 'mine')
    await expect(openEmbeddedClickHouse({ directory })).rejects.toThrow(
      /is a file, and the store needs a directory there/,
    )
    expect(readFileSync(directory, 'utf8')).toBe('mine')
  })
})

test('a store in use is told from a damaged one', async () => {
  const directory = join(mkdtempSync(join(tmpdir(), 'rollcall-used-')), 'clickhouse')
  const clickhouse = await openEmbeddedClickHouse({ directory })
  await expect(openEmbeddedClickHouse({ directory })).rejects.toThrow('another Rollcall runs on it')
  await clickhouse.close()
  rmSync(join(directory, '..'), { recursive: true })
})
