/** What a forecast rests on: the waits of a scope, and those of comparable assignments in the past. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { WaitCounts } from '../forecast/forecast.ts'
import type { PastWaits } from '../forecast/hazard.ts'
import { selectRows, toScopeParams } from './sql.ts'
import type { Reader } from '../read/reader.ts'

const rowSchema = z.object({
  kind: z.enum(['completed', 'completed_unmeasured', 'failed', 'open', 'open_unmeasured']),
  days: z.coerce.number(),
  due: z.number(),
  n: z.coerce.number(),
  assignment_ids: z.array(z.string()),
})

export async function readWaits(reader: Reader, scope: Scope): Promise<WaitCounts> {
  const rows = rowSchema.array().parse(await selectRows(reader, 'waits', toScopeParams(scope)))
  const sum = (some: typeof rows) => some.reduce((total, { n }) => total + n, 0)
  const of = (...kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind))
  const byDay = (...kinds: string[]) => {
    const counts = new Map<number, number>()
    for (const { days, n } of of(...kinds)) counts.set(days, (counts.get(days) ?? 0) + n)
    return counts
  }
  return {
    assigned: sum(rows),
    completed: sum(of('completed', 'completed_unmeasured')),
    waits: { ended: byDay('completed'), censored: byDay('open', 'failed') },
    open: of('open').map(({ days, due, n, assignment_ids }) => ({
      age: days,
      left: due,
      n,
      assignmentIds: assignment_ids,
    })),
  }
}

const pastSchema = z.object({
  born: z.array(z.number()),
  ended: z.array(z.number()),
  completed: z.array(z.number()),
  due: z.array(z.number()),
})

export async function readPastWaits(reader: Reader, scope: Scope): Promise<PastWaits> {
  const [row] = await selectRows(reader, 'past-waits', toScopeParams(scope))
  return pastSchema.parse(row)
}
