/** The rows behind the numbers of a scope: a page of them by keyset, so that the order is stable, or all as a stream. */
import { z } from 'zod'
import { flagSchema } from '../../schemas/instant.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import { addDays, shiftPeriod } from '../../schemas/metrics/calendar.ts'
import { between } from '../../schemas/metrics/expression.ts'
import { both, type Condition } from '../../schemas/metrics/facts.ts'
import { findPart, type Line } from '../../schemas/metrics/parts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { inMemory } from './in-memory.ts'
import { findPage, type FoundRow } from '../columns/page.ts'
import { toScopeArgs } from './reporting-lines.ts'
import { toDay } from '../scope/filter.ts'
import { newestFirst, toLastKey, type RowCursor, type RowOrder } from '../scope/row-order.ts'
import type { Reader } from '../read/reader.ts'
import { idsOf, join, list, raw, sql, value, when, where, type Fragment } from '../expressions/sql.ts'
import { select, stream, type Seen, type SeenByName, type Statement } from '../read/statement.ts'
import { daysSinceDue, toCondition, toSql } from '../expressions/store-sql.ts'
import { allowed, managers, people, readLatestNames, settle, withTeamNames } from './people.ts'
import {
  contentColumns,
  contentOf,
  contentSchema,
  createRows,
  personSchema,
  toContent,
  wholePersonSchema,
  type NameOf,
  type RowPerson,
  type StoredContent,
} from './row.ts'
import { asOf, factsOf, overdueSpans, personsOf, versions, type ScopeArgs } from './versions.ts'

type RowRequest = {
  /** Default: newest first. */
  order?: RowOrder
  /** The row after which the page begins, or before which it ends. Default: the first page. */
  cursor?: RowCursor | null
  /** The page before the cursor instead of the one after it. Default: no. */
  backwards?: boolean
  limit: number
  withTotal: boolean
  /** Only the assignment with this id. Default: all. */
  onlyAssignment?: string
}

export type RowPage = {
  rows: AssignmentRow[]
  /** All rows of the scope; `null` where it was not asked for, or nothing lies beyond the cursor. */
  total: number | null
  /** The sum of the rows: more than `total` where an assignment counts more than once. */
  units: number | null
  /** The place of the first row among all, from 1; `null` like `total`. */
  first: number | null
  /** Where the next page begins, `null` after the last one. */
  next: RowCursor | null
  /** Where the page before this one ends, `null` on the first one. */
  previous: RowCursor | null
}

/**
 * The versions of a scope, narrowed to the part of a number that it names. `units`: what a row adds to that number, which is 1 except where
 * an assignment can count twice.
 */
export function versionsOfPart(args: ScopeArgs, seen: Seen, columns: string, only: Fragment | null = null): Fragment {
  const { scope } = args
  const { part } = scope
  const rule = part === undefined ? undefined : findPart(part.metric, part.name, scope.period)
  if (part !== undefined && rule === undefined) throw new RangeError(`${part.metric} has no part ${part.name}`)
  const holds = rule && toCondition(rule.holds, { moment: scope, dueSoonDays: scope.dueSoonDays, filters: true })
  const { condition = null, spans } = rule?.line === undefined ? {} : toLine(rule.line, scope)
  const more = [only, holds ?? null, condition]
  if (spans === undefined) return sql`SELECT *, 1 AS units FROM (${versions(args, seen, columns, ...more)})`
  return sql`SELECT *, ${spans.units} AS units
        FROM (SELECT *, ${overdueSpans(scope)} AS overdue_spans FROM (${versions(args, seen, `${columns}, due_spans`, ...more)}))
        WHERE ${spans.only}`
}

