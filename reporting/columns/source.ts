/** Where columns are read from: the store, by the list of parts and in FORMAT Native. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { list, raw, sql, toQuery, type Fragment } from '../expressions/sql.ts'
import type { Contents } from './answers.ts'
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
type ListedTable = { table: Table; id: string; engine: string }

export type List = { tables: ListedTable[]; parts: Part[]; contents: Contents }

export type Source = {
  /** The parts that are there, and the tables that this reader may see. */
  list(): Promise<List>
  /** Rows of these parts where the condition holds. */
  read(columns: Fragment, from: From, condition?: Fragment): AsyncIterable<Block>
}

/** `parts`: by their names. */
export type From = { table: Table; parts: readonly string[]; isLarge: boolean }

const listSchema = z.array(
  z.object({
    table: z.string(),
    engine: z.string(),
    path: z.string(),
    name: z.string(),
    rows: z.string().transform(Number),
    hash: z.string(),
  }),
)
const tablesSchema = z.array(z.object({ table: z.enum(tables), id: z.string(), engine: z.string() }))

/** Every page asks this, and it is nearly all planning: nothing is computed in it. */
const listed = toQuery(sql`SELECT table, engine, path, name, rows, hash_of_all_files AS hash
FROM system.parts
WHERE active AND database = 'rollcall'
SETTINGS output_format_json_quote_64bit_integers = 1`)

/** Also of those without parts. */
const listedTables = toQuery(sql`SELECT name AS table, toString(uuid) AS id, engine
FROM system.tables
WHERE database = 'rollcall' AND name IN ${list('String', tables)}`)

const isHeld = (name: string): name is Table => (tables as readonly string[]).includes(name)

/** `streamer`: reads large answers. Default: the client itself; over HTTP any can. */
export function openSource(client: ClickHouseClient, streamer: ClickHouseClient = client): Source {
  const ask = async (query: ReturnType<typeof toQuery>) =>
    (await client.query({ ...query, format: 'JSONEachRow' })).json()
  return {
    async list() {
      // In any order. The path of a part names its table, and then the part.
      const rows = listSchema
        .parse(await ask(listed))
        .map(({ path, ...row }) => ({ ...row, ...toBlocks(row.name), id: path.split('/').at(-3) ?? '' }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
      const contents = new Map(
        [...Map.groupBy(rows, ({ table }) => table)].map(([table, of]) => [table, toContent(of)]),
      )
      const parts = rows.flatMap(({ table, ...part }) => (isHeld(table) ? [{ ...part, table }] : []))
      const byName = new Map(rows.map((row) => [row.table, row]))
      const isKnown = tables.every((table) => byName.has(table))
      const list = isKnown ? tables.map((table) => byName.get(table)) : await ask(listedTables)
      return { tables: tablesSchema.parse(list), parts, contents }
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

/** Of these every statement takes the last row of a key, so a merge that drops the others changes no answer. */
const replaced = ['log_positions', 'waiting_rows']

/**
 * A text that changes when the rows of a table do. Parts that are merged hold the same blocks as before, and as many rows if none
 * replaced another.
 */
function toContent(parts: readonly (Omit<Part, 'table'> & { table: string; id: string; engine: string })[]): string {
  const { table, id, engine } = parts[0]!
  const rows = replaced.includes(table) ? 0 : parts.reduce((sum, part) => sum + part.rows, 0)
  const spans: { first: number; last: number; mutation: number }[] = []
  for (const { first, last, mutation } of parts.toSorted((a, b) => a.first - b.first)) {
    const before = spans.at(-1)
    if (before?.last === first - 1 && before.mutation === mutation) before.last = last
    else spans.push({ first, last, mutation })
  }
  return JSON.stringify([id, engine, rows, spans])
}

/** `all_1_7_2`, or `all_1_7_2_9` where it was rewritten. */
function toBlocks(name: string): Pick<Part, 'first' | 'last' | 'mutation'> {
  const [, first = NaN, last = NaN, , mutation = 0] = name.split('_').map(Number)
  return { first, last, mutation }
}
