/** Counts of the facts that rankings need, line by line: by challenge, list of teams, attribute, person or week of the due day. */
import { toDate } from '../../schemas/metrics/calendar.ts'
import { rankingMask, type Bits, type FactCount } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { toAttribute, type AttributeKey } from '../scope/filters.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Line } from '../metrics/blocks.ts'
import { Ids } from './columns.ts'
import { daysOf } from './day-column.ts'
import { onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { select, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'

/** The groups of people. */
export type GroupBy = 'team' | AttributeKey
/** Some sets of ids, and the number of each person's set; below 0 of those in none. */
export type Sets = { sets: readonly (readonly string[])[]; ofUser: Uint32Array | Int32Array }
export type LineBy = 'challenge' | 'person' | 'due_week' | GroupBy | Sets

type LineOf = (selection: Selection) => Promise<(row: number) => number> | ((row: number) => number)
/** `size`: numbers of lines are below. A row of no line has a number below 0. */
type Lines = { size: number; idsOf: (line: number) => readonly string[]; of: LineOf }

/** Sets of teams, or an attribute's values, each a set of one; and that of each person. The first set is of those in none. */
export function toSets({ people }: Memory, scope: Scope, by: GroupBy): Sets {
  const name = toAttribute(by)
  const { teams, attributes } = people.at(scope)
  if (name === undefined) return { sets: people.teams.values, ofUser: teams }
  return { sets: people.attributes.values.map((each) => [each.get(name) ?? '']), ofUser: attributes }
}

function toLines(memory: Memory, scope: Scope, by: LineBy): Lines {
  if (by === 'due_week') {
    return {
      size: Math.ceil(65_536 / 7) + 1,
      idsOf: (week) => [toDate(Math.max(0, 7 * week - 3))],
      async of({ columns }) {
        const days = await daysOf(columns, 'due_date', scope.dueZone)
        const due = columns.at.due_date
        // 1 January 1970 was a Thursday.
        return (row) => (due[row] === 0 ? -1 : Math.floor((days[row]! + 3) / 7))
      },
    }
  }
  if (by === 'challenge' || by === 'person') {
    const [{ names }, column] =
      by === 'challenge' ? [memory.challenges, 'challenge' as const] : [memory.users, 'user' as const]
    const of: LineOf =
      ({ columns }) =>
      (row) =>
        columns[column][row]!
    return { size: names.length, idsOf: (number) => [names[number]!], of }
  }
  const { sets, ofUser } = typeof by === 'string' ? toSets(memory, scope, by) : by
  const of: LineOf =
    ({ columns }) =>
    (row) =>
      ofUser[columns.user[row]!]!
  return { size: sets.length, idsOf: (set) => sets[set]!, of }
}

const gradeBits = (1 << stateBits.graded) | (1 << stateBits.grade_known)

/** The lines that have rows. */
export async function rank(
  memory: Memory,
  selections: readonly Selection[],
  scope: Scope,
  by: LineBy,
  withGrades = false,
): Promise<Line[]> {
  const { size, idsOf, of } = toLines(memory, scope, by)
  const combinations = new Ids()
  const bitsOf: Bits[] = []
  /** By combination, then by line. */
  const counts: Uint32Array[] = []
  const toCombination = (all: Bits): number => {
    const bits = { low: (all.low & rankingMask.low) >>> 0, high: all.high & rankingMask.high, days: NaN }
    const code = combinations.of(`${bits.low} ${bits.high}`)
    bitsOf[code] ??= bits
    counts[code] ??= new Uint32Array(size)
    return code
  }
  const grades: number[][] = []
  const people = new Uint32Array(size)
  const hasPeople = typeof by === 'object'
  const isCounted = new Uint8Array(memory.users.names.length)
  for (const selection of selections) {
    const { rows, facts, columns } = selection
    const combinationOf = onceACode(facts, toCombination)
    const lineOf = await of(selection)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        const line = lineOf(row)
        if (line < 0) continue
        counts[combinationOf(facts.codes[index]!)]![line]!++
        const user = columns.user[row]!
        if (hasPeople && isCounted[user] === 0) {
          people[line]!++
          isCounted[user] = 1
        }
        if (withGrades && (columns.state[row]! & gradeBits) === gradeBits)
          (grades[line] ??= []).push(columns.numbers.grade[row]!)
      }
    })
  }
  const found: Line[] = []
  await inSlices(size, (from, to) => {
    for (let line = from; line < to; line++) {
      const facts: FactCount[] = []
      for (const [code, countOf] of counts.entries())
        if (countOf[line] !== 0) facts.push({ ...bitsOf[code]!, n: countOf[line]! })
      if (facts.length > 0)
        found.push({
          ids: idsOf(line),
          facts,
          grades: grades[line] ?? [],
          people: by === 'person' ? 1 : people[line]!,
        })
    }
  })
  return found
}

export async function readLines(
  memory: Memory,
  inScope: InScope,
  by: LineBy,
  withGrades: boolean,
): Promise<Line[]> {
  return rank(memory, await select(memory, inScope), inScope.scope, by, withGrades)
}
