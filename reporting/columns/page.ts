/** Which rows are on a page and how many there are, or all rows in an order. */
import { both } from '../../schemas/metrics/facts.ts'
import { toLastKey, type RowCursor, type RowOrder } from '../scope/row-order.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import { Columns, type StoredContent } from './columns.ts'
import { daysOf } from './day-column.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import { forEachRow, narrow, type InScope, type Selection } from './select.ts'
import { createFirst, sortInSlices } from './sort.ts'

export type FoundRow = { content: StoredContent; key: RowCursor['key'] }
/** `units`: the sum of the rows. */
type FoundPage = { rows: FoundRow[]; total: number; units: number }

/** `names`: of people by id, for an order by person. */
type Order = { order: RowOrder; names: ReadonlyMap<string, string> | undefined }
type PageRequest = Order & { cursor: RowCursor | null; onlyAssignment?: string | undefined; limit: number }

export async function findPage(memory: Memory, inScope: InScope, request: PageRequest): Promise<FoundPage> {
  const { order, onlyAssignment, limit } = request
  const keys = createKeys(memory, inScope, request)
  const cursor = request.cursor && { ...request.cursor, key: keys.toNumber(request.cursor.key) }
  const { selections: all, unitsOf } = await selectPart(memory, inScope)
  const only = memory.ids.assignment_id.find(onlyAssignment ?? '')
  const isOnly =
    ({ columns: { values }, rows }: Selection) =>
    (index: number) =>
      values.assignment_id[rows[index]!] === only
  const selections =
    onlyAssignment === undefined ? all : await Promise.all(all.map((each) => narrow(each, isOnly(each))))
  const { hits, total } = await findFirst(selections, keys.of, { cursor, isUp: !order.descending, limit })
  const rows = hits.map(({ selection: { columns }, row, key }) => ({
    content: columns.contentOf(row),
    key: keys.fromNumber(key),
  }))
  let units = unitsOf === undefined ? total : 0
  if (unitsOf)
    await forEachRow(
      selections,
      ({ columns }) =>
        (row) =>
          void (units += unitsOf(columns, row)),
    )
  return { rows, total, units }
}

const contentsAtOnce = 250

/** All rows in an order, some at a time: as they are now, whatever changes in memory while they are read. */
export async function readAllContents(
  memory: Memory,
  inScope: InScope,
  order: RowOrder,
  names: Order['names'],
): Promise<Iterable<StoredContent[]>> {
  const keys = createKeys(memory, inScope, { order, names })
  const { selections } = await selectPart(memory, inScope)
  const total = selections.reduce((sum, { rows }) => sum + rows.length, 0)
  const copy = new Columns(memory.ids)
  await copy.reserve(total)
  const keyOf = new Float64Array(total)
  await forEachRow(selections, async (selection) => {
    const keyAt = await keys.of(selection)
    return (row, code) => {
      keyOf[copy.size] = keyAt(row, code)
      copy.copy(selection.columns, row)
    }
  })
  const idOf = (row: number) => copy.nameOf('assignment_id', row)
  const sign = order.descending ? -1 : 1
  const sorted = await sortInSlices(total, (a, b) => sign * (keyOf[a]! - keyOf[b]!) || byId(idOf(a), idOf(b)))
  return (function* () {
    for (let from = 0; from < total; from += contentsAtOnce)
      yield Array.from(sorted.subarray(from, from + contentsAtOnce), (row) => copy.contentOf(row))
  })()
}

type KeyOf = (row: number, code: number) => number
type Found = { selection: Selection; row: number; code: number; key: number; id: string }
type Place = { cursor: { key: number; assignmentId: string } | null; isUp: boolean; limit: number }

/** Rows after the cursor in the order of their keys, then of their ids; how many in all. `cursor`: with the number of its key. */
export async function findFirst(
  selections: readonly Selection[],
  createKey: (selection: Selection) => KeyOf | Promise<KeyOf>,
  { cursor, isUp, limit }: Place,
): Promise<{ hits: Found[]; total: number }> {
  const byKey = (a: number, b: number) => (isUp ? a - b : b - a)
  const compare = (a: Found, b: Found) => byKey(a.key, b.key) || byId(a.id, b.id)
  const first = createFirst(compare, limit)
  let total = 0
  await forEachRow(selections, async (selection) => {
    const keyOf = await createKey(selection)
    total += selection.rows.length
    return (row, code) => {
      const key = keyOf(row, code)
      // Most rows come after the last of the page, and need no id.
      const worst = first.worst()
      if (worst !== undefined && byKey(key, worst.key) > 0) return
      const id = selection.columns.nameOf('assignment_id', row)
      if (cursor === null || (byKey(key, cursor.key) || byId(id, cursor.assignmentId)) > 0)
        first.add({ selection, row, code, key, id })
    }
  })
  return { hits: first.all(), total }
}

const byId = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

type Keys = {
  of(selection: Selection): KeyOf | Promise<KeyOf>
  toNumber(key: RowCursor['key']): number
  fromNumber(number: number): RowCursor['key']
}

/** The keys of rows in their order, as numbers; a row without a value gets a key that sorts last. */
function createKeys(memory: Memory, inScope: InScope, { order, names }: Order): Keys {
  if (order.by === 'person') return createNameKeys(memory, order, names ?? new Map())
  const { by } = order
  return {
    of: (selection) => createKeyOf(selection, inScope, { ...order, by }),
    toNumber: Number,
    fromNumber: (key) => key,
  }
}

const byName = new Intl.Collator('en').compare

/** A name's number is its place among all names. */
function createNameKeys({ ids }: Memory, order: RowOrder, names: ReadonlyMap<string, string>): Keys {
  const sorted = [...new Set(names.values())].sort(byName)
  const last = order.descending ? -Infinity : Infinity
  const placeOf = new Map(sorted.map((name, place) => [name, place]))
  const ofUser = Float64Array.from(ids.user_id.names, (id) => placeOf.get(names.get(id) ?? '') ?? last)
  return {
    of:
      ({ columns: { values } }) =>
      (row) =>
        ofUser[values.user_id[row]!]!,
    toNumber(key) {
      if (key === toLastKey(order)) return last
      const place = placeOf.get(String(key))
      if (place !== undefined) return place
      // The name has gone since: the page goes on between its neighbours.
      const next = sorted.findIndex((name) => byName(name, String(key)) > 0)
      return (next < 0 ? sorted.length : next) - 0.5
    },
    fromNumber: (place) => sorted[place] ?? toLastKey(order),
  }
}

type OtherOrder = RowOrder & { by: Exclude<RowOrder['by'], 'person'> }

async function createKeyOf(
  { columns, facts }: Selection,
  { scope }: InScope,
  order: OtherOrder,
): Promise<KeyOf> {
  const last = Number(toLastKey(order))
  const { created_at, due_date, first_submitted_at, grade, class: classes } = columns.values
  const today = daysIn(scope.dueZone).of(scope.asOf)
  const dueDays = await daysOf(columns, 'due_date', scope.dueZone)
  const isOverdue = decide(facts, 'overdue')
  const hasGrade = decide(facts, both('graded', 'grade_known'))
  const keys: Record<OtherOrder['by'], KeyOf> = {
    created: (row) => created_at[row]!,
    due: (row) => due_date[row]! || last,
    days_late: (row, code) => (isOverdue(code) ? today - dueDays[row]! : last),
    waiting: (row) => (classes[row] === 1 ? first_submitted_at[row]! : last),
    grade: (row, code) => (hasGrade(code) ? grade[row]! : last),
  }
  return keys[order.by]
}
