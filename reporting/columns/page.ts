/** Which rows are on a page, and how many there are, from columns in memory. What they hold is read from the store by their keys. */
import { holds } from '../../schemas/metrics/facts.ts'
import { toLastKey, type RowCursor, type RowOrder } from '../queries/row-order.ts'
import { daysIn } from '../read/zone.ts'
import type { Columns } from './columns.ts'
import { daysOf } from './day-column.ts'
import type { Memory } from './memory.ts'
import { select, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'

/** `akey` and `img`: of a version, decimal. */
export type FoundRow = { akey: string; img: string; user: string; key: number }
export type FoundPage = { rows: FoundRow[]; total: number; beyond: number }

export type PageRequest = { order: RowOrder; cursor: RowCursor | null; backwards: boolean; wanted: number }

type Found = { columns: Columns; row: number; key: number }

/** Rows after the cursor in an order, or before it from there backwards. Not in the order of names, which are not held. */
export async function findPage(memory: Memory, inScope: InScope, request: PageRequest): Promise<FoundPage> {
  const { order, cursor, backwards, wanted } = request
  const selections = await select(memory, inScope)
  const isUp = order.descending === backwards
  const byId = (a: Buffer, b: Buffer) => (backwards ? Buffer.compare(b, a) : Buffer.compare(a, b))
  const byKey = (a: number, b: number) => (isUp ? a - b : b - a)
  const compare = (a: Found, b: Found) => byKey(a.key, b.key) || byId(a.columns.idOf(a.row), b.columns.idOf(b.row))
  const after = cursor === null ? null : { key: Number(cursor.key), id: Buffer.from(cursor.assignmentId) }
  const most = 4 * wanted + 1_024
  let found: Found[] = []
  let [total, beyond] = [0, 0]
  /** The key of the worst row that may be on the page. */
  let worst: number | undefined
  const cut = () => {
    found = found.sort(compare).slice(0, wanted)
    worst = found[wanted - 1]?.key
    return found
  }
  for (const selection of selections) {
    const { columns, rows } = selection
    const keyOf = await createKey(selection, inScope, order)
    total += rows.length
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        const key = keyOf(index)
        if (after !== null && (byKey(key, after.key) || byId(columns.idOf(row), after.id)) <= 0) continue
        beyond++
        // Most rows lie behind the worst one of those that are held.
        if (worst !== undefined && byKey(key, worst) > 0) continue
        found.push({ columns, row, key })
        if (found.length >= most) cut()
      }
    })
  }
  return { rows: cut().map(({ columns, row, key }) => ({ ...columns.identify(row), key })), total, beyond }
}

/** What rows are sorted by; one without a value gets a key that sorts last. */
async function createKey(
  { columns, rows, facts }: Selection,
  { scope }: InScope,
  order: RowOrder,
): Promise<(index: number) => number> {
  const last = Number(toLastKey(order))
  const { at, grade, classes } = columns
  const today = daysIn(scope.dueZone).of(scope.asOf)
  const dueDays = order.by === 'days_late' ? await daysOf(columns, 'due_date', scope.dueZone) : new Uint16Array()
  const has = (index: number, condition: Parameters<typeof holds>[0]) => holds(condition, facts.of(facts.codes[index]!))
  switch (order.by) {
    case 'created':
      return (index) => at.created_at[rows[index]!]!
    case 'due':
      return (index) => at.due_date[rows[index]!]! || last
    case 'days_late':
      return (index) => (has(index, 'overdue') ? today - dueDays[rows[index]!]! : last)
    case 'waiting':
      return (index) => (classes[rows[index]!] === 1 ? at.first_submitted_at[rows[index]!]! : last)
    case 'grade':
      return (index) => (has(index, { and: ['graded', 'grade_known'] }) ? grade[rows[index]!]! : last)
    case 'person':
      throw new RangeError('Names are not held')
  }
}
