/**
 * Versions of assignments as columns: one typed array a column, dense, in no order. Signed rows are applied in any order: a retraction
 * removes the row with the same content hash.
 */
import {
  numbers,
  times,
  versionColumns as stored,
  type KindOf,
  type NameOf,
  type VersionColumn,
} from '../../schemas/metrics/version.ts'
import { endOfTimeMs } from '../../schemas/metrics/state-bits.ts'
import { raw, type Fragment } from '../expressions/sql.ts'
import type { Block, Lists, Texts } from './native.ts'
import { inSlices } from './slices.ts'
import {
  addTo,
  addToBucket,
  createBucketSums,
  toBucket,
  type Buckets,
  type BucketSums,
  type Sum,
} from './sums.ts'

/** What is read of a column, by its kind. */
const reads: Partial<Record<KindOf<VersionColumn>, (name: string) => string>> = {
  word: (name) => `CAST(${name}, 'String')`,
  number: (name) => `toFloat64(ifNull(${name}, nan))`,
  spans: (name) =>
    `arrayFlatten(arrayMap(span -> [toFloat64(span.1), toFloat64(span.2), toFloat64(span.3)], ${name}))`,
}
export const storedColumns = Object.keys(stored) as VersionColumn[]
const readColumns = [...storedColumns, 'akey', 'img', 'sign'] as const
/** What is read of a version. Its content hash and sign follow. */
export const versionColumns: Fragment = raw(
  [...storedColumns.map((name) => reads[stored[name]]?.(name) ?? name), 'akey'].join(', '),
)

type ReadAs = { class: Uint8Array; word: Texts; text: Texts; whole: Uint32Array; spans: Lists }
type ReadColumns = {
  [Name in VersionColumn]: KindOf<Name> extends keyof ReadAs ? ReadAs[KindOf<Name>] : Float64Array
} & { akey: Uint32Array; img: Uint32Array; sign: Int8Array }

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

/** Keys of assignments, 64 bits each, as small numbers. */
export class Keys {
  size = 0
  private halves = new Uint32Array(2_048)
  /** Number + 1 by the lower half, 0 = free, open addressing. */
  private slots = new Uint32Array(2_048)
  of(low: number, high: number): number {
    const { halves, slots } = this
    const mask = slots.length - 1
    let slot = low & mask
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const code = slots[slot]! - 1
      if (halves[2 * code] === low && halves[2 * code + 1] === high) return code
    }
    if (2 * this.size === halves.length) {
      this.grow()
      return this.of(low, high)
    }
    halves[2 * this.size] = low
    halves[2 * this.size + 1] = high
    slots[slot] = ++this.size
    return this.size - 1
  }
  at(number: number): bigint {
    return toWhole(this.halves, number)
  }
  upperHalfOf(number: number): number {
    return this.halves[2 * number + 1]!
  }
  private grow(): void {
    const { halves, size } = this
    this.halves = new Uint32Array(2 * halves.length)
    this.slots = new Uint32Array(2 * this.slots.length)
    this.size = 0
    for (let number = 0; number < size; number++) this.of(halves[2 * number]!, halves[2 * number + 1]!)
  }
}

/** A column that follows from the others and is kept with them. */
export type Derived = {
  write(row: number): void
  move(row: number, from: number): void
  grow(capacity: number): void
}

/** One that is made when it is first asked for. Of each sort, the first word of its name, the last ones asked for are kept. */
export async function hold<Own extends Derived>(
  columns: Columns,
  name: string,
  most: number,
  create: () => Own,
): Promise<Own> {
  const { derived } = columns
  let column = derived.get(name) as Own | undefined
  if (column === undefined) {
    const fresh = create()
    await inSlices(columns.size, (from, to) => {
      for (let row = from; row < to; row++) fresh.write(row)
    })
    column = fresh
  }
  derived.delete(name)
  derived.set(name, column)
  const sort = name.slice(0, name.indexOf(' ') + 1)
  const others = [...derived.keys()].filter((each) => each.startsWith(sort))
  for (const other of others.slice(0, Math.max(0, others.length - most))) derived.delete(other)
  return column
}

type Numbers = Uint8Array | Uint32Array | Float64Array

/** What the columns of one store share. */
export type Shared = { users: Ids; challenges: Ids; statuses: Ids; keys: Keys }

