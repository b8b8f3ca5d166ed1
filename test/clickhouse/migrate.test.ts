import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSchemaFiles, toStatements, waitForSchema } from '../../services/clickhouse/migrate.ts'
import { StartError } from '../../services/config/start-error.ts'
import { version } from '../../services/runtime/version.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

// A story: each test changes the record of the migrations.
describe('migrations', { shuffle: false }, () => {
  test('are applied once, and running them again changes nothing', async () => {
    expect(await store.migrate()).toEqual({ applied: [], replaced: [] })
    const [recorded] = await store.rows('SELECT count() AS n FROM rollcall.schema_migrations')
    expect(Number(recorded?.n)).toBe(readSchemaFiles('migrations').length)
  })

  test('go on where a crash between a statement and its record left them', async () => {
    const last = readSchemaFiles('migrations').at(-1)?.name
    await store.writer.command({
      query: 'DELETE FROM rollcall.schema_migrations WHERE name = {name:String}',
      query_params: { name: last },
    })
    expect(await store.migrate()).toMatchObject({ applied: [last] })
  })

  test('are numbered files; each table is made once, by its first statement', () => {
    const files = readSchemaFiles('migrations')
    for (const { name } of files) expect(name).toMatch(/^\d{2}_[a-z_]+\.sql$/)
    expect(new Set(files.map(({ name }) => name.slice(0, 2))).size).toBe(files.length)
    const made = new Set<string>()
    for (const statement of files.flatMap(({ sql }) => toStatements(sql))) {
      const [, create, table = ''] =
        /^(?:(CREATE TABLE IF NOT EXISTS)|ALTER TABLE) rollcall\.(\w+)$/m.exec(statement) ??
        expect.fail(statement)
      expect([table, made.has(table)]).toEqual([table, create === undefined])
      made.add(table)
    }
  })

  test('comment every table, every view and every column of a table', async () => {
    expect(
      await store.rows(`SELECT name FROM system.tables WHERE database = 'rollcall' AND comment = ''`),
    ).toEqual([])
    expect(
      await store.rows(
        `SELECT table, name FROM system.columns WHERE database = 'rollcall' AND comment = ''
           AND table IN (SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree')`,
      ),
    ).toEqual([])
  })

  const record = (row: { name: string; checksum: string; version: string }) =>
    store.writer.insert({ table: 'rollcall.schema_migrations', values: [row], format: 'JSONEachRow' })
  const forget = (name: string) =>
    store.writer.command({ query: `DELETE FROM rollcall.schema_migrations WHERE name = '${name}'` })

  test('record the version that applied them', async () => {
    expect(await store.rows('SELECT DISTINCT version FROM rollcall.schema_migrations')).toEqual([{ version }])
  })

  test.each([
    ['an unknown name', { name: '99_future.sql', checksum: 'x' }],
    ['another checksum', { name: '01_events.sql', checksum: 'of another text' }],
  ])(
    'refuse a store with %s before anything is written, and name both versions',
    async (_, { name, checksum }) => {
      await forget('08_state.sql')
      await record({ name, checksum, version: '9.9.9' })
      const refused = `The store was made by Rollcall 9.9.9, with a table file ${name} that this Rollcall ${version} does not have. Nothing was changed.`
      await expect(store.migrate()).rejects.toThrow(StartError)
      await expect(store.migrate()).rejects.toThrow(refused)
      // Not even the file that is missing.
      const names = await store.rows<{ name: string }>('SELECT name FROM rollcall.schema_migrations')
      expect(names.map((row) => row.name)).not.toContain('08_state.sql')
      await store.writer.command({ query: `DELETE FROM rollcall.schema_migrations WHERE version = '9.9.9'` })
      expect((await store.migrate()).applied).toEqual(['08_state.sql'])
    },
  )

  test('refuse dashboards on another table file, and none that is only newer', async () => {
    await record({ name: '99_future.sql', checksum: 'x', version: '9.9.9' })
    await waitForSchema(store.reader, 0)
    await record({ name: '01_events.sql', checksum: 'of another text', version: '9.9.9' })
    await expect(waitForSchema(store.reader, 0)).rejects.toThrow(
      'made by Rollcall 9.9.9, with a table file 01_events.sql',
    )
  })

  test('refuse a store that records no version', async () => {
    await store.writer.command({ query: 'DROP TABLE rollcall.schema_migrations SYNC' })
    await store.writer.command({
      query: `CREATE TABLE rollcall.schema_migrations (name String, checksum String) ENGINE = MergeTree ORDER BY name
        AS SELECT '0001_event_rows.sql', 'x'`,
    })
    await expect(store.migrate()).rejects.toThrow(
      /^The store was made by an unreleased version of Rollcall, with a table/,
    )
  })
})
