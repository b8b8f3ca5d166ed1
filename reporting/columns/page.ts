/** Which rows are on a page, and how many there are, from columns in memory. Their content is read from the store by their keys. */
import { both } from '../../schemas/metrics/facts.ts'
import { toLastKey, type RowCursor, type RowOrder } from '../scope/row-order.ts'
import { daysIn } from '../expressions/zone.ts'
import { daysOf } from './day-column.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import { narrow, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'
import { createFirst } from './sort.ts'

/** `akey` and `img`: of a version, decimal. */
export type FoundRow = {
  table: 'open_versions' | 'closed_versions'
  akey: string
  img: string
  user: string
  key: number
}
/** `units`: the sum of the rows. */
type FoundPage = { rows: FoundRow[]; total: number; units: number; beyond: number }

type PageRequest = {
  order: RowOrder
  cursor: RowCursor | null
  backwards: boolean
  onlyAssignment?: string | undefined
  limit: number
}

/** Not in the order of names, which are not held. */
export async function findPage(memory: Memory, inScope: InScope, request: PageRequest): Promise<FoundPage> {
  const { order, backwards, onlyAssignment } = request
  const createKey = (selection: Selection) => createKeyOf(selection, inScope, order)
  const place = { ...request, isUp: order.descending === backwards }
  const { selections: all, unitsOf } = await selectPart(memory, inScope)
  const selections = onlyAssignment === undefined ? all : await findOnly(all, onlyAssignment)
  const { hits, ...counts } = await findFirst(selections, createKey, place)
  const rows = hits.map(({ selection: { columns, rows: rowNumbers }, index, key }) => ({
    table: columns === memory.open ? ('open_versions' as const) : ('closed_versions' as const),
    ...columns.identify(rowNumbers[index]!),
    key,
  }))
  const units = selections.flatMap(({ columns, rows: rowNumbers }) =>
    unitsOf ? [...rowNumbers].map((row) => unitsOf(columns, row)) : [],
  )
  return { rows, ...counts, units: unitsOf ? units.reduce((sum, each) => sum + each, 0) : counts.total }
}

function findOnly(selections: readonly Selection[], assignmentId: string): Promise<Selection[]> {
  const id = Buffer.from(assignmentId)
  return Promise.all(selections.map((each) => narrow(each, (index) => each.columns.hasId(each.rows[index]!, id))))
}

type Found = { selection: Selection; index: number; key: number }
type KeyOf = (index: number) => number

/** Rows after the cursor in the order of their keys, then of their ids, or before it from there backwards; how many in all, and so. */
export async function findFirst(
  selections: readonly Selection[],
  createKey: (selection: Selection) => KeyOf | Promise<KeyOf>,
  { cursor, isUp, backwards, limit }: Omit<PageRequest, 'order' | 'onlyAssignment'> & { isUp: boolean },
): Promise<{ hits: Found[]; total: number; beyond: number }> {
  const byId = (a: Buffer, b: Buffer) => (backwards ? Buffer.compare(b, a) : Buffer.compare(a, b))
  const byKey = (a: number, b: number) => (isUp ? a - b : b - a)
  const idOf = ({ selection: { columns, rows }, index }: Found) => columns.idOf(rows[index]!)
  const compare = (a: Found, b: Found) => byKey(a.key, b.key) || byId(idOf(a), idOf(b))
  const after = cursor === null ? null : { key: Number(cursor.key), id: Buffer.from(cursor.assignmentId) }
  const first = createFirst(compare, limit)
  let [total, beyond] = [0, 0]
  for (const selection of selections) {
    const { columns, rows } = selection
    const keyOf = await createKey(selection)
    total += rows.length
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const key = keyOf(index)
        if (after !== null && (byKey(key, after.key) || byId(columns.idOf(rows[index]!), after.id)) <= 0) continue
        beyond++
        const worst = first.worst()
        if (worst === undefined || byKey(key, worst.key) <= 0) first.add({ selection, index, key })
      }
    })
  }
  return { hits: first.all(), total, beyond }
}

/** The keys of rows in their order; a row without a value gets a key that sorts last. */
async function createKeyOf({ columns, rows, facts }: Selection, { scope }: InScope, order: RowOrder): Promise<KeyOf> {
  const last = Number(toLastKey(order))
  const { at, grade, classes } = columns
  const today = daysIn(scope.dueZone).of(scope.asOf)
  const dueDays = order.by === 'days_late' ? await daysOf(columns, 'due_date', scope.dueZone) : new Uint16Array()
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
      return (index) => (hasGrade(facts.codes[index]!) ? grade[rows[index]!]! : last)
    case 'person':
      throw new RangeError('Names are not held')
  }
}
