/** Where columns are read from: the store, in FORMAT Native. */
import { hash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import {
  idsOf,
  instant,
  join,
  list,
  raw,
  sql,
  toQuery,
  value,
  where,
  type Fragment,
} from '../expressions/sql.ts'
import type { Contents } from './answers.ts'
import { storedColumns, versionColumns } from './columns.ts'
import { readNative, type Block } from './native.ts'
import { columnsOfPeople } from './people.ts'
import { bucketColumn, createBucketSums, sumColumn, type BucketSums } from './sums.ts'

export const tables = ['open_versions', 'closed_versions', 'user_versions'] as const
export type Table = (typeof tables)[number]

export type List = {
  /** By table, a key that changes with every change of its content. Of a table without such a key: none. */
  contents: Contents
  /** `parts`: the same key, of the server that lists. `rows`: also those that take each other back. */
  of: Record<Table, { parts: string; rows: number }>
}

/** Of closed versions, only those are followed that end after `since`, epoch ms. */
export type Followed = { table: Table; since: number }
/** Numbers of blocks. */
type Since = { after: number; last: number }
/**
 * `last`: the number of the last block. `fresh`: the blocks after `after`, one more than `mostBlocks` at most.
 * `rows`: how many rows came after the `last` that was asked for.
 */
type TableSums = { sum: bigint; last: number; fresh: number[]; rows: number }
/** `server`, `tables`: who answered. Several shards have no table of ours. */
export type Sums = { server: string; tables: string; of: Map<Table, TableSums> }
/** The rows of blocks; of open versions the last one of each assignment. Or all rows up to a block, or their buckets. */
export type Rows = { blocks: readonly number[] } | { upTo: number; buckets: readonly number[] | undefined }

export type Source = {
  list(): Promise<List>
  sums(followed: readonly (Followed & Since)[]): Promise<Sums>
  /** `server`: the one that has to answer. Throws where another one does. */
  sumBuckets(followed: Followed, server: string): Promise<{ sums: BucketSums; last: number }>
  /** Signed rows, with their blocks behind them; `rows`: about how many. */
  read(followed: Followed, server: string, which: Rows, rows: number): AsyncIterable<Block>
  /** The instant after which at most `rows` closed versions end, epoch ms. */
  endBefore(rows: number): Promise<number>
  /** Signed rows of both tables of versions, as `versionColumns`, from one snapshot: at least those that are needed. */
  readVersions(needs: Needs): AsyncIterable<Block>
  /** How many these are. */
  countVersions(needs: Omit<Needs, 'rows'>): Promise<number>
  /** The same without rows that take each other back, in no order. However many there are, they need little memory. */
  streamVersions(needs: Needs): AsyncIterable<Block>
  /** All versions of people. */
  readPeople(): AsyncIterable<Block>
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
  /** About how many there are. */
  rows: number
}

export const mostBlocks = 2_000
/** More rows do not fit a pooled connection. */
const mostPooledRows = 20_000

const listSchema = z.array(
  z.object({ table: z.string(), path: z.string(), rows: z.string().transform(Number) }),
)
const keyedSchema = z.array(z.object({ name: z.string() }))
const sumsOfTable = z.object({
  server: z.string(),
  tables: z.string(),
  table: z.enum(tables),
  sum: z.string().transform(BigInt),
  last: z.number(),
  fresh: z.array(z.number()),
  rows: z.number(),
})
const sumsSchema = z.tuple([sumsOfTable], sumsOfTable)
const numberSchema = z.array(z.object({ n: z.number() }))

/** Every page asks this, and it is nearly all planning: nothing is computed in it. */
const listed = toQuery(sql`SELECT table, path, rows
FROM system.parts
WHERE active AND database = 'rollcall'
SETTINGS output_format_json_quote_64bit_integers = 1`)

/** Of replicas, the one that lists is not always the one that answers. */
const keyed = toQuery(sql`SELECT name
FROM system.tables
WHERE database = 'rollcall' AND engine LIKE '%MergeTree' AND NOT match(engine, '^(Replicated|Shared)')`)

const server = 'toString(serverUUID())'
const identity = `${server} AS server,
    (SELECT arrayStringConcat(arraySort(groupArray(concat(name, ' ', toString(uuid)))), ', ')
      FROM system.tables
      WHERE database = 'rollcall' AND name IN ('${tables.join("', '")}') AND engine LIKE '%MergeTree') AS tables`

/** `streamer`: reads large answers. Default: the client itself; over HTTP any can. */
export function openSource(client: ClickHouseClient, streamer: ClickHouseClient = client): Source {
  const ask = async (query: ReturnType<typeof toQuery>) =>
    (await client.query({ ...query, format: 'JSONEachRow' })).json()
  const askNumber = async (text: Fragment) => numberSchema.parse(await ask(toQuery(text)))[0]?.n ?? 0
  const clientFor = (rows: number) => (rows > mostPooledRows ? streamer : client)
  let keyedTables: Promise<unknown> | undefined
  return {
    async list() {
      const [rows, names] = await Promise.all([ask(listed), (keyedTables ??= ask(keyed))]).catch(
        (error: unknown) => {
          keyedTables = undefined
          throw error
        },
      )
      const byTable = Map.groupBy(listSchema.parse(rows), ({ table }) => table)
      const listOf = (table: string) => {
        const of = byTable.get(table) ?? []
        // The path of a part names its table, and then the part.
        const paths = of.map(({ path }) => path).sort()
        return { parts: hash('sha1', paths.join(' ')), rows: of.reduce((sum, { rows }) => sum + rows, 0) }
      }
      return {
        contents: new Map(keyedSchema.parse(names).map(({ name }) => [name, listOf(name).parts])),
        of: Object.fromEntries(tables.map((table) => [table, listOf(table)])) as List['of'],
      }
    },
    async sums(followed) {
      const rows = sumsSchema.parse(await ask(toQuery(join(followed.map(sumsOf), '\nUNION ALL\n'))))
      const { server, tables } = rows[0]
      return { server, tables, of: new Map(rows.map((row) => [row.table, row])) }
    },
    async sumBuckets(followed, server) {
      const sums = createBucketSums()
      let last = 0
      for await (const { rows, columns } of readAs(client, bucketsOf(followed, server))) {
        const [buckets, sumsOfBuckets, lasts] = columns as [Uint32Array, BigUint64Array, Uint32Array]
        for (let row = 0; row < rows; row++) sums[buckets[row]!] = sumsOfBuckets[row]!
        last = lasts[0]!
      }
      return { sums, last }
    },
    read: (followed, server, which, rows) => readAs(clientFor(rows), rowsOf(followed, server, which)),
    endBefore: (rows) => askNumber(endOf(rows)),
    readVersions: (needs) =>
      readAs(clientFor(needs.rows), unionOf(needs, sql`${versionColumns}, ${signColumns}`)),
    countVersions: (needs) =>
      askNumber(sql`SELECT toFloat64(count()) AS n FROM (${unionOf(needs, raw('1'))})`),
    streamVersions(needs) {
      const names = raw(storedColumns.map((name) => `any(version.${name}) AS ${name}`).join(', '))
      const all = unionOf(needs, raw([...storedColumns, 'akey', 'img', 'sign'].join(', ')))
      const holding = sql`SELECT ${names}, akey, img FROM (${all}) AS version GROUP BY akey, img HAVING sum(sign) > 0`
      return readAs(
        streamer,
        sql`SELECT ${versionColumns}, img, toInt8(1) FROM (${holding})`,
        ', max_bytes_before_external_group_by = 200000000',
      )
    },
    readPeople: () =>
      readAs(client, sql`SELECT ${columnsOfPeople}, ${signColumns} FROM rollcall.user_versions`),
  }

  async function* readAs(from: ClickHouseClient, text: Fragment, more = ''): AsyncGenerator<Block> {
    const settings = raw(`SETTINGS max_block_size = 8192, max_execution_time = 600${more}`)
    const { query, query_params } = toQuery(sql`${text}\n${settings}\nFORMAT Native`)
    const { stream } = await from.exec({ query, query_params })
    yield* readNative(stream)
  }
}

/** Content hash and sign. */
const signColumns = raw('img, sign')

function fromTable({ table, since }: Followed, ...conditions: (Fragment | null)[]): Fragment {
  const isLater = table === 'closed_versions' && since > 0 ? sql`valid_to > ${instant(since)}` : null
  return sql`rollcall.${raw(table)} ${where(isLater, ...conditions)}`
}

const isFrom = (by: string): Fragment => sql`throwIf(${raw(server)} != ${value('String', by)}) = 0`

function sumsOf({ after, last, ...followed }: Followed & Since): Fragment {
  const isAfter = sql`_block_number > ${value('UInt64', after)}`
  return sql`SELECT ${raw(identity)}, '${raw(followed.table)}' AS table, toString(${raw(sumColumn)}) AS sum,
    toUInt32(max(_block_number)) AS last, toUInt32(countIf(_block_number > ${value('UInt64', last)})) AS rows,
    groupUniqArrayIf(${raw(String(mostBlocks + 1))})(toUInt32(_block_number), ${isAfter}) AS fresh
FROM ${fromTable(followed)}`
}

const bucketsOf = (
  followed: Followed,
  by: string,
): Fragment => sql`SELECT toUInt32(${raw(bucketColumn)}) AS bucket,
    ${raw(sumColumn)}, toUInt32(max(max(_block_number)) OVER ()) AS last
FROM ${fromTable(followed, isFrom(by))}
GROUP BY bucket`

function rowsOf(followed: Followed, by: string, rows: Rows): Fragment {
  const columns = followed.table === 'user_versions' ? columnsOfPeople : versionColumns
  const all = sql`SELECT ${columns}, ${signColumns}, toUInt32(_block_number)`
  if ('upTo' in rows) {
    const upTo = sql`_block_number <= ${value('UInt64', rows.upTo)}`
    const inBuckets = rows.buckets && sql`${raw(bucketColumn)} IN ${list('UInt64', rows.buckets)}`
    return sql`${all} FROM ${fromTable(followed, isFrom(by), upTo, inBuckets ?? null)}`
  }
  const isFresh = sql`_block_number IN ${list('UInt64', rows.blocks)}`
  if (followed.table !== 'open_versions') return sql`${all} FROM ${fromTable(followed, isFrom(by), isFresh)}`
  const from = fromTable(followed, isFrom(by), isFresh, raw('sign = 1'))
  return sql`${all} FROM ${from} ORDER BY _block_number DESC LIMIT 1 BY akey`
}

const endOf = (rows: number): Fragment => sql`SELECT toFloat64(toUnixTimestamp64Milli(valid_to)) AS n
FROM rollcall.closed_versions
ORDER BY valid_to DESC
LIMIT 1 OFFSET ${value('UInt64', rows)}`

function unionOf(
  { first, last, users, challenges, ofWholeAssignments }: Omit<Needs, 'rows'>,
  columns: Fragment,
): Fragment {
  const people = users && sql`user_id IN ${idsOf(users)}`
  const inChallenges = challenges && sql`challenge_id IN ${list('String', challenges)}`
  const only = [people ?? null, inChallenges ?? null]
  const from = (table: string, columns: Fragment, ...more: (Fragment | null)[]) => {
    const ends = table === 'closed_versions' ? sql`valid_to > ${instant(first)}` : null
    return sql`SELECT ${columns} FROM ${raw(`rollcall.${table}`)} ${where(ends, sql`valid_from <= ${instant(last)}`, ...more)}`
  }
  const union = (columns: Fragment, ...more: (Fragment | null)[]) =>
    join(
      [from('open_versions', columns, ...more), from('closed_versions', columns, ...more)],
      '\nUNION ALL\n',
    )
  if (ofWholeAssignments !== true || only.every((each) => each === null)) return union(columns, ...only)
  return union(columns, sql`akey IN (${union(raw('akey'), ...only)})`)
}
