/** What some rows count, independent of the moment: counts of parts add up to the counts of the table. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { emptySet, sum, toMultiset, type Multiset } from './multiset.ts'

/** The order of the kinds in `part-counts.sql`. */
export const momentKinds = [
  'completed_after',
  'going_on_since',
  'graded_after',
  'ungraded_since',
  'waiting_since',
  'began_at',
  'turned_at',
  'ended_at',
] as const
export type MomentKind = (typeof momentKinds)[number]

/** Instants are sent 2^50 higher than they are, ms. */
const instantBase = 2 ** 50
const isInstant: Record<MomentKind, boolean> = {
  completed_after: false,
  going_on_since: true,
  graded_after: false,
  ungraded_since: true,
  waiting_since: true,
  began_at: true,
  turned_at: true,
  ended_at: true,
}

export type Counts = {
  /** By the static bits of `part-counts.sql`, decimal: by the three days that decide the rest, 16 bits each. */
  facts: Map<string, Map<number, number>>
  /** By person: assignments, and those that are not completed. */
  people: Map<string, [all: number, goingOn: number]>
  /** By kind and day. */
  days: Map<number, number>
  grades: Multiset
  moments: Record<MomentKind, Multiset>
}

export function noCounts(): Counts {
  return {
    facts: new Map(),
    people: new Map(),
    days: new Map(),
    grades: emptySet,
    moments: Object.fromEntries(momentKinds.map((kind) => [kind, emptySet])) as Record<MomentKind, Multiset>,
  }
}

/** Adds `sign` times `more`, in place. */
export function addCounts(counts: Counts, more: Counts, sign: 1 | -1): void {
  for (const [bits, days] of more.facts) {
    let own = counts.facts.get(bits)
    if (own === undefined) counts.facts.set(bits, (own = new Map()))
    for (const [day, n] of days) addTo(own, day, sign * n)
    if (own.size === 0) counts.facts.delete(bits)
  }
  for (const [person, [all, goingOn]] of more.people) {
    const own = counts.people.get(person) ?? [0, 0]
    own[0] += sign * all
    own[1] += sign * goingOn
    if (own[0] === 0 && own[1] === 0) counts.people.delete(person)
    else counts.people.set(person, own)
  }
  for (const [day, n] of more.days) addTo(counts.days, day, sign * n)
  counts.grades = sum(counts.grades, more.grades, sign)
  for (const kind of momentKinds) counts.moments[kind] = sum(counts.moments[kind], more.moments[kind], sign)
}

function addTo(counts: Map<number, number>, key: number, n: number): void {
  const own = (counts.get(key) ?? 0) + n
  if (own === 0) counts.delete(key)
  else counts.set(key, own)
}

/** Millions of them: a schema for each would take longer than all the rest. */
const numbers = z.custom<number[]>((value) => Array.isArray(value) && value.every((each) => typeof each === 'number'))

/** A row of `part-counts.sql`. */
const rowSchema = z.object({
  part: z.string(),
  kind: z.enum(['part', 'facts', 'people', 'grades', 'days', 'moments']),
  id: z.string(),
  ids: z.array(z.string()),
  numbers,
  counts: numbers,
})
type Row = z.infer<typeof rowSchema>

/**
 * `latest`: when the last row began to hold or was completed. `begins`, `completes`: when the next row begins to hold, and the next
 * completion lies. Epoch ms, far away where there is none.
 */
export type PartCounts = { latest: number; begins: number; completes: number; counts: Counts }

/** Rows and lists may be of megabytes: other work of this thread gets its turn after each. */
export async function toPartCounts(rows: readonly unknown[]): Promise<Map<string, PartCounts>> {
  const parsed: Row[] = []
  for (const row of rows) {
    parsed.push(rowSchema.parse(row))
    await nextTurn()
  }
  const counted = new Map<string, PartCounts>()
  for (const [part, own] of Map.groupBy(parsed, ({ part }) => part)) counted.set(part, await toCounts(own))
  return counted
}

async function toCounts(rows: readonly Row[]): Promise<PartCounts> {
  const counts = noCounts()
  let [latest, begins, completes] = [Infinity, -Infinity, -Infinity]
  const pieces = new Map<MomentKind, Piece[]>()
  for (const { kind, id, ids, numbers, counts: ns } of rows) {
    if (kind === 'part') [latest = latest, begins = begins, completes = completes] = numbers
    if (kind === 'facts') counts.facts.set(id, new Map(numbers.map((days, index) => [days, ns[index]!])))
    if (kind === 'people') {
      for (const [index, person] of ids.entries()) counts.people.set(person, [ns[index]!, numbers[index]!])
    }
    if (kind === 'grades') counts.grades = toSet(numbers, ns)
    if (kind === 'days') for (const [index, day] of numbers.entries()) counts.days.set(day, ns[index]!)
    if (kind === 'moments') {
      const momentKind = momentKinds[Number(id)]!
      const base = isInstant[momentKind] ? instantBase : 0
      const own = pieces.get(momentKind)
      const piece = toPiece(numbers, ns, base)
      if (own === undefined) pieces.set(momentKind, [piece])
      else own.push(piece)
      await nextTurn()
    }
  }
  for (const [kind, own] of pieces) {
    counts.moments[kind] = joinPieces(own)
    await nextTurn()
  }
  return { latest, begins, completes, counts }
}

