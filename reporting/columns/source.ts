/** Where columns are read from: the store, by the list of parts and in FORMAT Native. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { list, raw, sql, toQuery, type Fragment } from '../read/sql.ts'
import { readNative, type Block } from './native.ts'

export const tables = ['open_versions', 'closed_versions', 'user_versions'] as const
export type Table = (typeof tables)[number]

/** A part of a table holds the blocks from `first` to `last`; `mutation` is higher where it was rewritten after that. */
export type Part = {
  table: Table
  name: string
  rows: number
  first: number
  last: number
  mutation: number
  hash: string
}

/** `id`: another one when the table was made again. */
export type ListedTable = { table: Table; id: string; engine: string }

export type Source = {
  /** The parts that are there, and the tables that this reader may see. */
  list(): Promise<{ tables: ListedTable[]; parts: Part[] }>
  /** Rows of these parts where the condition holds. */
  read(columns: Fragment, from: From, condition?: Fragment): AsyncIterable<Block>
}

/** `parts`: by their names. */
export type From = { table: Table; parts: readonly string[]; isLarge: boolean }

const listSchema = z.array(
  z.object({
    table: z.enum(tables),
    name: z.string(),
    rows: z.string().transform(Number),
    hash: z.string(),
    engine: z.string(),
  }),
)

const listed = toQuery(sql`SELECT table, name, rows, hash_of_all_files AS hash, '' AS engine
FROM system.parts
WHERE active AND database = 'rollcall' AND table IN ${list('String', tables)}
UNION ALL
SELECT name, toString(uuid), 0, '', engine
FROM system.tables
WHERE database = 'rollcall' AND name IN ${list('String', tables)}
SETTINGS output_format_json_quote_64bit_integers = 1`)

/** `streamer`: reads what is large. Default: the client itself; over HTTP any can. */
export function openSource(client: ClickHouseClient, streamer: ClickHouseClient = client): Source {
  return {
    async list() {
      const rows = listSchema.parse(await (await client.query({ ...listed, format: 'JSONEachRow' })).json())
      return {
        tables: rows
          .filter(({ engine }) => engine !== '')
          .map(({ table, name, engine }) => ({ table, id: name, engine })),
        parts: rows.filter(({ engine }) => engine === '').map((row) => ({ ...row, ...toBlocks(row.name) })),
      }
    },
    async *read(columns, { table, parts, isLarge }, condition = raw('true')) {
      // Small blocks: each is taken in without a pause. The reader says nothing by itself.
      const { query, query_params } = toQuery(sql`SELECT ${columns}
FROM ${raw(`rollcall.${table}`)}
WHERE _part IN ${list('String', parts)} AND ${condition}
SETTINGS max_block_size = 8192, max_execution_time = 600, optimize_move_to_prewhere = 0
FORMAT Native`)
      const { stream } = await (isLarge ? streamer : client).exec({ query, query_params })
      yield* readNative(stream)
    },
  }
}

/** `all_1_7_2`, or `all_1_7_2_9` where it was rewritten. */
function toBlocks(name: string): Pick<Part, 'first' | 'last' | 'mutation'> {
  const [, first = NaN, last = NaN, , mutation = 0] = name.split('_').map(Number)
  return { first, last, mutation }
}
