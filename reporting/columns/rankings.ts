/** Counts of the facts that rankings need, by challenge, by set of teams, by week of the due day. */
import { rankingMask, toDecimal } from '../../schemas/metrics/facts.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { toDate, type Blocks } from '../metrics/blocks.ts'
import { daysOf } from './day-column.ts'
import type { Memory } from './memory.ts'
import type { Selection } from './select.ts'
import { inSlices } from './slices.ts'

const [maskLow, maskHigh] = [Number(BigInt(rankingMask) & 0xffff_ffffn), Number(BigInt(rankingMask) >> 32n)]

/** Lines by their number, each with how often every combination of facts occurs. */
async function count(
  selections: readonly Selection[],
  lines: number,
  lineOf: (selection: Selection) => Promise<(row: number) => number> | ((row: number) => number),
): Promise<(line: number) => [bits: string, n: number][]> {
  const classes = new Map<string, number>()
  const names: string[] = []
  /** By combination, then by line. */
  const counts: Uint32Array[] = []
  for (const selection of selections) {
    const { rows, facts } = selection
    const classOf = new Int32Array(facts.size)
    const own = await lineOf(selection)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const line = own(rows[index]!)
        if (line < 0) continue
        const code = facts.codes[index]!
        if (classOf[code] === 0) classOf[code] = toClass(facts.of(code)) + 1
        counts[classOf[code]! - 1]![line]!++
      }
    })
  }
  return (line) =>
    counts.flatMap((own, index): [string, number][] => (own[line] === 0 ? [] : [[names[index]!, own[line]!]]))

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

export async function rank({ challenges }: Memory, selections: readonly Selection[]): Promise<Blocks['challenges']> {
  const { names } = challenges
  const countsOf = await count(
    selections,
    names.length,
    ({ columns }) =>
      (row) =>
        columns.challenge[row]!,
  )
  return names.flatMap((id, line) => countsOf(line).map(([bits, n]): Blocks['challenges'][number] => [id, bits, n]))
}

/** A person in two teams counts in both lines; no team is a line of its own. */
export async function rankTeamSets(
  { people, users }: Memory,
  selections: readonly Selection[],
  scope: Scope,
): Promise<Blocks['team_sets']> {
  const setOf = new Uint32Array(users.names.length)
  const sets: (readonly number[])[] = [[]]
  const numbers = new Map<string, number>([['', 0]])
  for (const { user, teams } of people.at(scope)) {
    const key = teams.join(' ')
    let own = numbers.get(key)
    if (own === undefined) numbers.set(key, (own = sets.push(teams) - 1))
    setOf[user] = own
  }
  const countsOf = await count(
    selections,
    sets.length,
    ({ columns }) =>
      (row) =>
        setOf[columns.user[row]!]!,
  )
  return sets.flatMap((teams, line) => {
    const ids = teams.map((team) => people.teams.names[team]!)
    return countsOf(line).map(([bits, n]): Blocks['team_sets'][number] => [ids, bits, n])
  })
}

const weeks = 65_536 / 7

export async function rankDueWeeks(selections: readonly Selection[], { dueZone }: Scope): Promise<Blocks['due_weeks']> {
  const lines = Math.ceil(weeks) + 1
  const countsOf = await count(selections, lines, async ({ columns }) => {
    const days = await daysOf(columns, 'due_date', dueZone)
    const due = columns.at.due_date
    // 1 January 1970 was a Thursday.
    return (row) => (due[row] === 0 ? -1 : Math.floor((days[row]! + 3) / 7))
  })
  return Array.from({ length: lines }, (_, week) => week).flatMap((week) =>
    countsOf(week).map(([bits, n]): Blocks['due_weeks'][number] => [toDate(Math.max(0, 7 * week - 3)), bits, n]),
  )
}
