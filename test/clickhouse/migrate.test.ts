import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSchemaFiles } from '../../services/clickhouse/migrate.ts'
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

  test('are one statement a file, no number twice', () => {
    const files = readSchemaFiles('migrations')
    for (const { name, sql } of files) {
      expect(name).toMatch(/^\d{4}_[a-z_]+\.sql$/)
      expect(sql.match(/^CREATE |^ALTER /gm), name).toHaveLength(1)
    }
    expect(new Set(files.map(({ name }) => name.slice(0, 4))).size).toBe(files.length)
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
    await store.writer.command({ query: `DELETE FROM rollcall.schema_migrations WHERE name = '0001_event_rows.sql'` })
    await store.writer.insert({
      table: 'rollcall.schema_migrations',
      values: [{ name: '0001_event_rows.sql', checksum: 'of another text' }],
      format: 'JSONEachRow',
    })
    await expect(store.migrate()).rejects.toThrow('0001_event_rows.sql was changed after it was applied')
  })
})
