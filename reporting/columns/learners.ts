/** The people of a scope, and how much work each has. */
import type { LearnerCounts } from '../scope/learner-request.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import type { InScope } from './select.ts'
import { inSlices } from './slices.ts'

export async function countByPerson(memory: Memory, inScope: InScope): Promise<LearnerCounts[]> {
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
  return names.flatMap((user_id, user) =>
    assigned[user] === 0 || user_id === ''
      ? []
      : {
          user_id,
          assigned: assigned[user]!,
          completed: completed[user]!,
          overdue: overdue[user]!,
          awaiting_grading: awaiting[user]!,
        },
  )
}
