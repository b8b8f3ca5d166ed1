/** The rows in scope at a moment: the filters of `scope/filters.ts` over columns in memory. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { compile, type People } from '../expressions/evaluate.ts'
import { whereOf } from '../scope/filters.ts'
import type { Columns, Ids } from './columns.ts'
import { Cursor } from './cursor.ts'
import { decide, readFacts, type Facts } from './kinds.ts'
import { findOnce, type Memory } from './memory.ts'
import { inSlices } from './slices.ts'

/** Rows of one table, and the facts of each. */
export type Selection = { columns: Columns; rows: Uint32Array; facts: Facts }

export type InScope = {
  scope: Scope
  /** The people under the managers of the scope, where it has some. */
  under: readonly string[]
  /** The people whom the reader sees; `null`: everybody. */
  seen: readonly string[] | null
}

export function select(memory: Memory, inScope: InScope): Promise<readonly Selection[]> {
  return findOnce(memory, 'select', inScope, () => selectAnew(memory, inScope))
}

async function selectAnew(memory: Memory, inScope: InScope): Promise<Selection[]> {
  const { scope } = inScope
  const people = toPeople(memory, inScope)
  const isSeen = createSeen(memory, inScope)
  // Closed versions are of the past; of now only where a state has yet to begin.
  const tables = memory.closed.lastEnd > scope.asOf ? [memory.open, memory.closed] : [memory.open]
  const selections: Selection[] = []
  for (const columns of tables) {
    let rows = await findHolding(columns, scope.asOf, isSeen)
    const where = whereOf(scope)
    const cursor = new Cursor(columns)
    for (const each of where) {
      if (!('row' in each)) continue
      const isSo = compile(each.row, scope, people)
      rows = await keep(rows, (row) => {
        cursor.row = row
        return isSo(cursor) !== 0
      })
    }
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

/** Those of a selection at some of its indexes. */
export async function narrow(of: Selection, isKept: (index: number) => boolean): Promise<Selection> {
  const [rows, codes] = [of.rows.slice(), of.facts.codes.slice()]
  let kept = 0
  await inSlices(rows.length, (from, to) => {
    for (let index = from; index < to; index++) {
      if (!isKept(index)) continue
      rows[kept] = rows[index]!
      codes[kept++] = codes[index]!
    }
  })
  return { columns: of.columns, rows: rows.subarray(0, kept), facts: { ...of.facts, codes: codes.subarray(0, kept) } }
}

/** Whether the reader sees a person, by their number. */
export function createSeen({ users }: Memory, { seen }: Pick<InScope, 'seen'>): (user: number) => boolean {
  if (seen === null) return () => true
  const isSeen = toFlags(users, seen)
  return (user) => isSeen[user] === 1
}

async function findHolding(
  { size, classes, user, validTo, at }: Columns,
  asOf: number,
  isSeen: (user: number) => boolean,
): Promise<Uint32Array> {
  const rows = new Uint32Array(size)
  const validFrom = at.valid_from
  let found = 0
  await inSlices(size, (first, end) => {
    for (let row = first; row < end; row++)
      if (isSeen(user[row]!) && validTo[row]! > asOf && validFrom[row]! <= asOf && classes[row] !== 3)
        rows[found++] = row
  })
  return rows.subarray(0, found)
}

/** In place. */
async function keep(rows: Uint32Array, isKept: (row: number) => boolean): Promise<Uint32Array> {
  let kept = 0
  await inSlices(rows.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const row = rows[index]!
      if (isKept(row)) rows[kept++] = row
    }
  })
  return rows.subarray(0, kept)
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
export function toPeople({ people, users }: Memory, { scope, under }: Omit<InScope, 'seen'>): Required<People<Cursor>> {
  const { team, attribute, includeLeavers } = scope
  const nobody = () => toFlags(users, [])
  const [left, inTeams, inAnyTeam, withAttributes] = [nobody(), nobody(), nobody(), nobody()]
  const isAsked = people.teams.values.map((own) => own.some((each) => team.includes(each)))
  const isGiven = people.attributes.values.map((own) =>
    attribute.every(([name, values]) => values.includes(own.get(name) ?? '')),
  )
  people.forEach(scope, (user, active, teams, attributes) => {
    if (!active) left[user] = 1
    if ((active || includeLeavers) && isAsked[teams]) inTeams[user] = 1
    if (people.teams.values[teams]!.length > 0) inAnyTeam[user] = 1
    if (isGiven[attributes]) withAttributes[user] = 1
  })
  const unknown = users.find('')
  if (unknown !== undefined) inTeams[unknown] = inAnyTeam[unknown] = withAttributes[unknown] = 0
  const among = (flags: Uint8Array) => (row: Cursor) => flags[row.user] === 1
  return {
    left: among(left),
    teams: among(inTeams),
    any_team: among(inAnyTeam),
    under: among(toFlags(users, under)),
    attributes: among(withAttributes),
  }
}