const contentTimes = times.filter((at): at is NameOf<'instant'> => stored[at] === 'instant')
/** Numbers are `null` where they are unknown as such. */
export type StoredContent = Record<NameOf<'word' | 'text'>, string> &
  Record<NameOf<'class' | 'whole' | 'instant'>, number> &
  Record<NameOf<'number'>, number | null>

const emptyColumns = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, new Float64Array(0)])) as Record<Name, Float64Array>

const wholeColumns = [
  'classes',
  'state',
  'user',
  'challenge',
  'status',
  'life',
  'assignment',
  'validTo',
] as const

export class Columns {
  size = 0
  capacity = 0
  /** No row ends later, but for those that hold until further notice; epoch ms. */
  lastEnd = 0
  readonly derived = new Map<string, Derived>()
  classes = new Uint8Array(0)
  state = new Uint32Array(0)
  user = new Uint32Array(0)
  challenge = new Uint32Array(0)
  /** In `statuses`. */
  status = new Uint32Array(0)
  life = new Uint32Array(0)
  /** The place in `keys` of the values that all versions of an assignment share. */
  assignment = new Uint32Array(0)
  at = emptyColumns(times)
  validTo = new Float64Array(0)
  /** NaN where unknown. */
  numbers = emptyColumns(numbers)
  /** Spans of due dates: three numbers each. */
  readonly spans = new Pool(Float64Array)
  private readonly ids = new Pool(Uint8Array)
  /** Two halves each. */
  private hash = new Uint32Array(0)
  /** Retractions whose rows have not come yet, by content hash. */
  private readonly early = new Map<string, { low: number; high: number; n: number }>()
  /** What all applied rows add up to. */
  readonly sum: Sum = [0, 0]
  readonly users: Ids
  readonly challenges: Ids
  private readonly statuses: Ids
  private readonly keys: Keys
  constructor({ users, challenges, statuses, keys }: Shared) {
    this.users = users
    this.challenges = challenges
    this.statuses = statuses
    this.keys = keys
  }

  idOf(row: number): Buffer {
    const { items, from, length } = this.ids
    return Buffer.from(items.buffer, from[row], length[row])
  }

  hasId(row: number, id: Buffer): boolean {
    const { items, from, length } = this.ids
    const first = from[row]!
    return length[row] === id.length && id.every((byte, index) => items[first + index] === byte)
  }

  idsOf(row: number): { assignment_id: string; user_id: string; challenge_id: string } {
    return {
      assignment_id: this.idOf(row).toString(),
      user_id: this.users.names[this.user[row]!]!,
      challenge_id: this.challenges.names[this.challenge[row]!]!,
    }
  }

  keyOf(row: number): bigint {
    return this.keys.at(this.assignment[row]!)
  }
  /** The upper half of the key: quick to compare, and seldom that of another. */
  halfKeyOf(row: number): number {
    return this.keys.upperHalfOf(this.assignment[row]!)
  }

  /** What rows of pages and files show of a version. Instants are epoch ms, 0 = unknown. */
  contentOf(row: number): StoredContent {
    const numberOf = (name: NameOf<'number'>) => {
      const value = this.numbers[name][row]!
      return Number.isNaN(value) ? null : value
    }
    return {
      ...this.idsOf(row),
      status: this.statuses.names[this.status[row]!]!,
      class: this.classes[row]!,
      state: this.state[row]!,
      life: this.life[row]!,
      ...(Object.fromEntries(contentTimes.map((at) => [at, this.at[at][row]!])) as Record<
        NameOf<'instant'>,
        number
      >),
      ...(Object.fromEntries(numbers.map((name) => [name, numberOf(name)])) as Record<
        NameOf<'number'>,
        number | null
      >),
    }
  }

  /** Takes in signed rows, in any order. */
  async apply(blocks: AsyncIterable<Block> | Iterable<Block>): Promise<void> {
    for await (const block of blocks) await this.append(block)
    await this.settle()
  }

