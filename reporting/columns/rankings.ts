/** Counts of the facts that rankings need, by challenge, by set of teams, by week of the due day. */
import { toDate } from '../../schemas/metrics/calendar.ts'
import { rankingMask, toDecimal, type Bits } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { toAttribute, type AttributeKey } from '../scope/filters.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Blocks } from '../metrics/blocks.ts'
import { Ids } from './columns.ts'
import { daysOf } from './day-column.ts'
import { onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { select, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'

const [maskLow, maskHigh] = [Number(BigInt(rankingMask) & 0xffff_ffffn), Number(BigInt(rankingMask) >> 32n)]

/** How often each combination of facts occurs in a line, and its final grades where they are asked for. */
export type Line = { bits: string[]; counts: number[]; grades: number[] }

type LineOf = (selection: Selection) => Promise<(row: number) => number> | ((row: number) => number)

/** Lines that have rows, by their number, below `lines`; a row of none has a number below 0. */
async function count(
  selections: readonly Selection[],
  lines: number,
  lineOf: LineOf,
  withGrades = false,
): Promise<Map<number, Line>> {
  const combinations = new Ids()
  /** By combination, then by line. */
  const counts: Uint32Array[] = []
  const grades = new Map<number, number[]>()
  const toCombination = ({ low, high }: Bits): number => {
    const bits = { low: (low & maskLow) >>> 0, high: (high & maskHigh) >>> 0, days: NaN }
    const code = combinations.of(toDecimal(bits))
    counts[code] ??= new Uint32Array(lines)
    return code
  }
  for (const selection of selections) {
    const { rows, facts, columns } = selection
    const combinationOf = onceACode(facts, toCombination)
    const lineOfRow = await lineOf(selection)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        const line = lineOfRow(row)
        if (line < 0) continue
        counts[combinationOf(facts.codes[index]!)]![line]!++
        if (!withGrades || (columns.state[row]! & gradeBits) !== gradeBits) continue
        const values = grades.get(line)
        if (values === undefined) grades.set(line, [columns.numbers.grade[row]!])
        else values.push(columns.numbers.grade[row]!)
      }
    })
  }
  const byLine = new Map<number, Line>()
  await inSlices(lines, (from, to) => {
    for (const [combination, countOf] of counts.entries()) {
      for (let line = from; line < to; line++) {
        if (countOf[line] === 0) continue
        let entry = byLine.get(line)
        if (entry === undefined)
          byLine.set(line, (entry = { bits: [], counts: [], grades: grades.get(line) ?? [] }))
        entry.bits.push(combinations.names[combination]!)
        entry.counts.push(countOf[line]!)
      }
    }
  })
  return byLine
}

const gradeBits = (1 << stateBits.graded) | (1 << stateBits.grade_known)
const challengeOf: LineOf =
  ({ columns }) =>
  (row) =>
    columns.challenge[row]!
const personOf: LineOf =
  ({ columns }) =>
  (row) =>
    columns.user[row]!

/** Each line's combinations of facts and how often they come. */
const toEntries = (lines: Map<number, Line>): [line: number, bits: string, n: number][] =>
  [...lines].flatMap(([line, { bits, counts }]) =>
    bits.map((each, index): [number, string, number] => [line, each, counts[index]!]),
  )

export async function rank(
  { challenges }: Memory,
  selections: readonly Selection[],
): Promise<Blocks['challenges']> {
  const { names } = challenges
  const lines = await count(selections, names.length, challengeOf)
  return toEntries(lines).map(([line, bits, n]) => [names[line]!, bits, n])
}

/** The groups of people. */
export type GroupBy = 'team' | AttributeKey

/** Sets of teams, or an attribute's values, each a set of one; and that of each person by number. The first set is of those in none. */
export function toSets(
  { people }: Memory,
  scope: Scope,
  by: GroupBy,
): { sets: string[][]; ofUser: Uint32Array } {
  const name = toAttribute(by)
  const { teams, attributes } = people.at(scope)
  if (name === undefined) return { sets: people.teams.values, ofUser: teams }
  return {
    sets: people.attributes.values.map((attributes) => [attributes.get(name) ?? '']),
    ofUser: attributes,
  }
}

const setIn =
  (ofUser: Uint32Array | Int32Array): LineOf =>
  ({ columns }) =>
  (row) =>
    ofUser[columns.user[row]!]!

export async function rankTeamSets(
  memory: Memory,
  selections: readonly Selection[],
  scope: Scope,
): Promise<Blocks['team_sets']> {
  const { sets, ofUser } = toSets(memory, scope, 'team')
  const lines = await count(selections, sets.length, setIn(ofUser))
  return toEntries(lines).map(([set, bits, n]) => [sets[set]!, bits, n])
}

/** Sets of ids, and that of each person by number; below 0: none. */
export type Sets = { sets: readonly string[][]; ofUser: Int32Array }

/** The lines of sets of people, and how many people of each have assignments in scope. */
export async function readSets(
  memory: Memory,
  inScope: InScope,
  { sets, ofUser }: Sets,
  withGrades: boolean,
): Promise<(Line & { ids: readonly string[]; people: number })[]> {
  const selections = await select(memory, inScope)
  const lines = await count(selections, sets.length, setIn(ofUser), withGrades)
  const isCounted = new Uint8Array(ofUser.length)
  const people = new Uint32Array(sets.length)
  for (const { columns, rows } of selections) {
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const user = columns.user[rows[index]!]!
        if (ofUser[user]! < 0 || isCounted[user] === 1) continue
        isCounted[user] = 1
        people[ofUser[user]!]!++
      }
    })
  }
  return [...lines].map(([set, line]) => ({ ...line, ids: sets[set]!, people: people[set]! }))
}

/** The lines of challenges, lists of teams, values of an attribute or people that have assignments in scope, with their final grades. */
export async function readLines(
  memory: Memory,
  inScope: InScope,
  by: 'challenge' | 'person' | GroupBy,
  withGrades = true,
): Promise<({ ids: string[] } & Line)[]> {
  const selections = await select(memory, inScope)
  if (by !== 'challenge' && by !== 'person') {
    const { sets, ofUser } = toSets(memory, inScope.scope, by)
    const lines = await count(selections, sets.length, setIn(ofUser), withGrades)
    return [...lines].map(([set, line]) => ({ ids: sets[set]!, ...line }))
  }
  const { names } = by === 'challenge' ? memory.challenges : memory.users
  const lines = await count(selections, names.length, by === 'challenge' ? challengeOf : personOf, withGrades)
  return [...lines].map(([line, counts]) => ({ ids: [names[line]!], ...counts }))
}

export async function rankDueWeeks(
  selections: readonly Selection[],
  { dueZone }: Scope,
): Promise<Blocks['due_weeks']> {
  const byWeek = await count(selections, Math.ceil(65_536 / 7) + 1, async ({ columns }) => {
    const days = await daysOf(columns, 'due_date', dueZone)
    const due = columns.at.due_date
    // 1 January 1970 was a Thursday.
    return (row) => (due[row] === 0 ? -1 : Math.floor((days[row]! + 3) / 7))
  })
  return toEntries(byWeek).map(([week, bits, n]) => [toDate(Math.max(0, 7 * week - 3)), bits, n])
}
