/** Overdue work person by person, and due work by the days to come. */
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { agingFacts, both, holds } from '../../schemas/metrics/facts.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import { daysOf } from './day-column.ts'
import { decide, onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import { forEachRow, type InScope } from './select.ts'

/** What fell due on a day: handed in, failed without that, or open. */
const outcomes = ['handed_in', 'failed', 'open'] as const

/** `days`: days since 1970, whose due work is counted. `open`: what could be overdue. */
export async function countOverdue(memory: Memory, inScope: InScope, days: readonly number[]) {
  const { dueZone, asOf } = inScope.scope
  const today = daysIn(dueZone).of(asOf)
  /** By user. */
  const late: { user_id: string; overdue: number; most_days: number; buckets: number[] }[] = []
  const due = new Map(days.map((day) => [day, { handed_in: 0, failed: 0, open: 0 }]))
  let open = 0
  await forEachRow((await selectPart(memory, inScope)).selections, async ({ columns, facts }) => {
    /** From 1 on; 0: it is not overdue. */
    const bucketOf = onceACode(
      facts,
      (bits) => 1 + agingBuckets.findIndex((each) => holds(agingFacts[each], bits)),
    )
    const outcomeOf = onceACode(facts, (bits) => (holds('submitted', bits) ? 0 : holds('open', bits) ? 2 : 1))
    const isOpen = decide(facts, both('open', 'due_known'))
    const isDue = decide(facts, 'due_known')
    const dueDays = await daysOf(columns, 'due_date', dueZone)
    return (row, code) => {
      const day = dueDays[row]!
      open += isOpen(code)
      const ofDay = due.get(day)
      if (ofDay !== undefined && isDue(code) === 1) ofDay[outcomes[outcomeOf(code)]!]++
      const bucket = bucketOf(code)
      if (bucket === 0) return
      const person = (late[columns.values.user_id[row]!] ??= {
        user_id: columns.nameOf('user_id', row),
        overdue: 0,
        most_days: 0,
        buckets: agingBuckets.map(() => 0),
      })
      person.overdue++
      person.buckets[bucket - 1]!++
      person.most_days = Math.max(person.most_days, today - day)
    }
  })
  return { open, due: [...due.values()], people: late.filter(Boolean) }
}
