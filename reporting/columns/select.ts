/** The rows in scope at a moment: the filters of `scope/filters.ts` over columns in memory. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Expression } from '../../schemas/metrics/expression.ts'
import { compile, type People } from '../expressions/evaluate.ts'
import type { Where } from '../scope/filter.ts'
import { whereOf } from '../scope/filters.ts'
import type { Columns, Ids } from './columns.ts'
import { Cursor } from './cursor.ts'
import { decide, readFacts, type Facts } from './kinds.ts'
import { findOnce, type Memory } from './memory.ts'
import { active, left, noVersion } from './people.ts'
import { inSlices } from './slices.ts'

/** Rows of one table, and the facts of each. */
export type Selection = { columns: Columns; rows: Uint32Array; facts: Facts }

export type InScope = {
  scope: Scope
  /** The people under the managers of the scope, where it has some. */
  under: readonly string[]
  /** The people whom the reader sees; `null`: everybody. */
  seenIds: readonly string[] | null
}

export const select = (memory: Memory, inScope: InScope): Promise<readonly Selection[]> =>
  findOnce(memory, 'select', inScope, () => selectAnew(memory, inScope))

async function selectAnew(memory: Memory, inScope: InScope): Promise<Selection[]> {
  const { scope } = inScope
  const where = whereOf(scope)
  const fitting = findFitting(memory, inScope, where)
  const rowTests = where.flatMap((each) =>
    'row' in each && columnOf(each.row) === undefined ? [compile<Cursor>(each.row, scope)] : [],
  )
  // Closed versions are of the past; of now only where a state has yet to begin.
  const tables = memory.closed.lastEnd > scope.asOf ? [memory.open, memory.closed] : [memory.open]
  const selections: Selection[] = []
  for (const columns of tables) {
    const { class: classes, user_id, challenge_id, valid_from, valid_to } = columns.values
    const cursor = new Cursor(columns)
    const rows = await keep(columns.size, (row) => {
      if (fitting.user_id[user_id[row]!] === 0 || fitting.challenge_id[challenge_id[row]!] === 0) return false
      if (valid_to[row]! <= scope.asOf || valid_from[row]! > scope.asOf || classes[row] === 3) return false
      cursor.row = row
      return rowTests.every((isSo) => isSo(cursor) !== 0)
    })
    let selection = { columns, rows, facts: await readFacts(columns, rows, scope) }
    for (const each of where) {
      if (!('fact' in each)) continue
      const { codes } = selection.facts
      const isSo = decide(selection.facts, each.fact, scope.dueSoonDays)
      selection = await narrow(selection, (index) => isSo(codes[index]!) === 1)
    }
    selections.push(selection)
  }
  return selections
}

/** By number, the people and the challenges whose rows a reader sees and a scope asks for. */
type Fitting = Record<'user_id' | 'challenge_id', Uint8Array>

/** Whose say alone a filter is: it is asked once of each, not of every row. */
function columnOf(of: Expression): keyof Fitting | undefined {
  if (of.is === 'people') return 'user_id'
  if (of.is === 'among') return of.column
  return of.is === 'not' ? columnOf(of.of) : undefined
}

export function findFitting(memory: Memory, inScope: InScope, where: readonly Where[]): Fitting {
  const { scope, seenIds } = inScope
  const { user_id, challenge_id } = memory.ids
  const people = toPeople(memory, inScope)
  const find = (column: keyof Fitting, { names }: Ids, fits: Uint8Array): Uint8Array => {
    const one = { user: 0, user_id: '', challenge_id: '' }
    const rows = where.flatMap((each) => ('row' in each && columnOf(each.row) === column ? [each.row] : []))
    for (const test of rows.map((row) => compile(row, scope, people))) {
      for (let number = 0; number < fits.length; number++) {
        if (fits[number] === 0) continue
        one.user = number
        one.user_id = one.challenge_id = names[number]!
        if (test(one as Cursor) === 0) fits[number] = 0
      }
    }
    return fits
  }
  return {
    user_id: find('user_id', user_id, toSeen(memory, seenIds)),
    challenge_id: find('challenge_id', challenge_id, new Uint8Array(challenge_id.names.length).fill(1)),
  }
}

/** Those of a selection at some of its indexes. */
export async function narrow(of: Selection, isKept: (index: number) => boolean): Promise<Selection> {
  const kept = await keep(of.rows.length, isKept)
  const codes = kept.map((index) => of.facts.codes[index]!)
  return { columns: of.columns, rows: kept.map((index) => of.rows[index]!), facts: { ...of.facts, codes } }
}

/** The numbers below `size` that are kept, ascending. */
async function keep(size: number, isKept: (number: number) => boolean): Promise<Uint32Array> {
  const kept = new Uint32Array(size)
  let n = 0
  await inSlices(size, (number) => {
    if (isKept(number)) kept[n++] = number
  })
  return kept.slice(0, n)
}

/** What is done with a row; `code`: of its facts. */
type Visit = (row: number, code: number, index: number) => void

/** The one loop over the rows of a question. `begin`: called for each table, before its rows. */
export async function forEachRow(
  selections: readonly Selection[],
  begin: (selection: Selection) => Visit | Promise<Visit>,
): Promise<void> {
  for (const selection of selections) {
    const { rows, facts } = selection
    const visit = await begin(selection)
    await inSlices(rows.length, (index) => visit(rows[index]!, facts.codes[index]!, index))
  }
}

/** By number, 1 for the people whom the reader sees. */
export const toSeen = ({ ids: { user_id } }: Memory, seenIds: InScope['seenIds']): Uint8Array =>
  seenIds === null ? new Uint8Array(user_id.names.length).fill(1) : toFlags(user_id, seenIds)

function toFlags(users: Ids, ids: readonly string[]): Uint8Array {
  const flags = new Uint8Array(users.names.length)
  for (const id of ids) {
    const user = users.find(id)
    if (user !== undefined) flags[user] = 1
  }
  return flags
}

/** The people whom filters ask for. */
export function toPeople(
  { people, ids: { user_id } }: Memory,
  { scope, under }: Omit<InScope, 'seenIds'>,
): Required<People<Cursor>> {
  const { team, attribute, includeLeavers } = scope
  const { states, teams, attributes } = people.at(scope)
  const isUnder = toFlags(user_id, under)
  const isAsked = people.teams.values.map((teams) => teams.some((each) => team.includes(each)))
  const isInAny = people.teams.values.map((teams) => teams.length > 0)
  const isGiven = people.attributes.values.map((attributes) =>
    attribute.every(([name, values]) => values.includes(attributes.get(name) ?? '')),
  )
  const unknown = user_id.find('')
  const isPerson = (user: number) => states[user] !== noVersion && user !== unknown
  return {
    left: ({ user }) => states[user] === left,
    teams: ({ user }) =>
      isPerson(user) && (includeLeavers || states[user] === active) && isAsked[teams[user]!]!,
    any_team: ({ user }) => isPerson(user) && isInAny[teams[user]!]!,
    under: ({ user }) => isUnder[user] === 1,
    attributes: ({ user }) => isPerson(user) && isGiven[attributes[user]!]!,
  }
}
