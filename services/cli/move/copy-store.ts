/**
 * Copies every table of an embedded store to a server. A table that was begun is emptied and copied again, so an interruption leaves
 * nothing twice. The two largest go on where they were left.
 */
import type { ClickHouseClient } from '@clickhouse/client'
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
/** Bodies may be a hundred times as large as usual, and V8 makes no text beyond half a gigabyte. */
const charactersPerInsert = 16_000_000
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
  await copyPositions(options)
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

async function copyTable(options: CopyStoreOptions, table: string, columns: readonly string[]): Promise<number> {
  // Bodies are bytes, which JSON cannot carry; they are inserted the usual way. Records of the local log belong to no
  // Kafka partition.
  const read = columns.map((name) => {
    if (name === 'body') return 'base64Encode(body) AS body_base64'
    if (name === 'log_partition') return `toUInt32(${movedPartition}) AS log_partition`
    // It tells the repeats of an event apart.
    return name === 'log_offset' && table !== 'repeat_rows' ? 'toUInt64(0) AS log_offset' : `\`${name}\``
  })
  const written = columns.map((name) => (name === 'body' ? 'body_base64' : name))
  const from = `rollcall.${table} ${await toClauses(options.target, table)}`
  return copyRows(options, table, written, `SELECT ${read.join(', ')} FROM ${from}`)
}

async function copyRows(
  { sourceStreamer, target, signal }: CopyStoreOptions,
  table: string,
  [first = '', ...rest]: readonly string[],
  query: string,
): Promise<number> {
  const answer = await sourceStreamer.query({
    query: `${query} SETTINGS output_format_json_quote_64bit_integers = 1`,
    format: 'JSONCompactEachRow',
  })
  let copied = 0
  let batch: unknown[] = []
  let characters = 0
  async function flush(): Promise<void> {
    if (batch.length === 0) return
    const values = batch
    batch = []
    characters = 0
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
    for (const row of rows) {
      batch.push(row.json())
      characters += row.text.length
      if (batch.length >= rowsPerInsert || characters >= charactersPerInsert) await flush()
    }
  }
  await flush()
  return copied
}

/**
 * Copies the ledger; positions mean nothing in Kafka. The local log is closed and fully stored: its last instant must not
 * hold back `complete_through`.
 */
async function copyPositions(options: CopyStoreOptions): Promise<void> {
  const columns = ['log_partition', 'first_offset', 'next_offset', 'recorded_at', 'complete_through', 'ledger']
  const through = `toDateTime64('2200-01-01 00:00:00', 3, 'UTC')`
  // Those that say what became of deliveries: they are the ledger.
  const from = 'rollcall.log_positions FINAL WHERE notEmpty(ledger)'
  const read = `${movedPartition}, first_offset, next_offset, recorded_at, ${through}, ledger`
  await copyRows(options, 'log_positions', columns, `SELECT ${read} FROM ${from}`)
}
