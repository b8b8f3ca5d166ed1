/** The people of a scope by their work: those on a page, and how many there are. */
import type { LearnerCounts, LearnerFilter, LearnerRequest } from '../scope/learner-request.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import type { InScope } from './select.ts'
import { inSlices } from './slices.ts'
import { createFirst } from './sort.ts'

type Counts = { user_id: string; assigned: number; completed: number; overdue: number; awaiting: number }
type FoundLearners = { counts: Counts[]; total: number; people: LearnerCounts }

const isSo: Record<LearnerFilter, (counts: Counts) => boolean> = {
  overdue: ({ overdue }) => overdue > 0,
  awaiting: ({ awaiting }) => awaiting > 0,
  complete: ({ completed, assigned }) => completed === assigned,
  unfinished: ({ completed, assigned }) => completed < assigned,
}
const filters = Object.keys(isSo) as LearnerFilter[]

/** Most overdue first, then most that wait for a grade. `named`: only these people are on the pages. */
export async function findLearners(
  memory: Memory,
  inScope: InScope,
  { only, cursor, limit, named }: Omit<LearnerRequest, 'search'> & { named: ReadonlySet<string> | null },
): Promise<FoundLearners> {
  const { names } = memory.users
  const facts = ['completed', 'overdue', 'awaiting_grading'] as const
  const assigned = new Uint32Array(names.length)
  const [completed, overdue, awaiting] = facts.map(() => new Uint32Array(names.length)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ]
  for (const { columns, rows, facts: factsOfRows } of (await selectPart(memory, inScope)).selections) {
    const [isCompleted, isOverdue, isAwaiting] = facts.map((fact) => decide(factsOfRows, fact))
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const user = columns.user[rows[index]!]!
        const code = factsOfRows.codes[index]!
        assigned[user]!++
        completed[user]! += isCompleted!(code)
        overdue[user]! += isOverdue!(code)
        awaiting[user]! += isAwaiting!(code)
      }
    })
  }
  const people = { all: 0, overdue: 0, awaiting: 0, complete: 0, unfinished: 0 }
  const last = cursor && { ...cursor, user_id: cursor.userId }
  let total = 0
  const first = createFirst<Counts>(byOrder, limit)
  for (const [user, user_id] of names.entries()) {
    if (assigned[user] === 0 || user_id === '') continue
    const counts = {
      user_id,
      assigned: assigned[user]!,
      completed: completed[user]!,
      overdue: overdue[user]!,
      awaiting: awaiting[user]!,
    }
    people.all++
    for (const filter of filters) people[filter] += Number(isSo[filter](counts))
    if (only !== null && !isSo[only](counts)) continue
    if (named !== null && !named.has(user_id)) continue
    total++
    if (last === null || byOrder(counts, last) > 0) first.add(counts)
  }
  return { counts: first.all(), total, people }
}

type Place = Pick<Counts, 'overdue' | 'awaiting' | 'user_id'>
const byOrder = (a: Place, b: Place): number =>
  b.overdue - a.overdue || b.awaiting - a.awaiting || (a.user_id < b.user_id ? -1 : Number(a.user_id > b.user_id))
