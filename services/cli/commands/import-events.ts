/**
 * `rollcall import-events`: fills an empty store, of either way to run, from a file of `rollcall export-events`. States are folded
 * again from the events. It succeeds only where counts and metrics are those that the export has recorded.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import type { Config } from '../../config/config.ts'
import { movedPartition } from '../../consumer/batch-steps.ts'
import { refoldAll } from '../../consumer/store/refold.ts'
import { createPeople } from '../../consumer/store/store-people.ts'
import { CommandError, type CommandIo, type CommandResult } from '../../runtime/control/command.ts'
import { endSchema, listCarriedTables, readMetrics, type CarriedTable, type ExportEnd } from './export-events.ts'
import { openMigratedStore } from './migrate.ts'

const rowsPerInsert = 20_000
/** Bodies may be a hundred times as large as usual, and V8 makes no text beyond half a gigabyte. */
const charactersPerInsert = 16_000_000

type Row = Record<string, unknown>

export async function importEvents(config: Config, file: string, io: CommandIo): Promise<CommandResult> {
  const { clickhouse } = await openMigratedStore(config)
  try {
    const client = clickhouse.writer
    const tables = await listCarriedTables(client)
    const found = await findFilled(client, tables)
    if (found.length > 0)
      throw new CommandError('usage', `The store is not empty: there are rows in ${found.join(', ')}.`)
    const end = await insertAll(client, file, new Set(tables.map(({ table }) => table)), io)
    await refoldAll(client, createPeople(client, { attributes: config.userAttributes }), (done, total) =>
      io.report({ step: 'Folding every state', done, total }),
    )
    io.report({ step: 'Comparing' })
    const differing = await compare(client, tables, end)
    if (differing.length > 0)
      throw toRefusal(`The store does not agree with what was exported: ${differing.join(', ')}.`)
    return {
      outcome: 'done',
      lines: [
        `${end.counts['event_rows'] ?? 0} events are in the store, with everything about people. Counts and metrics agree, now and at three earlier moments.`,
        `For deliveries after the export: rollcall backfill --from ${new Date(end.exportedAt).toISOString()} --heal.`,
      ],
      data: { counts: end.counts },
    }
  } finally {
    await clickhouse.close()
  }
}

async function findFilled(client: ClickHouseClient, tables: readonly CarriedTable[]): Promise<string[]> {
  const query = `SELECT name FROM system.tables WHERE database = 'rollcall' AND total_rows > 0 AND name IN {names:Array(String)}`
  const rows = await selectRows<{ name: string }>(client, query, { names: tables.map(({ table }) => table) })
  return rows.map(({ name }) => name)
}

async function insertAll(
  client: ClickHouseClient,
  file: string,
  tables: ReadonlySet<string>,
  { report, signal }: CommandIo,
): Promise<ExportEnd> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  const counts: Record<string, number> = {}
  let batch: { table: string; rows: Row[]; characters: number } = { table: '', rows: [], characters: 0 }
  let end: ExportEnd | undefined
  async function flush(): Promise<void> {
    await insertRows(client, batch.table, batch.rows)
    counts[batch.table] = (counts[batch.table] ?? 0) + batch.rows.length
    report({ step: `Importing ${batch.table}`, done: counts[batch.table] ?? 0 })
  }
  for await (const line of lines) {
    signal.throwIfAborted()
    if (line.startsWith('{"end":')) {
      end = endSchema.parse(JSON.parse(line)).end
      continue
    }
    const { table, row } = JSON.parse(line) as { table: string; row: Row }
    if (!tables.has(table)) throw toRefusal(`${file} has rows of a table ${table}, which this version does not have.`)
    const isFull = batch.rows.length >= rowsPerInsert || batch.characters >= charactersPerInsert
    if (isFull || table !== batch.table) {
      if (batch.rows.length > 0) await flush()
      batch = { table, rows: [], characters: 0 }
    }
    batch.rows.push(toImported(table, row))
    batch.characters += line.length
  }
  if (batch.rows.length > 0) await flush()
  if (end === undefined) throw toRefusal(`${file} is cut: its last line is missing.`)
  const cut = Object.entries(end.counts).filter(([table, count]) => (counts[table] ?? 0) !== count)
  if (cut.length > 0) throw toRefusal(`${file} is not whole: rows of ${cut.map(([table]) => table).join(', ')} differ.`)
  return end
}

/** A place in the old log means nothing in the new one. Of repeats it tells one from the other. */
function toImported(table: string, row: Row): Row {
  if (row['log_partition'] === undefined) return row
  const place = table === 'repeat_rows' ? {} : { log_offset: 0 }
  return { ...row, ...place, log_partition: movedPartition }
}

/** Rows that go by themselves may be gone already. */
async function compare(client: ClickHouseClient, tables: readonly CarriedTable[], end: ExportEnd): Promise<string[]> {
  const differing: string[] = []
  for (const { table, isKeptForever } of tables) {
    const [row] = await selectRows<{ rows: string }>(
      client,
      `SELECT toString(count()) AS rows FROM rollcall.${table} SETTINGS final = 1`,
    )
    const expected = end.counts[table] ?? 0
    if (isKeptForever && Number(row?.rows) !== expected)
      differing.push(`${table} has ${row?.rows} rows, not ${expected}`)
  }
  const metrics = await readMetrics(client, end.exportedAt, end.settings)
  if (!isDeepStrictEqual(metrics, end.metrics)) differing.push('metrics')
  return differing
}

function toRefusal(message: string): CommandError {
  return new CommandError('failed', `${message} Empty the store (docs/moving-up.md) before you try again.`)
}
