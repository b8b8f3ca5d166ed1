/** The number of assignments with other facts under another due zone or due end. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { effectiveStatuses, type EffectiveStatus } from '../../schemas/metrics/answer.ts'
import { toFactCount, type Has } from '../../schemas/metrics/fact-bits.ts'
import { scopeFacts, type Scope, type ScopeFact } from '../../schemas/metrics/scope.ts'
import { selectRows, toScopeParams } from './sql.ts'

const pairSchema = z.object({
  facts_before: z.string(),
  facts_after: z.string(),
  n: z.string().transform(Number),
  assignment_ids: z.array(z.string()),
})

const sampleSize = 20

export type Transition = { from: EffectiveStatus; to: EffectiveStatus; n: number; assignment_ids: string[] }
export type FactShift = { fact: ScopeFact; gained: number; lost: number }
export type Preview = { changed: number; transitions: Transition[]; facts: FactShift[] }

/** `scope` uses the settings; the other zone and end are the trial. */
export async function readPreview(
  client: ClickHouseClient,
  scope: Scope,
  other: Pick<Scope, 'dueZone' | 'dueEnd'>,
): Promise<Preview> {
  const found = await selectRows(client, 'preview', {
    ...toScopeParams(scope),
    other_due_zone: other.dueZone,
    other_due_end: other.dueEnd,
  })
  const pairs = pairSchema
    .array()
    .parse(found)
    .map((pair) => ({
      ...pair,
      before: toFactCount(pair.facts_before, pair.n).has,
      after: toFactCount(pair.facts_after, pair.n).has,
    }))
  const transitions = effectiveStatuses.flatMap((from) =>
    effectiveStatuses.flatMap((to) => {
      const own = pairs.filter(({ before, after }) => before(from) && after(to))
      if (from === to || own.length === 0) return []
      const ids = own.flatMap(({ assignment_ids }) => assignment_ids).sort()
      return { from, to, n: sum(own), assignment_ids: ids.slice(0, sampleSize) }
    }),
  )
  const facts = scopeFacts.map((fact) => ({
    fact,
    gained: sum(pairs.filter(({ before, after }) => !before(fact) && after(fact))),
    lost: sum(pairs.filter(({ before, after }) => before(fact) && !after(fact))),
  }))
  const differs = ({ before, after }: { before: Has; after: Has }) =>
    [...scopeFacts, ...effectiveStatuses].some((fact) => before(fact) !== after(fact))
  return { changed: sum(pairs.filter(differs)), transitions, facts }
}

function sum(pairs: readonly { n: number }[]): number {
  return pairs.reduce((total, { n }) => total + n, 0)
}
