/**
 * Copies every table of an embedded store to a server. A table that was begun is emptied and copied again, so an interruption leaves
 * nothing twice. The two largest go on where they were left.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { movedPartition } from '../../consumer/batch-steps.ts'
import type { Progress } from '../../runtime/control/command.ts'
import { select } from '../statements.ts'

export type CopyStoreOptions = {
  source: ClickHouseClient
  /** Streams: reads answers only as fast as they are consumed. */
  sourceStreamer: ClickHouseClient
  target: ClickHouseClient
  isDone: (table: string) => boolean
  /** Records durably that a table is complete. */
  markDone: (table: string) => void
  report: (progress: Progress) => void
  signal: AbortSignal
}

const rowsPerInsert = 20_000
/** By the first column of their order, in which they are copied. A row of them that comes twice collapses. */
const continued: Readonly<Record<string, { key: string; type: string }>> = {
  event_rows: { key: 'akey', type: 'UInt64' },
  event_bodies: { key: 'event_id', type: 'UUID' },
}

export async function copyStore(options: CopyStoreOptions): Promise<{ rows: number }> {
  const { source, target, isDone, markDone, report, signal } = options
  const tables = await select<{ table: string; columns: string[] }>(source, 'move-tables')
  let rows = 0
  for (const [index, { table, columns }] of tables.entries()) {
    signal.throwIfAborted()
    if (isDone(table)) continue
    report({ step: `Copying ${table}`, done: index, total: tables.length })
    if (continued[table] === undefined) await target.command({ query: `TRUNCATE TABLE rollcall.${table}` })
    rows += await copyTable(options, table, columns)
    markDone(table)
  }
  await copyPositions(source, target)
  return { rows }
}

/** Which rows to read, in which order: of a table that goes on, from the last one that is there. */
async function toClauses(target: ClickHouseClient, table: string): Promise<string> {
  const order = continued[table]
  if (order === undefined) return ''
  const { key, type } = order
  const query = `SELECT toString(${key}) AS last FROM rollcall.${table} ORDER BY ${key} DESC LIMIT 1`
  const [there] = await selectRows<{ last: string }>(target, query)
  const from = there === undefined ? '' : `WHERE ${key} >= CAST('${there.last}' AS ${type})`
  return `${from} ORDER BY ${key}`
}

async function copyTable(
  { sourceStreamer, target, signal }: CopyStoreOptions,
  table: string,
  columns: readonly string[],
): Promise<number> {
  // Bodies are bytes, which JSON cannot carry; they are inserted the usual way. Records of the local log belong to no
  // Kafka partition.
  const read = columns.map((name) => {
    if (name === 'body') return 'base64Encode(body) AS body_base64'
    if (name === 'log_partition') return `toUInt32(${movedPartition}) AS log_partition`
    return name === 'log_offset' ? 'toUInt64(0) AS log_offset' : `\`${name}\``
  })
  const [first = '', ...rest] = columns.map((name) => (name === 'body' ? 'body_base64' : name))
  const answer = await sourceStreamer.query({
    query: `SELECT ${read.join(', ')} FROM rollcall.${table} ${await toClauses(target, table)} SETTINGS output_format_json_quote_64bit_integers = 1`,
    format: 'JSONCompactEachRow',
  })
  let copied = 0
  let batch: unknown[] = []
  async function flush(): Promise<void> {
    if (batch.length === 0) return
    const values = batch
    batch = []
    await target.insert({
      table: `rollcall.${table}`,
      columns: [first, ...rest],
      values,
      format: 'JSONCompactEachRow',
    })
    copied += values.length
  }
  for await (const rows of answer.stream()) {
    signal.throwIfAborted()
    batch.push(...rows.map((row) => row.json()))
    if (batch.length >= rowsPerInsert) await flush()
  }
  await flush()
  return copied
}

/**
 * Copies the ledger; positions mean nothing in Kafka. The local log is closed and fully stored: its last instant must not
 * hold back `complete_through`.
 */
async function copyPositions(source: ClickHouseClient, target: ClickHouseClient): Promise<void> {
  const rows = await select<Record<string, unknown>>(source, 'move-positions')
  const moved = rows.map((row) => ({ ...row, log_partition: movedPartition }))
  await insertRows(target, 'log_positions', moved)
}
