import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { Ask, View } from '../../blocks/page.ts'

export type HomeData = Overview & {
  /** The direct reports of the manager who reads. `null`: the reader is no manager, or has chosen one. */
  team: { manager: string; metrics: Metrics } | null
  pace: { pace?: string }
}
export type HomeView = View<HomeData, Record<string, never>>

export async function readTeam(
  { routes, context }: Ask<Record<string, never>>,
  scope: Scope,
): Promise<HomeData['team']> {
  const { people } = context.visitor.audience
  const [manager, ...others] = people === 'all' ? [] : people.under
  if (manager === undefined || others.length > 0 || scope.manager.length > 0) return null
  const { metrics } = await routes.queries.metrics({ ...scope, manager: [manager], managerDepth: 1 })
  return { manager, metrics }
}
