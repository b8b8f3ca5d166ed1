/** The people of a scope, and how much work each has. */
import type { LearnerCounts } from '../scope/learner-request.ts'
import { decide } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import { forEachRow, type InScope } from './select.ts'

export async function countByPerson(memory: Memory, inScope: InScope): Promise<LearnerCounts[]> {
  const { names } = memory.ids.user_id
  const people: LearnerCounts[] = []
  const nothing = { assigned: 0, completed: 0, overdue: 0, awaiting_grading: 0 }
  await forEachRow((await selectPart(memory, inScope)).selections, ({ columns: { values }, facts }) => {
    const isCompleted = decide(facts, 'completed')
    const isOverdue = decide(facts, 'overdue')
    const isAwaiting = decide(facts, 'awaiting_grading')
    return (row, code) => {
      const user = values.user_id[row]!
      const counts = (people[user] ??= { user_id: names[user]!, ...nothing })
      counts.assigned++
      counts.completed += isCompleted(code)
      counts.overdue += isOverdue(code)
      counts.awaiting_grading += isAwaiting(code)
    }
  })
  return people.filter(({ user_id }) => user_id !== '')
}
