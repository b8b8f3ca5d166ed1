/** Where columns are read from: the store, by the list of parts and in FORMAT Native. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { idsOf, instant, join, list, raw, sql, toQuery, where, type Fragment } from '../expressions/sql.ts'
import type { Contents } from './answers.ts'
import { storedColumns, versionColumns } from './columns.ts'
import { readNative, type Block } from './native.ts'
import { columnsOfPeople } from './people.ts'

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
  /** Signed rows of both tables of versions, as `versionColumns`, from one snapshot: at least those that are needed. */
  readVersions(needs: Needs): AsyncIterable<Block>
  /** The same without rows that take each other back, in no order. However many there are, they need little memory. */
  streamVersions(needs: Needs): AsyncIterable<Block>
  /** All versions of people. */
  readPeople(): AsyncIterable<Block>
  /** When the last closed version ends, epoch ms; 0 without any. */
  lastEnd(): Promise<number>
}

/** Which versions a question needs. More may be read: the evaluator selects. */
export type Needs = {
  /** Those that hold at some moment from the first to the last; epoch ms. */
  first: number
  last: number
  /** Only of these people, or of these challenges. Default: of all. */
  users?: readonly string[] | undefined
  challenges?: readonly string[] | undefined
  /** Also the other versions of the assignments found. */
  ofWholeAssignments?: boolean
  /** Whether there may be more rows than a pooled connection should hold. */
  isLarge: boolean
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
    readVersions: (needs) =>
      readAs(needs.isLarge ? streamer : client, unionOf(needs, sql`${versionColumns}, ${signColumns}`)),
    streamVersions(needs) {
      const names = raw(storedColumns.map((name) => `any(version.${name}) AS ${name}`).join(', '))
      const all = unionOf(needs, raw([...storedColumns, 'akey', 'img', 'sign'].join(', ')))
      const holding = sql`SELECT ${names}, akey, img FROM (${all}) AS version GROUP BY akey, img HAVING sum(sign) > 0`
      return readAs(
        streamer,
        sql`SELECT ${versionColumns}, img, toInt8(1), toUInt32(0) FROM (${holding})`,
        ', max_bytes_before_external_group_by = 200000000',
      )
    },
    async lastEnd() {
      const [row] = endSchema.parse(await ask(lastEnd))
      return row.ms
    },
    readPeople: () => readAs(client, sql`SELECT ${columnsOfPeople}, ${signColumns} FROM rollcall.user_versions`),
  }

  async function* readAs(from: ClickHouseClient, text: Fragment, more = ''): AsyncGenerator<Block> {
    const settings = raw(`SETTINGS max_block_size = 8192, max_execution_time = 600${more}`)
    const { query, query_params } = toQuery(sql`${text}\n${settings}\nFORMAT Native`)
    const { stream } = await from.exec({ query, query_params })
    yield* readNative(stream)
  }
}

/** A row's hash, its sign and its block. */
const signColumns = raw('img, sign, toUInt32(_block_number)')

function unionOf({ first, last, users, challenges, ofWholeAssignments }: Needs, columns: Fragment): Fragment {
  const people = users && sql`user_id IN ${idsOf(users)}`
  const inChallenges = challenges && sql`challenge_id IN ${list('String', challenges)}`
  const only = [people ?? null, inChallenges ?? null]
  const from = (table: string, columns: Fragment, ...more: (Fragment | null)[]) => {
    const ends = table === 'closed_versions' ? sql`valid_to > ${instant(first)}` : null
    return sql`SELECT ${columns} FROM ${raw(`rollcall.${table}`)} ${where(ends, sql`valid_from <= ${instant(last)}`, ...more)}`
  }
  const union = (columns: Fragment, ...more: (Fragment | null)[]) =>
    join([from('open_versions', columns, ...more), from('closed_versions', columns, ...more)], '\nUNION ALL\n')
  if (ofWholeAssignments !== true || only.every((each) => each === null)) return union(columns, ...only)
  return union(columns, sql`akey IN (${union(raw('akey'), ...only)})`)
}

const lastEnd = toQuery(
  raw('SELECT toFloat64(toUnixTimestamp64Milli(max(valid_to))) AS ms FROM rollcall.closed_versions'),
)
const endSchema = z.tuple([z.object({ ms: z.number() })])

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
