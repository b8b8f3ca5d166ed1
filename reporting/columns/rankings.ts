/** Counts of the facts that rankings need, by challenge, by set of teams, by week of the due day. */
import { rankingMask, toDecimal } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { toAttribute, type AttributeKey } from '../scope/filters.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toDate, type Blocks } from '../metrics/blocks.ts'
import { daysOf } from './day-column.ts'
import { onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { select, type InScope, type Selection } from './select.ts'
import { inSlices } from './slices.ts'

const [maskLow, maskHigh] = [Number(BigInt(rankingMask) & 0xffff_ffffn), Number(BigInt(rankingMask) >> 32n)]

/** How often each combination of facts occurs in a line, and its final grades where they are asked for. */
type Line = { bits: string[]; counts: number[]; grades: number[] }

type LineOf = (selection: Selection) => Promise<(row: number) => number> | ((row: number) => number)

/** Lines by their number, below `lines`; a row of none has a number below 0. */
async function count(
  selections: readonly Selection[],
  lines: number,
  lineOf: LineOf,
  withGrades = false,
): Promise<(line: number) => Line> {
  const classes = new Map<string, number>()
  const names: string[] = []
  /** By combination, then by line. */
  const counts: Uint32Array[] = []
  const grades: (number[] | undefined)[] = []
  for (const selection of selections) {
    const { rows, facts, columns } = selection
    const classOf = onceACode(facts, toClass)
    const own = await lineOf(selection)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        const line = own(row)
        if (line < 0) continue
        counts[classOf(facts.codes[index]!)]![line]!++
        if (withGrades && (columns.state[row]! & gradeBits) === gradeBits)
          (grades[line] ??= []).push(columns.grade[row]!)
      }
    })
  }
  return (line) => {
    const own = [...names.keys()].filter((each) => counts[each]![line] !== 0)
    return {
      bits: own.map((each) => names[each]!),
      counts: own.map((each) => counts[each]![line]!),
      grades: grades[line] ?? [],
    }
  }

  function toClass({ low, high }: { low: number; high: number }): number {
    const name = toDecimal({ low: (low & maskLow) >>> 0, high: (high & maskHigh) >>> 0, days: NaN })
    let own = classes.get(name)
    if (own === undefined) {
      own = names.push(name) - 1
      counts.push(new Uint32Array(lines))
      classes.set(name, own)
    }
    return own
  }
}

const gradeBits = (1 << stateBits.graded) | (1 << stateBits.grade_known)
const challengeOf: LineOf =
  ({ columns }) =>
  (row) =>
    columns.challenge[row]!
const toPairs = ({ bits, counts }: Line): [string, number][] => bits.map((each, index) => [each, counts[index]!])

export async function rank({ challenges }: Memory, selections: readonly Selection[]): Promise<Blocks['challenges']> {
  const { names } = challenges
  const lineAt = await count(selections, names.length, challengeOf)
  return names.flatMap((id, line) =>
    toPairs(lineAt(line)).map(([bits, n]): Blocks['challenges'][number] => [id, bits, n]),
  )
}

/** What people are grouped by, in one statement as in memory. */
export type GroupBy = 'team' | AttributeKey

/** The sets of teams of people at the moment, or their values of an attribute, and that of each person by number: the first one is of those in none. */
export function toSets(
  { people, users }: Memory,
  scope: Scope,
  by: GroupBy,
): { sets: string[][]; ofUser: Uint32Array } {
  const values = people.valuesOf(toAttribute(by) ?? '')
  const ofUser = new Uint32Array(users.names.length)
  const sets: string[][] = [[]]
  const numbers = new Map<string, number>([['', 0]])
  for (const { user, teams, attributes } of people.at(scope)) {
    const key = by === 'team' ? teams.join(' ') : (values[attributes] ?? '')
    let own = numbers.get(key)
    if (own === undefined) {
      own = sets.push(by === 'team' ? teams.map((team) => people.teams.names[team]!) : [key]) - 1
      numbers.set(key, own)
    }
    ofUser[user] = own
  }
  return { sets, ofUser }
}

const setIn =
  (ofUser: Uint32Array): LineOf =>
  ({ columns }) =>
  (row) =>
    ofUser[columns.user[row]!]!

export async function rankTeamSets(
  memory: Memory,
  selections: readonly Selection[],
  scope: Scope,
): Promise<Blocks['team_sets']> {
  const { sets, ofUser } = toSets(memory, scope, 'team')
  const lineAt = await count(selections, sets.length, setIn(ofUser))
  return sets.flatMap((teams, set) =>
    toPairs(lineAt(set)).map(([bits, n]): Blocks['team_sets'][number] => [teams, bits, n]),
  )
}

/** The lines of challenges, teams, values of an attribute or people that have assignments in scope, with their final grades. Someone in two teams counts in both. */
export async function readLines(
  memory: Memory,
  inScope: InScope,
  by: 'challenge' | 'person' | GroupBy,
): Promise<({ id: string } & Line)[]> {
  const selections = await select(memory, inScope)
  if (by !== 'challenge' && by !== 'person') {
    const { sets, ofUser } = toSets(memory, inScope.scope, by)
    const lineAt = await count(selections, sets.length, setIn(ofUser), true)
    return sets
      .flatMap((teams, set) => (teams.length === 0 ? [''] : teams).map((id) => ({ id, ...lineAt(set) })))
      .filter(isThere)
  }
  const { names } = by === 'challenge' ? memory.challenges : memory.users
  const lineOf: LineOf =
    by === 'challenge'
      ? challengeOf
      : ({ columns }) =>
          (row) =>
            columns.user[row]!
  const lineAt = await count(selections, names.length, lineOf, true)
  return names.map((id, line) => ({ id, ...lineAt(line) })).filter(isThere)
}

const isThere = ({ bits }: Line): boolean => bits.length > 0

const weeks = 65_536 / 7

export async function rankDueWeeks(selections: readonly Selection[], { dueZone }: Scope): Promise<Blocks['due_weeks']> {
  const lines = Math.ceil(weeks) + 1
  const lineAt = await count(selections, lines, async ({ columns }) => {
    const days = await daysOf(columns, 'due_date', dueZone)
    const due = columns.at.due_date
    // 1 January 1970 was a Thursday.
    return (row) => (due[row] === 0 ? -1 : Math.floor((days[row]! + 3) / 7))
  })
  return Array.from({ length: lines }, (_, week) => week).flatMap((week) =>
    toPairs(lineAt(week)).map(([bits, n]): Blocks['due_weeks'][number] => [toDate(Math.max(0, 7 * week - 3)), bits, n]),
  )
}
