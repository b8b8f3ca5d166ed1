/**
 * Versions of assignments as columns: one typed array a column, dense, in no order. Signed rows are applied in any order: a retraction
 * removes the row with the same content hash.
 */
import {
  versionColumns as stored,
  type KindOf,
  type NameOf,
  type VersionColumn,
} from '../../schemas/metrics/version.ts'
import { endOfTimeMs } from '../../schemas/metrics/state-bits.ts'
import { raw, type Fragment } from '../expressions/sql.ts'
import type { Block, Column, Lists, Texts } from './native.ts'
import { inSlices } from './slices.ts'
import { createBucketSums, toBucket, type Buckets, type BucketSums } from './sums.ts'

/** What is read of a column, by its kind. */
const reads: Partial<Record<KindOf<VersionColumn>, (name: string) => string>> = {
  word: (name) => `CAST(${name}, 'String')`,
  number: (name) => `toFloat64(ifNull(${name}, nan))`,
  spans: (name) =>
    `arrayFlatten(arrayMap(span -> [toFloat64(span.1), toFloat64(span.2), toFloat64(span.3)], ${name}))`,
}
export const storedColumns = Object.keys(stored) as VersionColumn[]
const names = [...storedColumns, 'akey', 'img'] as const
type Name = (typeof names)[number]
/** What is read of a version. Its content hash and sign follow. */
export const versionColumns: Fragment = raw(
  [...storedColumns.map((name) => reads[stored[name]]?.(name) ?? name), 'akey'].join(', '),
)

/** Ids of one kind as small numbers. */
export class Ids {
  readonly names: string[] = []
  private readonly numbers = new Map<string, number>()
  of(name: string): number {
    let number = this.numbers.get(name)
    if (number === undefined) {
      number = this.names.push(name) - 1
      this.numbers.set(name, number)
    }
    return number
  }
  find(name: string): number | undefined {
    return this.numbers.get(name)
  }
}

type IdColumn = NameOf<'word' | 'text'>
/** Texts are numbers in their column. The columns of one store share these. */
export type AllIds = Record<IdColumn, Ids>
export const createIds = (users: Ids): AllIds => ({
  user_id: users,
  challenge_id: new Ids(),
  status: new Ids(),
  assignment_id: new Ids(),
})

/** The array of a column. An instant is epoch ms, 0 = unknown; `valid_to` may be Infinity; an unknown number is NaN. */
const arrayTypes = {
  class: Uint8Array,
  word: Uint32Array,
  text: Uint32Array,
  whole: Uint32Array,
  time: Float64Array,
  instant: Float64Array,
  end: Float64Array,
  number: Float64Array,
  /** Where the spans of a row begin in `spans`. */
  spans: Uint32Array,
  hash: BigUint64Array,
}
type ArrayOf<Of extends Name> = InstanceType<
  (typeof arrayTypes)[Of extends VersionColumn ? KindOf<Of> : 'hash']
>
type Values = { [Each in Name]: ArrayOf<Each> }
type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array | BigUint64Array

/** Puts a value last. Of each sort, the first word of its name, only the last ones stay. */
export function keepLast<Value>(values: Map<string, Value>, name: string, value: Value, most: number): void {
  values.delete(name)
  values.set(name, value)
  const sort = name.slice(0, name.indexOf(' ') + 1)
  const all = [...values.keys()].filter((each) => each.startsWith(sort))
  for (const oldest of all.slice(0, -most)) values.delete(oldest)
}

/** A column that follows from the others and is kept with them. */
export type Derived = { values: Uint16Array | Uint32Array; valueOf(row: number): number }

/** One that is made when it is first asked for. `most`: of each sort, as of `keepLast`. */
export async function hold<Own extends Derived>(
  columns: Columns,
  name: string,
  most: number,
  create: () => Own,
): Promise<Own> {
  const { derived } = columns
  let column = derived.get(name) as Own | undefined
  if (column === undefined) {
    column = create()
    await write(column, 0, columns.size)
  }
  keepLast(derived, name, column, most)
  return column
}

const write = (column: Derived, from: number, to: number): Promise<void> =>
  inSlices(to - from, (index) => void (column.values[from + index] = column.valueOf(from + index)))

/** What rows of pages and files show of a version. Instants are epoch ms, 0 = unknown; numbers are `null` where they are unknown. */
export type StoredContent = Record<IdColumn, string> &
  Record<NameOf<'class' | 'whole' | 'instant'>, number> &
  Record<NameOf<'number'>, number | null>