/** The conditions of a line of a list besides facts: on the version, or on its spans of being overdue. */
function toLine(line: Line, scope: Scope): { condition?: Fragment; spans?: { units: Fragment; only: Fragment } } {
  if (line.of === 'bin') return { condition: sql`least(greatest(floor(grade / 10), 0), 9) = ${raw(String(line.bin))}` }
  const [first, last] = [line.start, addDays(shiftPeriod(scope.period, line.start, 1), -1)]
  const ofPeriod = (at: 'created_at' | 'completed_at' | 'first_graded_at') =>
    toSql(between(first, at, 'reporting', last), { moment: scope, dueSoonDays: 0, filters: true })
  // As numbers: a period may lie before or after the dates that the engine reads.
  const dayOfSpan = (end: 1 | 2) =>
    sql`toUInt16(toDate(fromUnixTimestamp64Milli(span.${raw(String(end))}), ${value('String', scope.timeZone)}))`
  const day = (date: string) => value('UInt16', toDay(date))
  switch (line.of) {
    case 'created':
      return { condition: ofPeriod('created_at') }
    case 'completed':
      return { condition: sql`${ofPeriod('completed_at')} AND completed_at <= as_of` }
    case 'graded':
      return { condition: ofPeriod('first_graded_at') }
    case 'became_overdue': {
      // Where one span begins exactly when the one before ends, that is one turn and not two.
      const units = sql`arrayCount((span, before) -> before.2 != span.1 AND ${dayOfSpan(1)} BETWEEN ${day(first)} AND ${day(last)}, overdue_spans, arrayShiftRight(overdue_spans, 1, (0::Int64, 0::Int64)))`
      return { spans: { units, only: raw('units > 0') } }
    }
    case 'overdue_at_end': {
      const stillAfter = sql`(span.2 > toUnixTimestamp64Milli(as_of) OR ${dayOfSpan(2)} > ${day(last)})`
      return {
        spans: {
          units: raw('1'),
          only: sql`arrayExists(span -> ${dayOfSpan(1)} <= ${day(last)} AND ${stillAfter}, overdue_spans)`,
        },
      }
    }
  }
}

type OrderArgs = ScopeArgs & { order: RowOrder }

/** Versions with their sort key. A row without a value gets a key that sorts last. */
function sorted(args: OrderArgs, seen: SeenByName, only: Fragment | null = null): Fragment {
  const { scope, order } = args
  const source = versionsOfPart(args, seen, [...contentColumns, 'akey', 'img', 'sign'].join(', '), only)
  const last = value(keyType(order), toLastKey(order))
  if (order.by === 'person') {
    return sql`SELECT version.*, if(named.name_key = '', ${last}, named.name_key) AS sort_key
        FROM (${source}) AS version
        LEFT JOIN
        (
            SELECT user_id, ${seen.name('lowerUTF8(name)', 'user_id')} AS name_key FROM (${people(scope, ['name'])})
        ) AS named ON named.user_id = version.user_id`
  }
  const keyOf = {
    created: ['all', ms('created_at')],
    due: ['due_known', ms('due_date')],
    days_late: ['overdue', sql`toFloat64(${daysSinceDue(scope)})`],
    waiting: ['awaiting_grading', ms('first_submitted_at')],
    grade: [both('graded', 'grade_known'), raw('grade')],
  } satisfies Record<string, [Condition, Fragment]>
  const [condition, key] = keyOf[order.by]
  return sql`SELECT *, if(${factsOf(scope)(condition as Condition)}, ${key}, ${last}) AS sort_key FROM (${source})`
}

const ms = (at: string) => raw(`toFloat64(toUnixTimestamp64Milli(${at}))`)
const keyType = ({ by }: RowOrder) => (by === 'person' ? 'String' : 'Float64')

type RowArgs = OrderArgs & {
  cursor: RowCursor | null
  backwards: boolean
  withTotal: boolean
  onlyAssignment: string | undefined
  mostRows: number
}

/**
 * The first `mostRows` signed rows are taken as they are and collapsed afterwards: collapsing the whole scope costs more than all the rest.
 * Equal rows lie side by side in the order, so only the last of so many may lack its twin.
 */
