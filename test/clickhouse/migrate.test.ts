import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSchemaFiles, toStatements } from '../../services/clickhouse/migrate.ts'
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
        /^(?:(CREATE TABLE IF NOT EXISTS)|ALTER TABLE) rollcall\.(\w+)$/m.exec(statement) ?? expect.fail(statement)
      expect([table, made.has(table)]).toEqual([table, create === undefined])
      made.add(table)
    }
  })

  test('comment every table, every view and every column of a table', async () => {
    expect(await store.rows(`SELECT name FROM system.tables WHERE database = 'rollcall' AND comment = ''`)).toEqual([])
    expect(
      await store.rows(
        `SELECT table, name FROM system.columns WHERE database = 'rollcall' AND comment = ''
           AND table IN (SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree')`,
      ),
    ).toEqual([])
  })

  test('refuse data of a newer version, and say what to do', async () => {
    await store.writer.insert({
      table: 'rollcall.schema_migrations',
      values: [{ name: '9999_future.sql', checksum: 'x' }],
      format: 'JSONEachRow',
    })
    await expect(store.migrate()).rejects.toThrow('written by a newer Rollcall (it knows 9999_future.sql)')
    await store.writer.command({ query: `DELETE FROM rollcall.schema_migrations WHERE name = '9999_future.sql'` })
  })

  test('refuse to go on when a file was changed after it was applied', async () => {
    await store.writer.command({ query: `DELETE FROM rollcall.schema_migrations WHERE name = '01_events.sql'` })
    await store.writer.insert({
      table: 'rollcall.schema_migrations',
      values: [{ name: '01_events.sql', checksum: 'of another text' }],
      format: 'JSONEachRow',
    })
    await expect(store.migrate()).rejects.toThrow('01_events.sql was changed after it was applied')
  })

  test('refuse a store from before the release in one line', async () => {
    await store.writer.insert({
      table: 'rollcall.schema_migrations',
      values: [{ name: '0001_event_rows.sql', checksum: 'x' }],
      format: 'JSONEachRow',
    })
    await expect(store.migrate()).rejects.toThrow(/^The database rollcall was made by a version before 1\.0/)
  })
})