const contentColumns = storedColumns.filter((name) => !['time', 'end', 'spans'].includes(stored[name]))

export class Columns {
  size = 0
  capacity = 0
  /** No row ends later, but for those that hold until further notice; epoch ms. */
  lastEnd = 0
  readonly derived = new Map<string, Derived>()
  readonly values: Values
  /** Spans of due dates: how many numbers those of a row are, then three numbers each. */
  spans = new Float64Array(1_024)
  private spansEnd = 1
  private spanGaps = 0
  /** Retractions whose rows have not come yet, by content hash. */
  private readonly early = new Map<bigint, number>()
  /** What the content hashes of all applied rows add up to. */
  sum = 0n
  readonly ids: AllIds
  constructor(ids: AllIds) {
    this.ids = ids
    const empty = names.map((name) => [
      name,
      new arrayTypes[name in stored ? stored[name as VersionColumn] : 'hash'](0),
    ])
    this.values = Object.fromEntries(empty) as Values
  }

  nameOf(column: IdColumn, row: number): string {
    return this.ids[column].names[this.values[column][row]!]!
  }

  idsOf(row: number): { assignment_id: string; user_id: string; challenge_id: string } {
    return {
      assignment_id: this.nameOf('assignment_id', row),
      user_id: this.nameOf('user_id', row),
      challenge_id: this.nameOf('challenge_id', row),
    }
  }

  contentOf(row: number): StoredContent {
    const valueOf = (name: VersionColumn) => {
      if (name in this.ids) return this.nameOf(name as IdColumn, row)
      const value = this.values[name][row]!
      return Number.isNaN(value) ? null : value
    }
    return Object.fromEntries(contentColumns.map((name) => [name, valueOf(name)])) as StoredContent
  }

  /** Takes in signed rows, in any order. */
  async apply(blocks: AsyncIterable<Block> | Iterable<Block>): Promise<void> {
    for await (const block of blocks) await this.append(block)
    if (this.early.size === 0) return
    await this.drop((row) => {
      const img = this.values.img[row]!
      if (!this.early.has(img)) return false
      this.addEarly(img, -1)
      return true
    })
  }

  private async append({ rows, columns }: Block): Promise<void> {
    await this.reserve(rows)
    const [hashes, signs] = columns.slice(names.length - 1) as [BigUint64Array, Int8Array]
    const added: number[] = []
    await inSlices(rows, (from) => {
      this.sum += signs[from] === 1 ? hashes[from]! : -hashes[from]!
      if (signs[from] === 1) added.push(from)
      else this.addEarly(hashes[from]!, 1)
    })
    this.sum = BigInt.asUintN(64, this.sum)
    const { size } = this
    for (const [index, name] of names.entries()) {
      const valueOf = this.createReader(name, columns[index]!)
      const values = this.values[name] as { [row: number]: number | bigint }
      await inSlices(added.length, (each) => void (values[size + each] = valueOf(added[each]!)))
    }
    this.size += added.length
    for (const each of this.derived.values()) await write(each, size, this.size)
  }

  private createReader(name: Name, column: Column): (from: number) => number | bigint {
    if (name in this.ids) return createIdReader(column as Texts, this.ids[name as IdColumn])
    if (name === 'due_spans') {
      const { items, ends } = column as Lists
      return (from) => this.addSpans(items.subarray(ends[from - 1] ?? 0, ends[from]))
    }
    const values = column as Numbers
    if (name !== 'valid_to') return (from) => values[from]!
    return (from) => {
      const end = values[from] as number
      if (end >= endOfTimeMs) return Infinity
      this.lastEnd = Math.max(this.lastEnd, end)
      return end
    }
  }

  /** Adds a row of other columns. Room is reserved. */
  copy(from: Columns, row: number): void {
    for (const name of names) this.values[name][this.size] = from.values[name][row]!
    this.values.due_spans[this.size++] = this.addSpans(from.spansOf(row))
  }

  spansOf(row: number): Float64Array {
    const start = this.values.due_spans[row]! + 1
    return this.spans.subarray(start, start + this.spans[start - 1]!)
  }

