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
export type Selection = { columns: Columns; rows: Uint32Array<ArrayBuffer>; facts: Facts }

export type InScope = {
  scope: Scope
  /** The people under the managers of the scope, where it has some. */
  under: readonly string[]
  /** The people whom the reader sees; `null`: everybody. */
  seenIds: readonly string[] | null
}

export function select(memory: Memory, inScope: InScope): Promise<readonly Selection[]> {
  const find = () => selectAnew(memory, inScope)
  return findOnce(memory, 'select', inScope, find, (all) =>
    all.flatMap(({ rows, facts }) => [rows, facts.codes]),
  )
}

async function selectAnew(memory: Memory, inScope: InScope): Promise<Selection[]> {
  const { scope } = inScope
  const where = whereOf(scope)
  const of = findFitting(memory, inScope, where)
  // Closed versions are of the past; of now only where a state has yet to begin.
  const tables = memory.closed.lastEnd > scope.asOf ? [memory.open, memory.closed] : [memory.open]
  const selections: Selection[] = []
  for (const columns of tables) {
    let rows = await findHolding(memory, columns, scope.asOf, of)
    const cursor = new Cursor(columns)
    for (const each of where) {
      if (!('row' in each) || columnOf(each.row) !== undefined) continue
      const isSo = compile(each.row, scope)
      rows = await keep(rows, (row) => {
        cursor.row = row
        return isSo(cursor) !== 0
      })
    }
    let selection = { columns, rows, facts: await readFacts(memory, columns, rows, scope) }
    for (const each of where) {
      if (!('fact' in each)) continue
      const { codes } = selection.facts
      const isSo = decide(selection.facts, each.fact, scope.dueSoonDays)
      const { rows: all } = selection
      selection = await narrow(selection, (index) => isSo(codes[index]!) === 1)
      for (const array of [all, codes]) memory.arrays.giveBack(array)
    }
    selections.push(selection)
  }
  return selections
}

/** By number, the people and the challenges whose rows a reader sees and a scope asks for. */
type Fitting = Record<'user' | 'challenge', Uint8Array>

/** Whose say alone a filter is: it is asked once of each, not of every row. */
function columnOf(of: Expression): keyof Fitting | undefined {
  if (of.is === 'people') return 'user'
  if (of.is === 'among') return of.column === 'user_id' ? 'user' : 'challenge'
  return of.is === 'not' ? columnOf(of.of) : undefined
}

export function findFitting(memory: Memory, inScope: InScope, where: readonly Where[]): Fitting {
  const { scope, seenIds } = inScope
  const rowsOf = (column: keyof Fitting) =>
    where.flatMap((each) => ('row' in each && columnOf(each.row) === column ? [each.row] : []))
  const find = (column: keyof Fitting, { names }: Ids, fits: Uint8Array): Uint8Array => {
    const people = toPeople(memory, inScope)
    const one = { user: 0, user_id: '', challenge_id: '' }
    for (const test of rowsOf(column).map((row) => compile(row, scope, people))) {
      for (let number = 0; number < fits.length; number++) {
        if (fits[number] === 0) continue
        one.user = number
        one.user_id = one.challenge_id = names[number]!
        if (test(one as Cursor) === 0) fits[number] = 0
      }
    }
    return fits
  }
  const { users, challenges } = memory
  return {
    user: find('user', users, toSeen(memory, seenIds)),
    challenge: find('challenge', challenges, new Uint8Array(challenges.names.length).fill(1)),
  }
}

/** Those of a selection at some of its indexes. */
export async function narrow(of: Selection, isKept: (index: number) => boolean): Promise<Selection> {
  const [rows, codes] = [of.rows.slice(), of.facts.codes.slice()]
  let n = 0
  await inSlices(rows.length, (from, to) => {
    for (let index = from; index < to; index++) {
      if (!isKept(index)) continue
      rows[n] = rows[index]!
      codes[n++] = codes[index]!
    }
  })
  return { columns: of.columns, rows: rows.slice(0, n), facts: { ...of.facts, codes: codes.slice(0, n) } }
}

/** By number, 1 for the people whom the reader sees. */
export const toSeen = ({ users }: Pick<Memory, 'users'>, seenIds: InScope['seenIds']): Uint8Array =>
  seenIds === null ? new Uint8Array(users.names.length).fill(1) : toFlags(users, seenIds)

/** The rows of the people whom the reader sees, ascending; `undefined`: all rows have to be gone through. */
export const findSeenRows = async (
  memory: Memory,
  columns: Columns,
  { seenIds }: Pick<InScope, 'seenIds'>,
) => (seenIds === null ? undefined : findRowsOf(memory, columns, 'user', toFlags(memory.users, seenIds)))

async function findHolding(
  memory: Memory,
  columns: Columns,
  asOf: number,
  of: Fitting,
): Promise<Uint32Array<ArrayBuffer>> {
  const { classes, user, challenge, validTo, at } = columns
  const { user: users, challenge: challenges } = of
  const few =
    (await findRowsOf(memory, columns, 'user', users)) ??
    (await findRowsOf(memory, columns, 'challenge', challenges))
  const size = few?.length ?? columns.size
  const rows = memory.arrays.take(size)
  const validFrom = at.valid_from
  let n = 0
  await inSlices(size, (first, end) => {
    for (let index = first; index < end; index++) {
      const row = few === undefined ? index : few[index]!
      if (users[user[row]!] === 0 || challenges[challenge[row]!] === 0) continue
      if (validTo[row]! > asOf && validFrom[row]! <= asOf && classes[row] !== 3) rows[n++] = row
    }
  })
  return rows.subarray(0, n)
}

/** In place. */
async function keep(
  rows: Uint32Array<ArrayBuffer>,
  isKept: (row: number) => boolean,
): Promise<Uint32Array<ArrayBuffer>> {
  let n = 0
  await inSlices(rows.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const row = rows[index]!
      if (isKept(row)) rows[n++] = row
    }
  })
  return rows.subarray(0, n)
}

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
  { people, users }: Memory,
  { scope, under }: Omit<InScope, 'seenIds'>,
): Required<People<Cursor>> {
  const { team, attribute, includeLeavers } = scope
  const { states, teams, attributes } = people.at(scope)
  const isUnder = toFlags(users, under)
  const isAsked = people.teams.values.map((teams) => teams.some((each) => team.includes(each)))
  const isInAny = people.teams.values.map((teams) => teams.length > 0)
  const isGiven = people.attributes.values.map((attributes) =>
    attribute.every(([name, values]) => values.includes(attributes.get(name) ?? '')),
  )
  const unknown = users.find('')
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

// The rows of some people or challenges: a question about few of them goes through these rows alone.

/** To sort at most one row in so many is quicker than to go through all rows. */
const oneInSoMany = 16

/** `rows`: those of one number after those of another; `starts`: where those of each begin, and the end. */
type Places = { starts: Uint32Array; rows: Uint32Array<ArrayBuffer> }

/** Ascending. `undefined`: they are too many. `isAsked`: by number, 1 or 0. */
async function findRowsOf(
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

async function toPlaces(
  { arrays }: Memory,
  numbers: Uint32Array,
  size: number,
  most: number,
): Promise<Places> {
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