export const rows: Statement<RowArgs> = {
  name: 'rows',
  about: 'names',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const { scope, order, cursor, backwards, withTotal, onlyAssignment, mostRows } = args
    const isUp = order.descending === backwards
    const beyond = raw(isUp ? '>' : '<')
    const key = value(keyType(order), cursor?.key)
    const isAfter =
      cursor === null
        ? raw('true')
        : sql`(sort_key ${beyond} ${key} OR (sort_key = ${key} AND assignment_id ${raw(backwards ? '<' : '>')} ${value('String', cursor.assignmentId)}))`
    const by = (sortKey: string) =>
      raw(`ORDER BY ${sortKey}${isUp ? '' : ' DESC'}, assignment_id${backwards ? ' DESC' : ''}, img`)
    const only = onlyAssignment === undefined ? null : sql`assignment_id = ${value('String', onlyAssignment)}`
    return sql`WITH
    ${asOf(scope)},
    found AS
    (
        SELECT *, ${isAfter} AS is_after FROM (${sorted(args, seen, only)})
    )
SELECT
    row.*,
    -- All rows, those from here on in the direction of the page, and what all of them add up to.
    ${withTotal ? raw('(SELECT (sum(sign), sumIf(sign, is_after), sum(sign * units)) FROM found)') : raw('NULL')} AS totals
FROM
(
    SELECT
        ${raw(contentOf)},
        any(version.sort_key) AS row_key,
        sum(version.sign) AS copies,
        count() AS taken,
        img
    FROM (SELECT * FROM found WHERE is_after ${by('sort_key')} LIMIT ${value('UInt32', mostRows)}) AS version
    GROUP BY akey, img
) AS row
${by('row_key')}`
  },
}

/** The content of these versions, signed: they may have been replaced meanwhile. */
export const rowContent: Statement<{ keys: readonly FoundRow[] }> = {
  name: 'row-content',
  about: 'ids',
  asNumbers: true,
  persons: () => [],
  text({ keys }, seen) {
    const ids = (of: (row: FoundRow) => string) => idsOf([...new Set(keys.map(of))])
    const condition = where(
      sql`user_id IN ${ids(({ user }) => user)}`,
      sql`akey IN (SELECT toUInt64(arrayJoin(${list(
        'String',
        keys.map(({ akey }) => akey),
      )})))`,
      sql`img IN (SELECT toUInt64(arrayJoin(${list(
        'String',
        keys.map(({ img }) => img),
      )})))`,
      seen.only('user_id'),
    )
    const content = raw(toContent((column) => `version.${column}`))
    const tables = [...new Set(keys.map(({ table }) => table))]
    return join(
      tables.map(
        (table) => sql`SELECT
        ${content},
        toString(img) AS image,
        sign
FROM rollcall.${raw(table)} AS version
${condition}`,
      ),
      '\nUNION ALL\n',
    )
  },
}

/** All rows in one statement: one snapshot, whatever arrives while it is read. Sorted on disk where it does not fit. */
export const allRows: Statement<OrderArgs> = {
  name: 'all-rows',
  about: 'names',
  asNumbers: true,
  persons: personsOf,
  text(args, seen) {
    const { scope, order } = args
    return sql`WITH
    ${asOf(scope)}
SELECT row.*, ${seen.name('person.name')} AS user_name, person.teams AS teams, line.managers AS managers, ${allowed('person.attributes')} AS user_attributes
FROM
(
    SELECT
        ${raw(contentOf)},
        any(version.sort_key) AS row_key
    FROM (${sorted(args, seen)}) AS version
    GROUP BY akey, img
    HAVING sum(version.sign) > 0
) AS row
LEFT JOIN (SELECT user_id AS id, name, teams, attributes FROM (${people(scope, ['name', 'teams', 'attributes'])})) AS person ON person.id = row.user_id
LEFT JOIN (${managers(scope, seen)}) AS line ON line.report_id = row.user_id
ORDER BY row_key ${when(order.descending, raw('DESC'))}, assignment_id`
  },
}

/** The people of a page of rows: name, teams, direct managers. A row each, also for ids of nobody. */
export const rowPeople: Statement<{ scope: Scope; ids: readonly string[] }> = {
  name: 'row-people',
  about: 'names',
  isHeld: true,
  asNumbers: true,
  persons: () => [],
  text({ scope, ids }, seen) {
    const idList = list('String', ids)
    return sql`WITH
    ${asOf(scope)}
SELECT row.person_id AS user_id, ${seen.name('person.name')} AS user_name, person.teams AS teams, line.managers AS managers, person.active AS is_active, ${allowed('person.attributes')} AS user_attributes
FROM (SELECT arrayJoin(${idList}) AS person_id ${where(seen.only('person_id'))}) AS row
LEFT JOIN (${people(scope, ['name', 'teams', 'active', 'attributes'], sql`user_id IN ${idList}`)}) AS person ON person.user_id = row.person_id
LEFT JOIN (${managers(scope, seen, idList)}) AS line ON line.report_id = row.person_id`
  },
}

