/**
 * `rollcall import-events`: fills an empty store of either mode from a file of `rollcall export-events`, and
 * folds all states again from the events. It succeeds only if counts and metrics equal those of the export.
 */
import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { insertRows } from '../../clickhouse/insert-rows.ts'
import { selectRows } from '../../clickhouse/statements.ts'
import { CommandError, type CommandIo } from '../../runtime/control/command.ts'
import { localCommand, text } from '../command.ts'
import {
  endSchema,
  listCarriedTables,
  readMetrics,
  type CarriedTable,
  type ExportEnd,
} from './export-events.ts'
import { openMigratedStore } from '../open-migrated-store.ts'

/** Bodies may be a hundred times as large as usual, and V8 limits strings to half a gigabyte. */
const charactersPerInsert = 16_000_000

type Row = Record<string, unknown>

export const importEvents = localCommand({
  usage: 'import-events <file>',
  summary:
    'Fill an empty store from a file of export-events, and compare counts and metrics with the export.',
  examples: ['KAFKA_BROKERS=... CLICKHOUSE_URL=... rollcall import-events /backups/rollcall.jsonl'],
  options: z.object({ file: text.transform((path) => resolve(path)) }),
  async runHere({ file }, config, io) {
    if (!existsSync(file)) throw new CommandError('usage', `There is no file ${file}.`)
    const { createPeople } = await import('../../consumer/store/store-people.ts')
    const { refoldAll } = await import('../../consumer/store/refold.ts')
    const { clickhouse } = await openMigratedStore(config)
    try {
      const client = clickhouse.writer
      const tables = await listCarriedTables(client)
      for (const { table } of tables)
        if ((await countRows(client, table)) > 0)
          throw new CommandError('usage', `The store is not empty: the table ${table} has rows.`)
      const end = await insertAll(client, file, new Set(tables.map(({ table }) => table)), io)
      await refoldAll(client, createPeople(client, { attributes: config.userAttributes }), (done, total) =>
        io.report({ step: 'Folding states', done, total }),
      )
      io.report({ step: 'Comparing' })
      const differing = await compare(client, tables, end)
      if (differing.length > 0)
        throw toRefusal(`The store does not agree with the export: ${differing.join(', ')}.`)
      return {
        outcome: 'done',
        lines: [
          `Imported ${end.counts['event_rows'] ?? 0} events. Counts and metrics agree, now and at three earlier moments.`,
          `To fetch later webhooks: rollcall backfill --all --repair.`,
        ],
        data: { counts: end.counts },
      }
    } finally {
      await clickhouse.close()
    }
  },
})

async function countRows(client: ClickHouseClient, table: string): Promise<number> {
  const query = `SELECT toString(count()) AS rows FROM rollcall.${table} SETTINGS final = 1`
  return Number((await selectRows<{ rows: string }>(client, query))[0]?.rows)
}

async function insertAll(
  client: ClickHouseClient,
  file: string,
  tables: ReadonlySet<string>,
  { report, signal }: CommandIo,
): Promise<ExportEnd> {
  const { movedPartition } = await import('../../consumer/batch-steps.ts')
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
    if (!tables.has(table))
      throw toRefusal(`${file} has rows of the table ${table}, which this version does not have.`)
    if (batch.characters >= charactersPerInsert || table !== batch.table) {
      if (batch.rows.length > 0) await flush()
      batch = { table, rows: [], characters: 0 }
    }
    batch.rows.push(toImported(table, row, movedPartition))
    batch.characters += line.length
  }
  if (batch.rows.length > 0) await flush()
  if (end === undefined) throw toRefusal(`${file} is cut: its last line is missing.`)
  const cut = Object.entries(end.counts).filter(([table, count]) => (counts[table] ?? 0) !== count)
  if (cut.length > 0)
    throw toRefusal(`${file} is incomplete: row counts differ in ${cut.map(([table]) => table).join(', ')}.`)
  return end
}

/** Offsets of the old log mean nothing in the new one. Repeats keep theirs, which distinguishes them. */
function toImported(table: string, row: Row, log_partition: number): Row {
  if (row['log_partition'] === undefined) return row
  const place = table === 'repeat_rows' ? {} : { log_offset: 0 }
  return { ...row, ...place, log_partition }
}

/** Rows of tables with a TTL may have expired. */
async function compare(
  client: ClickHouseClient,
  tables: readonly CarriedTable[],
  end: ExportEnd,
): Promise<string[]> {
  const differing: string[] = []
  for (const { table, isKeptForever } of tables) {
    const [rows, expected] = [await countRows(client, table), end.counts[table] ?? 0]
    if (isKeptForever && rows !== expected) differing.push(`${table} has ${rows} rows, not ${expected}`)
  }
  const metrics = await readMetrics(client, end.exportedAt, end.settings)
  return isDeepStrictEqual(metrics, end.metrics) ? differing : [...differing, 'metrics']
}

function toRefusal(message: string): CommandError {
  return new CommandError('failed', `${message} Empty the store (docs/moving-up.md) before you try again.`)
}
