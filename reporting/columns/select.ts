/** The rows in scope at a moment: the filters of `scope/filters.ts` over columns in memory. */
import type { PeopleOf } from '../../schemas/metrics/expression.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { compile } from '../read/evaluate.ts'
import { whereOf } from '../scope/filters.ts'
import type { Columns } from './columns.ts'
import { Cursor } from './cursor.ts'
import { decide, readFacts, type Facts } from './kinds.ts'
import type { Memory } from './memory.ts'
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

export async function select(memory: Memory, inScope: InScope): Promise<Selection[]> {
  const { scope, seen } = inScope
  const people = toPeople(memory, inScope)
  const isSeen = createSeen(memory, inScope)
  // Closed versions are of the past; of now only where a state has yet to begin.
  const tables = memory.closed.lastEnd > scope.asOf ? [memory.open, memory.closed] : [memory.open]
  const selections: Selection[] = []
  for (const columns of tables) {
    let rows = await findHolding(columns, scope.asOf)
    if (seen !== null) rows = await keep(rows, (row) => isSeen(columns.user[row]!))
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
  const kept = await keep(Uint32Array.from(of.rows.keys()), isKept)
  const codes = kept.map((index) => of.facts.codes[index]!)
  return { columns: of.columns, rows: kept.map((index) => of.rows[index]!), facts: { ...of.facts, codes } }
}

/** Whether the reader sees a person, by their number. */
export function createSeen({ users }: Memory, { seen }: Pick<InScope, 'seen'>): (user: number) => boolean {
  if (seen === null) return () => true
  const ids = new Set(seen)
  const isSeen = Uint8Array.from(users.names, (id) => Number(ids.has(id)))
  return (user) => isSeen[user] === 1
}

async function findHolding({ size, classes, validTo, at }: Columns, asOf: number): Promise<Uint32Array> {
  const rows = new Uint32Array(size)
  const validFrom = at.valid_from
  let found = 0
  await inSlices(size, (first, end) => {
    for (let row = first; row < end; row++)
      if (validTo[row]! > asOf && validFrom[row]! <= asOf && classes[row] !== 3) rows[found++] = row
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

export type PeopleOfScope = Record<PeopleOf, ReadonlySet<string>>

/** The people whom filters ask for, each asked for once. */
export function toPeople({ people, users }: Memory, { scope, under }: Omit<InScope, 'seen'>): PeopleOfScope {
  const { team, attribute, includeLeavers } = scope
  const [left, inTeams, withAttributes] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const wanted = new Set(team.map((name) => people.teams.find(name)))
  const given = attribute.map(([name, values]) => people.valuesOf(name).map((value) => values.includes(value)))
  for (const { user, active, teams, attributes } of people.at(scope)) {
    const id = users.names[user]!
    if (!active) left.add(id)
    if (id !== '' && (active || includeLeavers) && teams.some((each) => wanted.has(each))) inTeams.add(id)
    if (id !== '' && given.every((isGiven) => isGiven[attributes])) withAttributes.add(id)
  }
  return { left, teams: inTeams, under: new Set(under), attributes: withAttributes }
}
