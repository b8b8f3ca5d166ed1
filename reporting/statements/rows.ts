/** The rows behind the numbers of a scope: a page of them, by keyset or by offset, or all as a stream. */
import { z } from 'zod'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { StoredContent } from '../columns/columns.ts'
import { findPage, readAllContents } from '../columns/page.ts'
import { selectPart } from '../columns/parts.ts'
import { mostRowsBeside } from '../columns/read-columns.ts'
import { columnsFor, toInScope } from './columns-for.ts'
import { newestFirst, type RowCursor, type RowOrder } from '../scope/row-order.ts'
import { DataUnavailableError } from '../errors.ts'
import type { Reader } from '../read/reader.ts'
import { list, sql, where } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { allowed, asOf, links, managers, people, readLatestNames, settle, withTeamNames } from './people.ts'
import { createRows, personSchema, type NameOf, type RowPerson } from './row.ts'

type RowRequest = {
  /** Default: newest first. */
  order?: RowOrder
  /** The row after which the page begins. Default: the first page. */
  cursor?: RowCursor | null
  /** Rows to skip from there. Default: none. */
  offset?: number
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
  /** Where the next page begins, `null` after the last one. */
  next: RowCursor | null
}

/** People by id: name, teams, direct managers. A row each, also for ids without a known person. `ids`: `null`: everybody. */
export const rowPeople: Statement<{ scope: Scope; ids: readonly string[] | null }> = {
  name: 'row-people',
  about: 'names',
  isHeld: true,
  asNumbers: true,
  text({ scope, ids }, seen) {
    const idList = ids && list('String', ids)
    const of = idList
      ? sql`SELECT arrayJoin(${idList}) AS person_id`
      : sql`SELECT user_id AS person_id FROM (${people(scope, ['active'])}) UNION DISTINCT SELECT report_id FROM (${links(scope)})`
    const only = idList && sql`user_id IN ${idList}`
    return sql`WITH
    ${asOf(scope)}
SELECT row.person_id AS user_id, ${seen.name('person.name')} AS user_name, person.teams AS teams, line.managers AS managers, person.active AS is_active, ${allowed('person.attributes')} AS user_attributes
FROM (SELECT person_id FROM (${of}) ${where(seen.only('person_id'))}) AS row
LEFT JOIN (${people(scope, ['name', 'teams', 'active', 'attributes'], only)}) AS person ON person.user_id = row.person_id
LEFT JOIN (${idList ? managers(scope, seen, idList) : managers(scope, seen)}) AS line ON line.report_id = row.person_id`
  },
}

/** What people are sorted by: their name, or their id where the reader sees no names. Without a name they are not here. */
export const sortNames: Statement<{ scope: Scope }> = {
  name: 'sort-names',
  about: 'names',
  isHeld: true,
  text: ({ scope }, seen) => sql`WITH ${asOf(scope)}
SELECT user_id, shown
FROM (SELECT user_id, ${seen.name('name', 'user_id')} AS shown FROM (${people(scope, ['name'])}) ${where(seen.only('user_id'))})
WHERE shown != ''`,
}

const sortNamesSchema = z.array(z.object({ user_id: z.string(), shown: z.string() }))

/** By id. */
export async function readSortNames(reader: Reader, scope: Scope): Promise<ReadonlyMap<string, string>> {
  const rows = await select(reader, sortNames, { scope: await settle(reader, scope) })
  return new Map(sortNamesSchema.parse(rows).map(({ user_id, shown }) => [user_id, shown]))
}

export async function readRowPage(reader: Reader, scope: Scope, request: RowRequest): Promise<RowPage> {
  const { order = newestFirst, cursor = null, offset = 0, limit, withTotal, onlyAssignment } = request
  const names = order.by === 'person' ? await readSortNames(reader, scope) : undefined
  // One more row than asked for shows whether there is a further page.
  const asked = { order, cursor, onlyAssignment, limit: offset + limit + 1, names }
  const [found, nameOf] = await Promise.all([
    columnsFor(reader, scope, (memory, inScope) => findPage(memory, inScope, asked)),
    readLatestNames(reader),
  ])
  const page = found.rows.slice(offset, offset + limit)
  const last = page.at(-1)
  const users = page.map(({ content }) => content.user_id)
  const peopleById = await readRowPeople(reader, scope, users)
  const toRow = createRows(scope, nameOf)
  // A page after the last row has no totals.
  const isTold = withTotal && (page.length > 0 || cursor === null)
  return {
    rows: page.map(({ content }) => toRow(content, peopleById.get(content.user_id) ?? nobody)),
    total: isTold ? found.total : null,
    units: isTold ? found.units : null,
    next:
      last && found.rows.length > offset + limit
        ? { key: last.key, assignmentId: last.content.assignment_id }
        : null,
  }
}

