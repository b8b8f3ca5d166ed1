/** Which rows are on a page and how many there are, or all rows in an order. */
import { both } from '../../schemas/metrics/facts.ts'
import { toLastKey, type RowCursor, type RowOrder } from '../scope/row-order.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import { Columns, type StoredContent } from './columns.ts'
import { daysOf } from './day-column.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import { narrow, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { createFirst, sortInSlices } from './sort.ts'

export type FoundRow = { content: StoredContent; key: RowCursor['key'] }
/** `units`: the sum of the rows. */
type FoundPage = { rows: FoundRow[]; total: number; units: number }

/** `names`: of people by id, for an order by person. */
type Order = { order: RowOrder; names: ReadonlyMap<string, string> | undefined }
type PageRequest = Order & {
  cursor: RowCursor | null
  onlyAssignment?: string | undefined
  limit: number
}

export async function findPage(memory: Memory, inScope: InScope, request: PageRequest): Promise<FoundPage> {
  const { order, onlyAssignment, limit } = request
  const keys = createKeys(memory, inScope, request)
  const cursor = request.cursor && { ...request.cursor, key: keys.toNumber(request.cursor.key) }
  const { selections: all, unitsOf } = await selectPart(memory, inScope)
  const selections = onlyAssignment === undefined ? all : await findOnly(all, onlyAssignment)
  const { hits, total } = await findFirst(selections, keys.of, { cursor, isUp: !order.descending, limit })
  const rows = hits.map(({ selection: { columns, rows: rowNumbers }, index, key }) => ({
    content: columns.contentOf(rowNumbers[index]!),
    key: keys.fromNumber(key),
  }))
  const units = selections.flatMap(({ columns, rows: rowNumbers }) =>
    unitsOf ? [...rowNumbers].map((row) => unitsOf(columns, row)) : [],
  )
  return { rows, total, units: unitsOf ? units.reduce((sum, each) => sum + each, 0) : total }
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
  const copy = new Columns(memory)
  await copy.reserve(total)
  const keyOf = new Float64Array(total)
  for (const selection of selections) {
    const { columns, rows } = selection
    const keyAt = await keys.of(selection)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        keyOf[copy.size] = keyAt(index)
        copy.copy(columns, rows[index]!)
      }
    })
  }
  const sign = order.descending ? -1 : 1
  const byKey = (a: number, b: number) =>
    sign * (keyOf[a]! - keyOf[b]!) || Buffer.compare(copy.idOf(a), copy.idOf(b))
  const sorted = await sortInSlices(
    Uint32Array.from({ length: total }, (_, row) => row),
    byKey,
  )
  return (function* () {
    for (let from = 0; from < total; from += contentsAtOnce)
      yield Array.from(sorted.subarray(from, from + contentsAtOnce), (row) => copy.contentOf(row))
  })()
}

function findOnly(selections: readonly Selection[], assignmentId: string): Promise<Selection[]> {
  const id = Buffer.from(assignmentId)
  return Promise.all(
    selections.map((each) => narrow(each, (index) => each.columns.hasId(each.rows[index]!, id))),
  )
}

type Found = { selection: Selection; index: number; key: number }
type KeyOf = (index: number) => number
type Place = {
  cursor: { key: number; assignmentId: string } | null
  isUp: boolean
  limit: number
}

/** Rows after the cursor in the order of their keys, then of their ids; how many in all. `cursor`: with the number of its key. */
export async function findFirst(
  selections: readonly Selection[],
  createKey: (selection: Selection) => KeyOf | Promise<KeyOf>,
  { cursor, isUp, limit }: Place,
): Promise<{ hits: Found[]; total: number }> {
  const byKey = (a: number, b: number) => (isUp ? a - b : b - a)
  const idOf = ({ selection: { columns, rows }, index }: Found) => columns.idOf(rows[index]!)
  const compare = (a: Found, b: Found) => byKey(a.key, b.key) || Buffer.compare(idOf(a), idOf(b))
  const after = cursor === null ? null : { key: cursor.key, id: Buffer.from(cursor.assignmentId) }
  const first = createFirst(compare, limit)
  let total = 0
  for (const selection of selections) {
    const { columns, rows } = selection
    const keyOf = await createKey(selection)
    total += rows.length
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const key = keyOf(index)
        if (
          after !== null &&
          (byKey(key, after.key) || Buffer.compare(columns.idOf(rows[index]!), after.id)) <= 0
        )
          continue
        const worst = first.worst()
        if (worst === undefined || byKey(key, worst.key) <= 0) first.add({ selection, index, key })
      }
    })
  }
  return { hits: first.all(), total }
}

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
function createNameKeys({ users }: Memory, order: RowOrder, names: ReadonlyMap<string, string>): Keys {
  const sorted = [...new Set(names.values())].sort(byName)
  const last = order.descending ? -Infinity : Infinity
  const placeOf = new Map(sorted.map((name, place) => [name, place]))
  const ofUser = Float64Array.from(users.names, (id) => placeOf.get(names.get(id) ?? '') ?? last)
  return {
    of:
      ({ columns, rows }) =>
      (index) =>
        ofUser[columns.user[rows[index]!]!]!,
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
  { columns, rows, facts }: Selection,
  { scope }: InScope,
  order: OtherOrder,
): Promise<KeyOf> {
  const last = Number(toLastKey(order))
  const { at, numbers, classes } = columns
  const today = daysIn(scope.dueZone).of(scope.asOf)
  const dueDays =
    order.by === 'days_late' ? await daysOf(columns, 'due_date', scope.dueZone) : new Uint16Array()
  const isOverdue = decide(facts, 'overdue')
  const hasGrade = decide(facts, both('graded', 'grade_known'))
  switch (order.by) {
    case 'created':
      return (index) => at.created_at[rows[index]!]!
    case 'due':
      return (index) => at.due_date[rows[index]!]! || last
    case 'days_late':
      return (index) => (isOverdue(facts.codes[index]!) ? today - dueDays[rows[index]!]! : last)
    case 'waiting':
      return (index) => (classes[rows[index]!] === 1 ? at.first_submitted_at[rows[index]!]! : last)
    case 'grade':
      return (index) => (hasGrade(facts.codes[index]!) ? numbers.grade[rows[index]!]! : last)
  }
}
