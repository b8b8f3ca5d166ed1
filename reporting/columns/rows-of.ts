/** The rows of some people or challenges: a question about few of them goes through these rows alone. */
import type { Columns } from './columns.ts'
import { findOnce, type Memory } from './memory.ts'
import { inSlices } from './slices.ts'

/** To sort at most one row in so many is quicker than to go through all rows. */
const oneInSoMany = 16

/** `rows`: those of one number after those of another; `starts`: where those of each begin, and the end. */
type Places = { starts: Uint32Array; rows: Uint32Array<ArrayBuffer> }

/** Ascending. `undefined`: they are too many. `isAsked`: by number, 1 or 0. */
export async function findRowsOf(
  memory: Memory,
  columns: Columns,
  column: 'user' | 'challenge',
  isAsked: Uint8Array,
): Promise<Uint32Array<ArrayBuffer> | undefined> {
  const numbers: number[] = []
  for (let number = 0; number < isAsked.length; number++) {
    if (isAsked[number] === 0) continue
    numbers.push(number)
    if (numbers.length * oneInSoMany > isAsked.length) return undefined
  }
  const question = { column, isOpen: columns === memory.open }
  const find = () => toPlaces(memory, columns[column], columns.size, isAsked.length)
  const { starts, rows } = await findOnce(memory, 'rows', question, find, (places) => [places.rows])
  const ofEach = numbers.map((number) => rows.subarray(starts[number], starts[number + 1]))
  const n = ofEach.reduce((sum, { length }) => sum + length, 0)
  if (n * oneInSoMany > columns.size) return undefined
  const all = new Uint32Array(n)
  let end = 0
  for (const each of ofEach) {
    all.set(each, end)
    end += each.length
  }
  return all.sort()
}

async function toPlaces({ arrays }: Memory, numbers: Uint32Array, size: number, most: number): Promise<Places> {
  const starts = new Uint32Array(most + 1)
  await inSlices(size, (from, to) => {
    for (let row = from; row < to; row++) starts[numbers[row]! + 1]!++
  })
  for (let number = 0; number < most; number++) starts[number + 1]! += starts[number]!
  const next = starts.slice()
  const rows = arrays.take(size)
  await inSlices(size, (from, to) => {
    for (let row = from; row < to; row++) rows[next[numbers[row]!]!++] = row
  })
  return { starts, rows }
}
