import { afterAll, describe, expect, test } from 'vitest'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { migrationsTable, readSchemaFiles, toStatements } from '../../services/clickhouse/migrate.ts'
import { toServerDdl } from '../../services/clickhouse/server-ddl.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())

/** As the engine's own parser writes it. */
async function format(sql: string): Promise<string> {
  const [row] = await store.rows<{ sql: string }>('SELECT formatQuery({sql:String}) AS sql', { sql })
  return row?.sql ?? ''
}

/** The tree that the engine's parser makes of it. */
async function parse(sql: string): Promise<string> {
  const { stream } = await store.reader.exec({ query: `EXPLAIN AST ${sql}` })
  return new Response(stream as never).text()
}

const database = { name: 'the database', sql: 'CREATE DATABASE IF NOT EXISTS rollcall ENGINE = Atomic' }
const created = readSchemaFiles('migrations').flatMap(({ name, sql }) =>
  toStatements(sql).map((statement, index) => ({ name: `${name} (${index + 1})`, sql: statement })),
)
const tables = [{ name: 'schema_migrations', sql: migrationsTable }, ...created]
const views = readSchemaFiles('views')

const onCluster = / ON CLUSTER main/
const definer = /\nDEFINER = CURRENT_USER SQL SECURITY DEFINER/
const path = /'\/clickhouse\/tables\/\{uuid\}', '\{replica\}'/
const keepEqual = 'replicated_deduplication_window = 0, replicated_deduplication_window_for_async_inserts = 0'

describe('on a cluster', () => {
  test.each([database, ...tables, ...views])(
    '$name is made on every replica, and is otherwise the same',
    async ({ sql }) => {
      const written = await format(toServerDdl(sql, { cluster: 'main' }))
      expect(written.split('\n')[0]).toMatch(onCluster)
      const without = written
        .replace(onCluster, '')
        .replace(definer, '')
        .replace(
          /ENGINE = Replicated(\w+)\('\/clickhouse\/tables\/\{uuid\}', '\{replica\}'(?:, )?(.*)\)/,
          (_, name: string, rest: string) => (rest === '' ? `ENGINE = ${name}` : `ENGINE = ${name}(${rest})`),
        )
        .replace(`SETTINGS ${keepEqual}, `, 'SETTINGS ')
      expect(without).toBe(await format(sql))
    },
  )

  test('every table is replicated, in a path without a shard, and keeps blocks that are equal', async () => {
    expect(tables.length).toBeGreaterThan(20)
    for (const { name, sql } of tables) {
      const ddl = toServerDdl(sql, { cluster: 'main' })
      expect(await parse(ddl), name).toMatch(/Storage definition[^\n]*\n"? +Function Replicated\w*MergeTree /)
      const written = await format(ddl)
      expect(written, name).toMatch(path)
      expect(written, name).toContain(keepEqual)
    }
  })

  test('names of clusters are quoted', async () => {
    expect(await format(toServerDdl(database.sql, { cluster: '{cluster}' }))).toContain(
      'ON CLUSTER `{cluster}`',
    )
  })

  test('a statement of another kind is refused, not sent as it is', () => {
    expect(() => toServerDdl('CREATE DICTIONARY rollcall.x', { cluster: 'main' })).toThrow(
      'cannot be brought to a server',
    )
    expect(() =>
      toServerDdl('CREATE TABLE IF NOT EXISTS rollcall.x (a UInt8) ENGINE = Log', { cluster: 'main' }),
    ).toThrow('cannot be replicated')
  })
})

test("on a single server only the contract's views differ: they use the rights of their creator", async () => {
  for (const { name, sql } of [database, ...tables])
    expect(toServerDdl(sql, { cluster: undefined }), name).toBe(sql)
  for (const { name, sql } of views) {
    const view = /VIEW rollcall\.(\w+)/.exec(sql)?.[1] ?? ''
    const written = await format(toServerDdl(sql, { cluster: undefined }))
    expect(definer.test(written), name).toBe((contractViews as readonly string[]).includes(view))
    expect(written.replace(definer, ''), name).toBe(await format(sql))
  }
})
