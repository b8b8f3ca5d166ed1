/**
 * Copies every table of an embedded store to a server, unit by unit. A started unit is emptied and copied again, so an
 * interruption leaves nothing twice. The two largest tables have many units.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { movedPartition } from '../../consumer/batch-steps.ts'
import type { Progress } from '../../runtime/control/command.ts'
import { select } from '../statements.ts'

export type CopyStoreOptions = {
  source: ClickHouseClient
  /** Streams: reads answers only as fast as they are consumed. */
  sourceStreamer: ClickHouseClient
  target: ClickHouseClient
  isDone: (unit: string) => boolean
  /** Records durably that a unit is complete. */
  markDone: (unit: string) => void
  report: (progress: Progress) => void
  signal: AbortSignal
}

type Unit = {
  name: string
  table: string
  columns: string[]
  /** A filter on the table; left out: all rows. A constant text, never with values. */
  where?: string
}

const rowsPerInsert = 20_000
/** For keys that are hashes, and so evenly spread. */
const sliceCount = 32
/** Tables whose rows have a hash and can safely repeat. */
const sliced: Readonly<Record<string, string>> = {
  event_rows: 'akey',
  event_bodies: 'event_id',
}

export async function copyStore(options: CopyStoreOptions): Promise<{ rows: number }> {
  const { source, target, isDone, markDone, report, signal } = options
  const tables = await select<{ table: string; columns: string[] }>(source, 'move-tables')
  const units = tables.flatMap(toUnits)
  let rows = 0
  for (const [index, unit] of units.entries()) {
    signal.throwIfAborted()
    if (isDone(unit.name)) continue
    report({ step: `Copying ${unit.table}`, done: index, total: units.length })
    // Repeats of sliced tables collapse; the others start empty.
    if (unit.where === undefined) {
      await target.command({
        query: 'TRUNCATE TABLE rollcall.{table:Identifier}',
        query_params: { table: unit.table },
      })
    }
    rows += await copyUnit(options, unit)
    markDone(unit.name)
  }
  await copyPositions(source, target)
  return { rows }
}

function toUnits({ table, columns }: { table: string; columns: string[] }): Unit[] {
  const key = sliced[table]
  if (key === undefined) return [{ name: table, table, columns }]
  return Array.from({ length: sliceCount }, (_, slice) => ({
    name: `${table} ${slice}`,
    table,
    columns,
    where: key === 'akey' ? toKeyRange(key, slice) : toIdRange(key, slice),
  }))
}

/** 64-bit numbers, by their first five bits. */
function toKeyRange(key: string, slice: number): string {
  const size = 2n ** 64n / BigInt(sliceCount)
  const from = size * BigInt(slice)
  return `${key} BETWEEN ${from} AND ${from + size - 1n}`
}

/** Ids are ordered by their second half, the sort key of the table: by its first five bits. */
function toIdRange(key: string, slice: number): string {
  const toId = (half: bigint, rest: string) => {
    const hex = half.toString(16).padStart(16, '0')
    return `toUUID('${rest.slice(0, 8)}-${rest.slice(8, 12)}-${rest.slice(12)}-${hex.slice(0, 4)}-${hex.slice(4)}')`
  }
  const size = 2n ** 64n / BigInt(sliceCount)
  const from = size * BigInt(slice)
  return `${key} >= ${toId(from, '0'.repeat(16))} AND ${key} <= ${toId(from + size - 1n, 'f'.repeat(16))}`
}

async function copyUnit({ sourceStreamer, target, signal }: CopyStoreOptions, unit: Unit): Promise<number> {
  const { table, columns, where = '1' } = unit
  // Bodies are bytes, which JSON cannot carry; they are inserted the usual way. Records of the local log belong to no
  // Kafka partition.
  const read = columns.map((name) => {
    if (name === 'body') return 'base64Encode(body) AS body_base64'
    if (name === 'log_partition') return `toUInt32(${movedPartition}) AS log_partition`
    return name === 'log_offset' ? 'toUInt64(0) AS log_offset' : `\`${name}\``
  })
  const [first = '', ...rest] = columns.map((name) => (name === 'body' ? 'body_base64' : name))
  const answer = await sourceStreamer.query({
    query: `SELECT ${read.join(', ')} FROM rollcall.{table:Identifier} WHERE ${where} SETTINGS output_format_json_quote_64bit_integers = 1`,
    query_params: { table },
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
  if (rows.length === 0) return
  await target.insert({
    table: 'rollcall.log_positions',
    values: rows.map((row) => ({ ...row, log_partition: movedPartition })),
    format: 'JSONEachRow',
  })
}
