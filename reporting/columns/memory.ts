/** The store as columns: all of it, or what a question needs. Every number is computed over one of these. */
import { Arrays } from './arrays.ts'
import { Columns, Ids, Keys, type Shared } from './columns.ts'
import { People } from './people.ts'

export type Memory = Shared & {
  open: Columns
  closed: Columns
  people: People
  /** Values that several questions of a page ask for; forgotten when anything is taken in. */
  readonly memo: Map<string, { value: unknown; arrays: Uint32Array<ArrayBuffer>[] }>
  readonly arrays: Arrays
}

/** How many answers of each sort stay, the last ones asked for. Changes can be as large as the columns themselves. */
const mostFound = { select: 4, changes: 1, rows: 4 }

/**
 * The answer to the same question, or a new one. Nobody changes it. `question`: all that the answer depends on; `arraysOf`: the arrays
 * that were taken for it.
 */
export async function findOnce<Found>(
  memory: Memory,
  sort: keyof typeof mostFound,
  question: object,
  find: () => Promise<Found>,
  arraysOf: (value: Found) => Uint32Array<ArrayBuffer>[] = () => [],
): Promise<Found> {
  const { memo } = memory
  const name = `${sort} ${JSON.stringify(question)}`
  const value = memo.has(name) ? (memo.get(name)!.value as Found) : await find()
  memo.delete(name)
  memo.set(name, { value, arrays: arraysOf(value) })
  const others = [...memo.keys()].filter((each) => each.startsWith(`${sort} `))
  for (const each of others.slice(0, -mostFound[sort])) forget(memory, each)
  return value
}

export function forget({ memo, arrays }: Memory, name: string): void {
  for (const array of memo.get(name)?.arrays ?? []) arrays.giveBack(array)
  memo.delete(name)
}

export type Use<Answer> = (memory: Memory) => Promise<Answer>

export function createEmpty(): Memory {
  const shared = { users: new Ids(), challenges: new Ids(), statuses: new Ids(), keys: new Keys() }
  return {
    ...shared,
    open: new Columns(shared),
    closed: new Columns(shared),
    people: new People(shared.users),
    memo: new Map(),
    arrays: new Arrays(),
  }
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