  private async append({ rows, columns }: Block): Promise<void> {
    await this.reserve(rows)
    const read = Object.fromEntries(readColumns.map((name, index) => [name, columns[index]])) as ReadColumns
    const { assignment_id: id, due_spans: spans, akey, img: hashes, sign: signs } = read
    const [at, others] = [times.map((name) => read[name]), numbers.map((name) => read[name])]
    const users = createReader(read.user_id, this.users)
    const challenges = createReader(read.challenge_id, this.challenges)
    const statuses = createReader(read.status, this.statuses)
    await inSlices(rows, (first, end) => {
      for (let from = first; from < end; from++) {
        const [low, high] = [hashes[2 * from]!, hashes[2 * from + 1]!]
        addTo(this.sum, low, high, signs[from]!)
        if (signs[from] === -1) {
          this.addEarly(low, high, 1)
          continue
        }
        const row = this.size++
        this.classes[row] = read.class[from]!
        this.state[row] = read.state[from]!
        this.user[row] = users(from)
        this.challenge[row] = challenges(from)
        this.status[row] = statuses(from)
        this.life[row] = read.life[from]!
        for (let index = 0; index < times.length; index++) this.at[times[index]!][row] = at[index]![from]!
        const until = read.valid_to[from]! >= endOfTimeMs ? Infinity : read.valid_to[from]!
        this.validTo[row] = until
        for (let index = 0; index < numbers.length; index++)
          this.numbers[numbers[index]!][row] = others[index]![from]!
        this.spans.write(row, spans.items, from === 0 ? 0 : spans.ends[from - 1]!, spans.ends[from]!)
        this.ids.write(row, id.bytes, id.starts[from]!, id.ends[from]!)
        this.assignment[row] = this.keys.of(akey[2 * from]!, akey[2 * from + 1]!)
        this.hash[2 * row] = low
        this.hash[2 * row + 1] = high
        if (until > this.lastEnd && until !== Infinity) this.lastEnd = until
        for (const each of this.derived.values()) each.write(row)
      }
    })
  }

  /** Adds a row of other columns. Room is reserved. */
  copy(from: Columns, row: number): void {
    const own = this.single()
    for (const [index, array] of from.single().entries()) own[index]![this.size] = array[row]!
    this.ids.copy(this.size, from.ids, row)
    this.spans.copy(this.size, from.spans, row)
    this.size++
  }

  /** The same for the last rows of assignments. They replace the rows that these had. */
  async replace(blocks: readonly Block[]): Promise<void> {
    const isReplaced = new Set<number>()
    for (const { rows, columns } of blocks) {
      const akey = columns[storedColumns.length] as Uint32Array
      for (let row = 0; row < rows; row++) isReplaced.add(this.keys.of(akey[2 * row]!, akey[2 * row + 1]!))
    }
    const flags = new Uint8Array(this.keys.size)
    for (const assignment of isReplaced) flags[assignment] = 1
    await this.removeRows((row) => flags[this.assignment[row]!] === 1)
    await this.apply(blocks)
  }

  removeRows(isGone: (row: number) => boolean): Promise<void> {
    return this.drop((row) => {
      if (!isGone(row)) return false
      addTo(this.sum, this.hash[2 * row]!, this.hash[2 * row + 1]!, -1)
      return true
    })
  }

  /** Removes the rows that were taken back. */
  private async settle(): Promise<void> {
    if (this.early.size === 0) return
    const flags = new Uint8Array(65_536)
    for (const { low } of this.early.values()) flags[low & 65_535] = 1
    await this.drop((row) => {
      const [low, high] = [this.hash[2 * row]!, this.hash[2 * row + 1]!]
      if (flags[low & 65_535] === 0 || !this.early.has(`${low} ${high}`)) return false
      this.addEarly(low, high, -1)
      return true
    })
  }

  /** The last row takes the place of one that goes. */
  private async drop(isGone: (row: number) => boolean): Promise<void> {
    const { size } = this
    const columns = this.single()
    await inSlices(size, (from, to) => {
      for (let each = from; each < to; each++) {
        // From the end: the row that takes a place has been looked at.
        const row = size - 1 - each
        if (!isGone(row)) continue
        const last = --this.size
        for (const pool of [this.spans, this.ids]) pool.move(row, last)
        for (const array of columns) array[row] = array[last]!
        this.hash.copyWithin(2 * row, 2 * last, 2 * last + 2)
        for (const column of this.derived.values()) column.move(row, last)
      }
    })
  }

  async removeBuckets(isGone: Buckets): Promise<void> {
    for (const { low, high, n } of this.early.values()) {
      if (isGone[toBucket(low)] === 0) continue
      addTo(this.sum, low, high, n)
      this.addEarly(low, high, -n)
    }
    await this.removeRows((row) => isGone[toBucket(this.hash[2 * row]!)] === 1)
  }

