/** Overdue work person by person, and due work by the days to come. */
import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { agingFacts, both, holds } from '../../schemas/metrics/facts.ts'
import { stateBits } from '../../schemas/metrics/state-bits.ts'
import { daysIn } from '../expressions/zone.ts'
import { daysOf } from './day-column.ts'
import { decide, onceACode } from './kinds.ts'
import type { Memory } from './memory.ts'
import { selectPart } from './parts.ts'
import type { InScope } from './select.ts'
import { inSlices } from './slices.ts'

export type LateCount = {
  kind: 'person' | 'open' | 'handed_in' | 'still_open' | 'failed'
  id: string
  /** Days since 1970. */
  day: number
  n: number
  most_days: number
  buckets: number[]
}

export async function countOverdue(
  memory: Memory,
  inScope: InScope,
  [firstDay, lastDay]: readonly [number, number],
): Promise<LateCount[]> {
  const { dueZone, asOf } = inScope.scope
  const today = daysIn(dueZone).of(asOf)
  const { names } = memory.users
  const width = agingBuckets.length
  const [buckets, mostDays] = [new Uint32Array(names.length * width), new Int32Array(names.length)]
  const late = new Set<number>()
  const kinds = ['handed_in', 'still_open', 'failed'] as const
  const byDay = kinds.map(() => new Uint32Array(lastDay - firstDay + 1))
  let open = 0
  for (const { columns, rows, facts } of (await selectPart(memory, inScope)).selections) {
    /** From 1 on; 0: it is not overdue. */
    const bucketOf = onceACode(
      facts,
      (bits) => 1 + agingBuckets.findIndex((each) => holds(agingFacts[each], bits)),
    )
    const kindOf = onceACode(facts, (bits) => (holds('submitted', bits) ? 0 : holds('open', bits) ? 1 : 2))
    const isOpen = decide(facts, both('open', 'due_known'))
    const isDue = decide(facts, 'due_known')
    const days = await daysOf(columns, 'due_date', dueZone)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        const code = facts.codes[index]!
        const day = days[row]!
        open += isOpen(code)
        if (day >= firstDay && day <= lastDay && isDue(code) === 1) byDay[kindOf(code)]![day - firstDay]!++
        const bucket = bucketOf(code)
        if (bucket === 0) continue
        const user = columns.user[row]!
        late.add(user)
        buckets[user * width + bucket - 1]!++
        mostDays[user] = Math.max(mostDays[user]!, today - day)
      }
    })
  }
  const count = (kind: LateCount['kind'], n: number, more: Partial<LateCount> = {}): LateCount[] =>
    n === 0 ? [] : [{ kind, id: '', day: 0, n, most_days: 0, buckets: [], ...more }]
  return [
    ...count('open', open),
    ...kinds.flatMap((kind, at) =>
      [...byDay[at]!].flatMap((n, day) => count(kind, n, { day: firstDay + day })),
    ),
    ...Array.from(late, (user): LateCount => {
      const counts = Array.from(buckets.subarray(user * width, (user + 1) * width))
      const n = counts.reduce((sum, each) => sum + each, 0)
      return { kind: 'person', id: names[user]!, day: 0, n, most_days: mostDays[user]!, buckets: counts }
    }),
  ]
}

/** Days as since 1970. */
type FoundLate = {
  assignment_id: string
  user_id: string
  challenge_id: string
  due_day: number
  days_overdue: number
  is_viewed: boolean
}

export async function findOverdue(memory: Memory, inScope: InScope): Promise<FoundLate[]> {
  const { dueZone, asOf } = inScope.scope
  const today = daysIn(dueZone).of(asOf)
  const lateRows: FoundLate[] = []
  for (const { columns, rows, facts } of (await selectPart(memory, inScope)).selections) {
    const isOverdue = decide(facts, 'overdue')
    const days = await daysOf(columns, 'due_date', dueZone)
    await inSlices(rows.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const row = rows[index]!
        if (isOverdue(facts.codes[index]!) === 0) continue
        lateRows.push({
          ...columns.idsOf(row),
          due_day: days[row]!,
          days_overdue: today - days[row]!,
          is_viewed: ((columns.state[row]! >>> stateBits.viewed) & 1) === 1,
        })
      }
    })
  }
  return lateRows
}