type Piece = { added: Float64Array; removed: Float64Array }

function toPiece(steps: readonly number[], removed: readonly number[], base: number): Piece {
  const added = new Float64Array(steps.length)
  let value = -base
  for (let index = 0; index < steps.length; index++) added[index] = value += steps[index]!
  return { added, removed: Float64Array.from(removed, (each) => each - base) }
}

/** Pieces do not overlap. */
function joinPieces(pieces: readonly Piece[]): Multiset {
  const first = ({ added, removed }: Piece) => Math.min(added[0] ?? Infinity, removed[0] ?? Infinity)
  const sorted = pieces.toSorted((a, b) => first(a) - first(b))
  const join = (name: keyof Piece) => {
    const all = new Float64Array(sorted.reduce((size, piece) => size + piece[name].length, 0))
    let length = 0
    for (const piece of sorted) {
      all.set(piece[name], length)
      length += piece[name].length
    }
    return all
  }
  return toMultiset(join('added'), join('removed'))
}

function toSet(values: readonly number[], counts: readonly number[]): Multiset {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
  return {
    values: Float64Array.from(order, (index) => values[index]!),
    counts: Int32Array.from(order, (index) => counts[index]!),
    size: counts.reduce((total, n) => total + n, 0),
  }
}

/** Rows of `part-rows.sql`, each a row of a part. */
export const partRowsSchema = z.array(
  z.object({
    part: z.string(),
    sign: z.number(),
    from_ms: z.number(),
    completed_ms: z.number(),
    is_deleted: z.number(),
    counts: z.number(),
    person: z.string(),
    is_completed: z.number(),
    own_grade: z.number().nullable(),
    fact_bits: z.string(),
    days: z.number(),
    day_kinds: numbers,
    moments: z.array(numbers),
  }),
)
type PartRow = z.infer<typeof partRowsSchema>[number]

/** `part-counts.sql` says so, too, in ms, where nothing is to come. */
export const never = 9e15

/** The same by the rows themselves. */
export function countRows(rows: readonly PartRow[], asOf: number): Map<string, PartCounts> {
  const byPart = Map.groupBy(rows, ({ part }) => part)
  return new Map([...byPart].map(([part, own]) => [part, countOwnRows(own, asOf)]))
}

function countOwnRows(rows: readonly PartRow[], asOf: number): PartCounts {
  const counts = noCounts()
  let [latest, begins, completes] = [-never, never, never]
  const grades: SignedNumbers = { added: [], removed: [] }
  const moments = new Map<MomentKind, SignedNumbers>()
  for (const row of rows) {
    if (row.from_ms <= asOf) latest = Math.max(latest, row.from_ms)
    else begins = Math.min(begins, row.from_ms)
    if (row.completed_ms <= asOf) latest = Math.max(latest, row.completed_ms)
    else if (row.is_deleted === 0) completes = Math.min(completes, row.completed_ms)
    if (row.counts === 0) continue
    const sign = row.sign === 1 ? 1 : -1
    const list = sign === 1 ? 'added' : 'removed'
    const person: [number, number] = [1, row.is_completed === 1 ? 0 : 1]
    const one: Counts = {
      ...noCounts(),
      facts: new Map([[row.fact_bits, new Map([[row.days, 1]])]]),
      people: new Map([[row.person, person]]),
    }
    addCounts(counts, one, sign)
    for (const day of row.day_kinds) addTo(counts.days, day, sign)
    if (row.own_grade !== null) grades[list].push(row.own_grade)
    for (const [kind = 0, value = 0] of row.moments) {
      const name = momentKinds[kind]!
      const own = moments.get(name) ?? { added: [], removed: [] }
      moments.set(name, own)
      own[list].push(isInstant[name] ? value - instantBase : value)
    }
  }
  counts.grades = toSigned(grades)
  for (const [kind, own] of moments) counts.moments[kind] = toSigned(own)
  return { latest, begins, completes, counts }
}

type SignedNumbers = { added: number[]; removed: number[] }

function toSigned({ added, removed }: SignedNumbers): Multiset {
  return toMultiset(Float64Array.from(added).sort(), Float64Array.from(removed).sort())
}