const nobody: RowPerson = {
  user_id: '',
  user_name: '',
  teams: [],
  managers: [],
  is_active: false,
  user_attributes: [],
}

/** The people of a page, as of its moment. Asked after the rows: only of a hundred people, and not of all. */
export async function readRowPeople(
  reader: Reader,
  scope: Scope,
  users: readonly string[],
): Promise<ReadonlyMap<string, RowPerson>> {
  const ids = [...new Set(users)].filter(Boolean)
  if (ids.length === 0) return new Map()
  const moment = await settle(reader, scope)
  const [rows, nameOf] = await Promise.all([
    select(reader, rowPeople, { scope: moment, ids }),
    readLatestNames(reader),
  ])
  return toPeopleById(rows, nameOf)
}

const toPeopleById = (rows: readonly unknown[], nameOf: NameOf): ReadonlyMap<string, RowPerson> =>
  new Map(
    personSchema
      .array()
      .parse(rows)
      .map((person) => [person.user_id, withTeamNames(person, nameOf)]),
  )

/** How many files are being read from a copy of their rows, which stays as long as their readers take. */
const copiesOf = new WeakMap<object, { n: number }>()
const mostCopies = 4

/**
 * All rows of a scope as of one moment: in an order, or in that of the engine where the store is large and not held. Fails before the first
 * row where possible. A caller may stop early.
 */
export async function streamAllRows(
  reader: Reader,
  scope: Scope,
  order: RowOrder = newestFirst,
): Promise<AsyncIterable<AssignmentRow[]>> {
  const inScope = await toInScope(reader, scope)
  const [names, nameOf, people] = await Promise.all([
    order.by === 'person' ? readSortNames(reader, scope) : undefined,
    readLatestNames(reader),
    // Too large to be held.
    select(reader, { ...rowPeople, isHeld: false }, { scope, ids: null }),
  ])
  const peopleById = toPeopleById(people, nameOf)
  const createRow = createRows(scope, nameOf)
  const toRow = (content: StoredContent) => createRow(content, peopleById.get(content.user_id) ?? nobody)
  const question = { moments: [inScope] }
  const copies = copiesOf.get(reader.memory) ?? { n: 0 }
  copiesOf.set(reader.memory, copies)
  if (copies.n >= mostCopies)
    throw new DataUnavailableError('Too many files are being read', { retryAfterMs: 5_000 })
  // Counted before it is made: files that are asked for at once are bounded, too.
  copies.n++
  const sorted = await reader.memory
    .askHeld((memory) => readAllContents(memory, inScope, order, names), undefined, question, mostRowsBeside)
    .finally(() => copies.n--)
  async function* readSorted(all: Iterable<StoredContent[]>): AsyncGenerator<AssignmentRow[]> {
    copies.n++
    try {
      for (const contents of all) yield contents.map(toRow)
    } finally {
      copies.n--
    }
  }
  async function* readUnsorted(): AsyncGenerator<AssignmentRow[]> {
    for await (const memory of reader.memory.stream(question)) {
      const { selections } = await selectPart(memory, inScope)
      for (const { columns, rows } of selections)
        yield Array.from(rows, (row) => toRow(columns.contentOf(row)))
    }
  }
  return begin(sorted === undefined ? readUnsorted() : readSorted(sorted.answer))
}

/** Has the first rows read now: what is read is let go of, even if the caller asks for none of it. */
async function begin<Rows>(rows: AsyncGenerator<Rows>): Promise<AsyncIterable<Rows>> {
  let first: IteratorResult<Rows> | undefined = await rows.next()
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = first ?? (await rows.next())
        first = undefined
        return next
      },
      return: () => rows.return(undefined),
    }),
  }
}