const takenSchema = contentSchema.extend({
  row_key: z.union([z.number(), z.string()]),
  /** How often the row holds; not more than 0: it was taken back. */
  copies: z.number(),
  /** How many signed rows it was made of. */
  taken: z.number(),
  totals: z.tuple([z.number(), z.number(), z.number()]).nullable(),
})
type Taken = z.infer<typeof takenSchema>

export async function readRowPage(reader: Reader, scope: Scope, request: RowRequest): Promise<RowPage> {
  const { cursor = null, backwards = false, limit, withTotal } = request
  // One more row than asked for shows whether there is a further page.
  const [{ rows: stored, people }, nameOf] = await Promise.all([
    readAtLeast(reader, scope, request, limit + 1),
    readLatestNames(reader),
  ])
  const page = stored.slice(0, limit)
  if (backwards) page.reverse()
  const users = page.map(({ user_id }) => user_id)
  const peopleById = people ?? (await readRowPeople(reader, scope, users))
  const toRow = createRows(scope, nameOf)
  const hasMore = stored.length > limit
  const isFirst = backwards ? !hasMore : cursor === null
  const isLast = !backwards && !hasMore
  return {
    rows: page.map((row) => toRow(row, peopleById.get(row.user_id) ?? nobody)),
    ...toTotals(page, backwards, withTotal && cursor === null),
    next: isLast ? null : toCursor(page.at(-1)),
    previous: isFirst ? null : toCursor(page[0]),
  }
}

type RowPeople = Awaited<ReturnType<typeof readRowPeople>>
/** `people`: where they are known from the beginning. */
type FoundRows = { rows: Taken[]; people?: RowPeople }

/** So many rows that hold, or all there are. Rows taken back since the last merge lie between them, as a rule few. */
async function readAtLeast(
  reader: Reader,
  scope: Scope,
  { order = newestFirst, cursor = null, backwards = false, withTotal, onlyAssignment }: RowRequest,
  limit: number,
): Promise<FoundRows> {
  const fromMemory = await readHeld(reader, scope, { order, cursor, backwards, withTotal, onlyAssignment }, limit)
  if (fromMemory !== undefined) return fromMemory
  const args = { ...(await toScopeArgs(reader, scope)), order, cursor, backwards, withTotal, onlyAssignment }
  for (let mostRows = limit + 64; ; mostRows *= 8) {
    const batch = takenSchema.array().parse(await select(reader, rows, { ...args, mostRows }))
    const isCut = batch.reduce((sum, { taken }) => sum + taken, 0) === mostRows
    // The last one may lack the row that takes it back.
    const whole = isCut ? batch.slice(0, -1) : batch
    const holding = whole.filter(({ copies }) => copies > 0)
    if (holding.length >= limit || !isCut) return { rows: holding.slice(0, limit) }
  }
}

const imageSchema = contentSchema.extend({ image: z.string(), sign: z.number() }).array()
/** The number of rows whose content is kept. */
const mostContents = 2_000
const mostPeople = 500

/** The same found in memory, and read by keys. `undefined`: ask for it, also where a row was replaced since it was found. */
async function readHeld(
  reader: Reader,
  scope: Scope,
  { order, cursor, backwards, withTotal, onlyAssignment }: Omit<RowArgs, keyof ScopeArgs | 'mostRows'>,
  limit: number,
): Promise<FoundRows | undefined> {
  if (order.by === 'person') return undefined
  const request = { order, cursor, backwards, onlyAssignment, limit }
  const page = await inMemory(reader, scope, async (memory, inScope) => ({
    ...(await findPage(memory, inScope, request)),
    contents: memory.contents as Map<string, StoredContent>,
  }))
  if (page === undefined) return undefined
  if (page.rows.length === 0) return { rows: [] }
  const users = page.rows.map(({ user }) => user)
  // With those of rows shown before, where they are few: what is asked of people stays the same while only rows come.
  const all = new Set([...users, ...Array.from(page.contents.values(), ({ user_id }) => user_id)])
  const asked = all.size > mostPeople ? users : [...all].sort()
  const [byImage, people] = await Promise.all([readContents(reader, page), readRowPeople(reader, scope, asked)])
  const totals: Taken['totals'] = withTotal ? [page.total, page.beyond, page.units] : null
  const rows = page.rows.flatMap(({ img, key }) => {
    const content = byImage.get(img)
    return content === undefined ? [] : [{ ...content, row_key: key, copies: 1, taken: 1, totals }]
  })
  return rows.length === page.rows.length ? { rows, people } : undefined
}

