/** How much changed in a scope between two moments: by kind and cause, by team and challenge. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { changeCauses, changeKinds, toBetweenParams, type ChangeCause, type ChangeKind } from './changes.ts'
import { selectRows } from './sql.ts'

/** `by_team`: someone in two teams counts in both, nobody's team is the empty id. Most first. */
export type ChangeCount = {
  kind: ChangeKind
  n: number
  causes: Record<ChangeCause, number>
  by_team: { id: string; n: number }[]
  by_challenge: { id: string; n: number }[]
}

/** `total`: assignments that changed; one that changed in several ways is in the counts of each. Kinds with any. */
export type ChangeCounts = { total: number; kinds: ChangeCount[] }

const countSchema = z.object({
  kind: z.number(),
  dimension: z.enum(['all', 'cause', 'challenge', 'team']),
  ids: z.array(z.string()),
  causes: z.number(),
  n: z.coerce.number(),
})
type Counted = z.infer<typeof countSchema>

export async function readChangeCounts(client: ClickHouseClient, before: Scope, scope: Scope): Promise<ChangeCounts> {
  const rows = countSchema.array().parse(await selectRows(client, 'change-counts', toBetweenParams(before, scope)))
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  const countOf = (own: readonly Counted[]) => own.find(({ dimension }) => dimension === 'all')?.n ?? 0
  return {
    total: countOf(byKind.get(changeKinds.length) ?? []),
    kinds: changeKinds.flatMap((kind, bit) => {
      const own = byKind.get(bit)
      return own === undefined ? [] : [{ kind, n: countOf(own), ...toDimensions(own) }]
    }),
  }
}

function toDimensions(own: readonly Counted[]): Pick<ChangeCount, 'causes' | 'by_team' | 'by_challenge'> {
  const of = (wanted: Counted['dimension']) => own.filter(({ dimension }) => dimension === wanted)
  const sum = (rows: readonly Counted[]) => rows.reduce((total, { n }) => total + n, 0)
  const toGroups = (entries: readonly (readonly [string, Counted])[]) =>
    [...Map.groupBy(entries, ([id]) => id)]
      .map(([id, each]) => ({ id, n: sum(each.map(([, row]) => row)) }))
      .sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1))
  const byCause = changeCauses.map((cause, bit) => [cause, sum(of('cause').filter((row) => (row.causes >> bit) & 1))])
  return {
    causes: Object.fromEntries(byCause) as ChangeCount['causes'],
    by_team: toGroups(
      of('team').flatMap((row) => (row.ids.length === 0 ? [''] : row.ids).map((id) => [id, row] as const)),
    ),
    by_challenge: toGroups(of('challenge').map((row) => [row.ids[0] ?? '', row] as const)),
  }
}
