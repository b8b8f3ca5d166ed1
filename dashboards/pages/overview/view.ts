import { DataUnavailableError } from '../../../reporting/errors.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { ChangeCount } from '../../../reporting/metrics/changes.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { Ask, View } from '../../blocks/page.ts'
import { canOpen } from '../../components/access.tsx'
import { momentOf } from '../../components/stamp.tsx'
import { toMonday } from '../changes/moments.ts'

export type HomeData = Overview & {
  /** Since Monday. `counts` is `null` if they could not be read. `null`: not for this reader, or none yet. */
  changes: { from: number; to: number; counts: readonly ChangeCount[] | null } | null
  /** The direct reports of the manager who reads. `null`: the reader is no manager, or has chosen one. */
  team: { manager: string; metrics: Metrics } | null
  pace: { pace?: string }
}
export type HomeView = View<HomeData, Record<string, never>>

type HomeAsk = Ask<Record<string, never>>

/** The page is shown without them if they fail. */
export async function readChanges(
  { routes, context }: HomeAsk,
  scope: Scope,
  { answer: { as_of, metrics } }: Overview,
): Promise<HomeData['changes']> {
  if (!canOpen(context, '/changes') || momentOf(as_of, context.format) === 'future') return null
  if (metrics.assigned.value === 0) return null
  const from = toMonday(scope.timeZone, scope.asOf)
  const counts = await routes.queries
    .changeCounts({ ...scope, asOf: from }, scope)
    .then(({ kinds }) => kinds)
    .catch((error: unknown) => {
      if (!(error instanceof DataUnavailableError)) routes.onError(error)
      return null
    })
  return { from, to: scope.asOf, counts }
}

export async function readTeam({ routes, context }: HomeAsk, scope: Scope): Promise<HomeData['team']> {
  const { people } = context.visitor.audience
  const [manager, ...others] = people === 'all' ? [] : people.under
  if (manager === undefined || others.length > 0 || scope.manager.length > 0) return null
  const { metrics } = await routes.queries.metrics({ ...scope, manager: [manager], managerDepth: 1 })
  return { manager, metrics }
}
