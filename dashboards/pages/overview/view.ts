import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { View } from '../../blocks/page.ts'

export type HomeData = Overview & {
  /** The direct reports of the manager who reads. `null`: the reader is no manager, or has chosen one. */
  team: { manager: string; metrics: Metrics } | null
  pace: { pace?: string }
}
export type HomeView = View<HomeData, Record<string, never>>