  async sumBuckets(): Promise<BucketSums> {
    const sums = createBucketSums()
    for (const { low, high, n } of this.early.values()) addToBucket(sums, low, high, -n)
    await inSlices(this.size, (from, to) => {
      for (let row = from; row < to; row++) addToBucket(sums, this.hash[2 * row]!, this.hash[2 * row + 1]!, 1)
    })
    return sums
  }

  private addEarly(low: number, high: number, more: number): void {
    const key = `${low} ${high}`
    const n = (this.early.get(key)?.n ?? 0) + more
    if (n === 0) this.early.delete(key)
    else this.early.set(key, { low, high, n })
  }

  get bytes(): number {
    const whole = [...this.single(), this.hash]
    const pools = [this.spans, this.ids].flatMap(({ items, from, length }) => [items, from, length])
    return [...whole, ...pools].reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** The columns with one number a row. */
  private single(): Numbers[] {
    return [
      ...wholeColumns.map((name) => this[name]),
      ...Object.values(this.numbers),
      ...Object.values(this.at),
    ]
  }

  /** Makes room for so many more rows. */
  async reserve(rows: number): Promise<void> {
    const size = this.size + rows
    for (const pool of [this.spans, this.ids]) await pool.compact(this.size)
    if (size <= this.capacity) return
    const capacity = Math.max(size, Math.ceil(this.capacity * 1.3), 1_024)
    const before = this.size
    const more = async <T extends Numbers>(array: T, width = 1): Promise<T> => {
      const grown = new (array.constructor as new (length: number) => T)(capacity * width)
      await inSlices(before * width, (from, to) => grown.set(array.subarray(from, to), from))
      return grown
    }
    for (const name of wholeColumns) this[name] = (await more<Numbers>(this[name])) as never
    for (const name of times) this.at[name] = await more(this.at[name])
    for (const name of numbers) this.numbers[name] = await more(this.numbers[name])
    for (const pool of [this.spans, this.ids]) {
      pool.from = await more(pool.from)
      pool.length = await more(pool.length)
    }
    this.hash = await more(this.hash, 2)
    for (const each of this.derived.values()) each.grow(capacity)
    this.capacity = capacity
  }
}

const toWhole = (halves: Uint32Array, row: number): bigint =>
  (BigInt(halves[2 * row + 1]!) << 32n) | BigInt(halves[2 * row]!)

/** Lists of numbers, one a row, one after the other; a row written again or removed leaves a gap. */
class Pool<Items extends Uint8Array | Float64Array> {
  items: Items
  from = new Uint32Array(0)
  length = new Uint32Array(0)
  private used = 0
  private gaps = 0
  private readonly type: new (length: number) => Items
  constructor(type: new (length: number) => Items) {
    this.type = type
    this.items = new type(0)
  }

  write(row: number, items: ArrayLike<number>, first: number, last: number): void {
    const from = this.used
    this.used += last - first
    if (this.used > this.items.length) this.grow()
    for (let index = first; index < last; index++) this.items[from + index - first] = items[index]!
    this.from[row] = from
    this.length[row] = last - first
  }

  copy(row: number, { items, from, length }: Pool<Items>, of: number): void {
    this.write(row, items, from[of]!, from[of]! + length[of]!)
  }

  move(row: number, from: number): void {
    this.gaps += this.length[row]!
    this.from[row] = this.from[from]!
    this.length[row] = this.length[from]!
  }

  private grow(): void {
    const grown = new this.type(Math.ceil(this.used * 1.3) + 1_024)
    grown.set(this.items as never)
    this.items = grown
  }

  /** Where most of it is gaps. */
  async compact(rows: number): Promise<void> {
    if (this.gaps < this.used / 2 || this.gaps < 65_536) return
    const items = new this.type(Math.ceil((this.used - this.gaps) * 1.3) + 1_024)
    let used = 0
    await inSlices(rows, (first, end) => {
      for (let row = first; row < end; row++) {
        const [from, length] = [this.from[row]!, this.length[row]!]
        items.set(this.items.subarray(from, from + length) as never, used)
        this.from[row] = used
        used += length
      }
    })
    this.items = items
    this.used = used
    this.gaps = 0
  }
}

/** Rows of one person lie together as a rule: then the id is the one before. */
function createReader({ bytes, starts, ends }: Texts, ids: Ids): (row: number) => number {
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
