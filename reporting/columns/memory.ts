/** The store as columns: all of it, or what a question needs. Every number is computed over one of these. */
import { Columns, createIds, keepLast, type AllIds } from './columns.ts'
import { People } from './people.ts'

export type Memory = {
  ids: AllIds
  open: Columns
  closed: Columns
  people: People
  /** Values that several questions of a page ask for; forgotten when anything is taken in. */
  readonly memo: Map<string, unknown>
}

/** How many answers of each sort stay, the last ones asked for. Changes can be as large as the columns themselves. */
const mostFound = { select: 4, changes: 1 }

/** The answer to the same question, or a new one. Nobody changes it. `question`: all that the answer depends on. */
export async function findOnce<Found>(
  { memo }: Memory,
  sort: keyof typeof mostFound,
  question: object,
  find: () => Promise<Found>,
): Promise<Found> {
  const name = `${sort} ${JSON.stringify(question)}`
  const value = memo.has(name) ? (memo.get(name) as Found) : await find()
  keepLast(memo, name, value, mostFound[sort])
  return value
}

export type Use<Answer> = (memory: Memory) => Promise<Answer>

/** `people`: defaults to nobody. */
export function createEmpty(people = new People()): Memory {
  const ids = createIds(people.users)
  return { ids, open: new Columns(ids), closed: new Columns(ids), people, memo: new Map() }
}

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Answers and changes go one at a time. */
export function createTurns(): Turns {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = turn.then(work)
    // Not the result: that may be the store that was held.
    turn = mine.then(
      () => undefined,
      () => undefined,
    )
    return mine
  }
}
