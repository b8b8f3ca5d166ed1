/** A real store for a test file: chDB on a directory of its own (one per process), migrated, gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse, type EmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'

export type TestStore = EmbeddedClickHouse & {
  /** Rows of a statement; 64-bit integers as text. */
  rows<Row = Record<string, unknown>>(query: string, params?: Record<string, unknown>): Promise<Row[]>
  /** Empties every table of ours. */
  clear(): Promise<void>
}

export async function openTestStore(): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-store-'))
  const clickhouse = await openEmbeddedClickHouse({ directory })
  await migrate(clickhouse.writer)

  async function rows<Row>(query: string, params: Record<string, unknown> = {}): Promise<Row[]> {
    const answer = await clickhouse.reader.query({
      query: `${query} SETTINGS output_format_json_quote_64bit_integers = 1`,
      query_params: params,
      format: 'JSONEachRow',
    })
    return answer.json<Row>()
  }

  return {
    ...clickhouse,
    rows,
    async clear() {
      const tables = await rows<{ name: string }>(
        `SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree' AND name != 'schema_migrations'`,
      )
      for (const { name } of tables) await clickhouse.writer.command({ query: `TRUNCATE TABLE rollcall.${name}` })
    },
    async close() {
      await clickhouse.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
