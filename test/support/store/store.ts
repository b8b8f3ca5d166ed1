/**
 * A real store for a test file, migrated, gone afterwards: chDB on a directory of its own (one per process). With
 * ROLLCALL_TEST_STORE=http it is what `openTestClickHouse` gives, over HTTP.
 */
import { cpSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { migrate, type MigrateOptions, type MigrationResult } from '../../../services/clickhouse/migrate.ts'
import {
  openEmbeddedClickHouse,
  type EmbeddedClickHouse,
} from '../../../services/clickhouse/open-embedded.ts'
import { openClickHouseServer } from '../../../services/clickhouse/open-server.ts'
import { isMade, makeOnce } from '../made-once.ts'
import { openTestClickHouse } from './clickhouse-server.ts'
import { copyStoreTemplate } from './template.ts'

export type TestStore = EmbeddedClickHouse & {
  /** Rows of a statement; 64-bit integers as text. */
  rows<Row = Record<string, unknown>>(query: string, params?: Record<string, unknown>): Promise<Row[]>
  /** Migrates it again, with the options of the first time. */
  migrate(): Promise<MigrationResult>
  /** Empties every table of ours. */
  clear(): Promise<void>
}

export type TestStoreOptions = {
  /** The content, which one test of a run stores and the others copy: see `toContents`. Default: nothing. */
  contents?: StoreContents
}

export type StoreContents = {
  /** Tells it from other contents. */
  name: string
  fill(writer: ClickHouseClient): Promise<unknown>
}

export async function openTestStore({ contents }: TestStoreOptions = {}): Promise<TestStore> {
  const isHttp = process.env.ROLLCALL_TEST_STORE === 'http'
  const options: MigrateOptions = isHttp ? { server: { cluster: undefined } } : {}
  const clickhouse = isHttp ? await openOverHttp(options) : await openInProcess(contents)
  if (isHttp) await contents?.fill(clickhouse.writer)
  // The clock of a test stands where it wants, that of the engine does not: merges would drop what was kept for a time only.
  await clickhouse.writer.command({ query: 'SYSTEM STOP TTL MERGES' })

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
    migrate: () => migrate(clickhouse.writer, options),
    async clear() {
      // Emptying a table takes the engine 10 ms and more, also of one that is empty, and most of them are.
      const tables = await rows<{ name: string }>(
        `SELECT DISTINCT table AS name FROM system.parts
         WHERE database = 'rollcall' AND active AND rows > 0 AND table != 'schema_migrations' AND table NOT LIKE '.%'`,
      )
      for (const { name } of tables)
        await clickhouse.writer.command({ query: `TRUNCATE TABLE rollcall.${name}` })
    },
  }
}

async function openInProcess(contents: StoreContents | undefined): Promise<EmbeddedClickHouse> {
  const parent = await mkdtemp(join(tmpdir(), 'rollcall-store-'))
  const directory = join(parent, 'clickhouse')
  if (contents === undefined || !isMade(contents.name)) copyStoreTemplate(directory)
  if (contents !== undefined) {
    const { name, fill } = contents
    if (!isMade(name)) {
      const empty = await openDirectory(directory)
      await fill(empty.writer)
      await empty.close()
    }
    const made = makeOnce(name, (kept) =>
      cpSync(directory, kept, { recursive: true, verbatimSymlinks: true }),
    )
    rmSync(directory, { recursive: true, force: true })
    cpSync(made, directory, { recursive: true, verbatimSymlinks: true })
  }
  const clickhouse = await openDirectory(directory)
  return {
    ...clickhouse,
    async close() {
      await clickhouse.close()
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** The store that is open in this process. A file whose start failed has not closed its own, so the next one does. */
let open: { close(): Promise<void>; shared?: { name: string; store: TestStore } } | undefined

/** For tests that only read: files of a process share one of these contents until a file opens another store. */
export async function openSharedStore(contents: StoreContents): Promise<TestStore> {
  if (open?.shared?.name === contents.name) return open.shared.store
  const store = { ...(await openTestStore({ contents })), close: async () => {} }
  if (open !== undefined) open.shared = { name: contents.name, store }
  return store
}

/** Closes the one that is open in this process before. */
export async function openDirectory(directory: string): Promise<EmbeddedClickHouse> {
  await open?.close()
  const clickhouse = await openEmbeddedClickHouse({ directory })
  async function close() {
    open = undefined
    await clickhouse.close()
    // An answer that is refreshed in the background may still be read; the next store waits for it.
    await (await import('chdb')).drainPending()
  }
  open = { close }
  return { ...clickhouse, close }
}

async function openOverHttp(options: MigrateOptions): Promise<EmbeddedClickHouse> {
  const server = await openTestClickHouse({ isMigrated: true })
  const clickhouse = await openClickHouseServer({ ...server, access: 'write' })
  await migrate(clickhouse.writer, options)
  return {
    ...clickhouse,
    streamer: clickhouse.reader,
    openAnalyst: () => Promise.reject(new Error('On a server, analysts are users')),
    async close() {
      await clickhouse.close()
      await server.stop()
    },
  }
}
