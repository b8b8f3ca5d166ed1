/** Counts of the facts that rankings need, line by line: by challenge, list of teams, attribute, person or week of the due day. */
import { toDate } from '../../schemas/metrics/calendar.ts'
import { rankingMask, type Bits } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { toAttribute, type AttributeKey } from '../scope/filters.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Line } from '../metrics/blocks.ts'
import { Ids } from './columns.ts'
import { daysOf } from './day-column.ts'
import { onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { forEachRow, select, type InScope, type Selection } from './select.ts'

/** The groups of people. */
export type GroupBy = 'team' | AttributeKey
/** Some sets of ids, and the number of each person's set; below 0 of those in none. */
export type Sets = { sets: readonly (readonly string[])[]; ofUser: Uint32Array | Int32Array }
type LineBy = 'challenge' | 'due_week' | GroupBy | Sets

/** `of`: the number of a row's line, below 0 for a row of no line. */
type Lines = {
  idsOf: (line: number) => readonly string[]
  of: (selection: Selection) => ((row: number) => number) | Promise<(row: number) => number>
}

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
      idsOf: (week) => [toDate(Math.max(0, 7 * week - 3))],
      async of({ columns }) {
        const days = await daysOf(columns, 'due_date', scope.dueZone)
        const { due_date } = columns.values
        // 1 January 1970 was a Thursday.
        return (row) => (due_date[row] === 0 ? -1 : Math.floor((days[row]! + 3) / 7))
      },
    }
  }
  if (by === 'challenge')
    return {
      idsOf: (number) => [memory.ids.challenge_id.names[number]!],
      of:
        ({ columns: { values } }) =>
        (row) =>
          values.challenge_id[row]!,
    }
  const { sets, ofUser } = typeof by === 'string' ? toSets(memory, scope, by) : by
  return {
    idsOf: (set) => sets[set]!,
    of:
      ({ columns: { values } }) =>
      (row) =>
        ofUser[values.user_id[row]!]!,
  }
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
  const { idsOf, of } = toLines(memory, scope, by)
  const combinations = new Ids()
  const bitsOf: Bits[] = []
  const toCombination = (all: Bits): number => {
    const bits = { low: (all.low & rankingMask.low) >>> 0, high: all.high & rankingMask.high, days: NaN }
    const combination = combinations.of(`${bits.low} ${bits.high}`)
    bitsOf[combination] ??= bits
    return combination
  }
  /** By number; `facts` by combination. */
  const lines: Line[] = []
  const hasPeople = typeof by === 'object'
  const isCounted = new Uint8Array(memory.ids.user_id.names.length)
  await forEachRow(selections, async (selection) => {
    const { state, grade, user_id } = selection.columns.values
    const combinationOf = onceACode(selection.facts, toCombination)
    const lineOf = await of(selection)
    return (row, code) => {
      const at = lineOf(row)
      if (at < 0) return
      const line = (lines[at] ??= { ids: idsOf(at), facts: [], grades: [], people: 0 })
      const combination = combinationOf(code)
      ;(line.facts[combination] ??= { ...bitsOf[combination]!, n: 0 }).n++
      const user = user_id[row]!
      if (hasPeople && isCounted[user] === 0) {
        line.people++
        isCounted[user] = 1
      }
      if (withGrades && (state[row]! & gradeBits) === gradeBits) line.grades.push(grade[row]!)
    }
  })
  return lines.flatMap((line) => ({ ...line, facts: line.facts.filter(Boolean) }))
}

export async function readLines(
  memory: Memory,
  inScope: InScope,
  by: LineBy,
  withGrades: boolean,
): Promise<Line[]> {
  return rank(memory, await select(memory, inScope), inScope.scope, by, withGrades)
}