  /** Rows without spans share a place. */
  private addSpans(spans: Float64Array): number {
    if (spans.length === 0) return 0
    const start = this.spansEnd
    this.spansEnd += 1 + spans.length
    if (this.spansEnd > this.spans.length) this.spans = grown(this.spans, Math.ceil(this.spansEnd * 1.3))
    this.spans[start] = spans.length
    this.spans.set(spans, start + 1)
    return start
  }

  /** The same for the last rows of assignments. They replace the rows that these had. */
  async replace(blocks: readonly Block[]): Promise<void> {
    const isReplaced = new Set<number>()
    for (const { rows, columns } of blocks) {
      const idOf = createIdReader(columns[names.indexOf('assignment_id')] as Texts, this.ids.assignment_id)
      for (let row = 0; row < rows; row++) isReplaced.add(idOf(row))
    }
    await this.removeRows((row) => isReplaced.has(this.values.assignment_id[row]!))
    await this.apply(blocks)
  }

  removeRows(isGone: (row: number) => boolean): Promise<void> {
    return this.drop((row) => {
      if (!isGone(row)) return false
      this.sum = BigInt.asUintN(64, this.sum - this.values.img[row]!)
      return true
    })
  }

  /** The last row takes the place of one that goes. */
  private async drop(isGone: (row: number) => boolean): Promise<void> {
    const { size } = this
    const columns = [...Object.values(this.values), ...[...this.derived.values()].map(({ values }) => values)]
    await inSlices(size, (each) => {
      // From the end: the row that takes a place has been looked at.
      const row = size - 1 - each
      if (!isGone(row)) return
      this.spanGaps += this.spansOf(row).length
      const last = --this.size
      for (const array of columns) array[row] = array[last]!
    })
  }

  async removeBuckets(isGone: Buckets): Promise<void> {
    for (const [img, n] of this.early) {
      if (isGone[toBucket(img)] === 0) continue
      this.sum = BigInt.asUintN(64, this.sum + BigInt(n) * img)
      this.early.delete(img)
    }
    await this.removeRows((row) => isGone[toBucket(this.values.img[row]!)] === 1)
  }

  async sumBuckets(): Promise<BucketSums> {
    const sums = createBucketSums()
    for (const [img, n] of this.early) sums[toBucket(img)]! -= BigInt(n) * img
    await inSlices(this.size, (row) => {
      const img = this.values.img[row]!
      sums[toBucket(img)]! += img
    })
    return sums
  }

  private addEarly(img: bigint, more: number): void {
    const n = (this.early.get(img) ?? 0) + more
    if (n === 0) this.early.delete(img)
    else this.early.set(img, n)
  }

  get bytes(): number {
    return [...Object.values(this.values), this.spans].reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Makes room for so many more rows. */
  async reserve(rows: number): Promise<void> {
    if (this.spanGaps > this.spansEnd / 2 && this.spanGaps > 65_536) await this.compactSpans()
    const size = this.size + rows
    if (size <= this.capacity) return
    this.capacity = Math.max(size, Math.ceil(this.capacity * 1.3), 1_024)
    const all = this.values as Record<Name, Numbers>
    await inSlices(
      names.length,
      (index) => void (all[names[index]!] = grown(all[names[index]!], this.capacity)),
    )
    for (const each of this.derived.values()) each.values = grown(each.values, this.capacity)
  }

  private async compactSpans(): Promise<void> {
    const before = this.spans
    this.spans = new Float64Array(before.length)
    this.spansEnd = 1
    this.spanGaps = 0
    const { due_spans } = this.values
    await inSlices(this.size, (row) => {
      const start = due_spans[row]! + 1
      due_spans[row] = this.addSpans(before.subarray(start, start + before[start - 1]!))
    })
  }
}

function grown<Of extends Numbers>(array: Of, length: number): Of {
  const more = new (array.constructor as new (length: number) => Of)(length)
  more.set(array as never)
  return more
}

/** Rows of one person lie together as a rule: then the id is the one before. */
function createIdReader({ bytes, starts, ends }: Texts, ids: Ids): (row: number) => number {
  let [number, start, end] = [-1, 0, 0]
  return (row) => {
    const [from, to] = [starts[row]!, ends[row]!]
    let same = number >= 0 && to - from === end - start
    for (let index = 0; same && index < to - from; index++)
      same = bytes[from + index] === bytes[start + index]
    if (!same) number = ids.of(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString())
    ;[start, end] = [from, to]
    return number
  }
}