/** By image, whose content never changes: only new rows of a page are asked for. The reader sees these rows, or they had not been found. */
async function readContents(
  reader: Reader,
  { rows, contents }: { rows: readonly FoundRow[]; contents: Map<string, StoredContent> },
): Promise<ReadonlyMap<string, StoredContent | undefined>> {
  const byImage = new Map(rows.map(({ img }) => [img, contents.get(img)]))
  const absent = rows.filter(({ img }) => byImage.get(img) === undefined)
  const stored = absent.length === 0 ? [] : imageSchema.parse(await select(reader, rowContent, { keys: absent }))
  for (const [image, copies] of Map.groupBy(stored, (row) => row.image)) {
    if (copies.reduce((sum, { sign }) => sum + sign, 0) <= 0) continue
    byImage.set(image, copies[0])
    contents.set(image, copies[0]!)
  }
  for (const oldest of [...contents.keys()].slice(0, -mostContents)) contents.delete(oldest)
  return byImage
}

const nobody: RowPerson = { user_name: '', teams: [], managers: [], user_attributes: [] }
export const rowPersonSchema = personSchema.extend({ user_id: z.string(), is_active: flagSchema })
const wholeRowPersonSchema = rowPersonSchema.extend(wholePersonSchema.shape)

/** The people of a page, as of its moment. Asked after the rows: only of a hundred people, and not of all. */
export async function readRowPeople(
  reader: Reader,
  scope: Scope,
  users: readonly string[],
): Promise<Map<string, RowPerson & Pick<z.infer<typeof wholeRowPersonSchema>, 'user_id' | 'is_active'>>> {
  const ids = [...new Set(users)].filter(Boolean)
  if (ids.length === 0) return new Map()
  const moment = await settle(reader, scope)
  const [rows, nameOf] = await Promise.all([select(reader, rowPeople, { scope: moment, ids }), readLatestNames(reader)])
  const people = wholeRowPersonSchema.array().parse(rows)
  return new Map(people.map((person) => [person.user_id, withTeamNames(person, nameOf)]))
}

function toTotals(
  page: readonly Taken[],
  backwards: boolean,
  isWhole: boolean,
): Pick<RowPage, 'total' | 'units' | 'first'> {
  const totals = page[0]?.totals ?? null
  if (totals === null) return isWhole && page.length === 0 ? { total: 0, units: 0, first: 1 } : noTotals
  const [total, beyond, units] = totals
  return { total, units, first: (backwards ? beyond - page.length : total - beyond) + 1 }
}

const noTotals = { total: null, units: null, first: null }

function toCursor(row: Taken | undefined): RowCursor | null {
  return row === undefined ? null : { key: row.row_key, assignmentId: row.assignment_id }
}

/** The answer is streamed, however slowly its reader takes it, hence the hour. */
const ofStream =
  ', max_execution_time = 3600, max_bytes_before_external_sort = 200000000, max_bytes_before_external_group_by = 200000000, max_block_size = 8192'

/** All rows of a scope in an order, of one moment: a caller that stops early stops the query. */
export async function streamAllRows(
  streamer: Reader,
  scope: Scope,
  order: RowOrder = newestFirst,
): Promise<AsyncIterable<AssignmentRow[]>> {
  const nameOf = await readLatestNames(streamer)
  const chunks = await stream(streamer, allRows, { ...(await toScopeArgs(streamer, scope)), order }, ofStream)
  return toRows(chunks, scope, nameOf)
}

const wholeSchema = contentSchema.extend(wholePersonSchema.shape).array()

async function* toRows(
  chunks: AsyncIterable<unknown[]>,
  scope: Scope,
  nameOf: NameOf,
): AsyncGenerator<AssignmentRow[]> {
  const toRow = createRows(scope, nameOf)
  for await (const some of chunks) yield wholeSchema.parse(some).map((row) => toRow(row, withTeamNames(row, nameOf)))
}
