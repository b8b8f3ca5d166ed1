/**
 * How far the numbers can be trusted. "Quiet" (nothing was sent, everything sent is counted) differs from "behind" (an
 * acknowledged delivery is not counted yet): only the second is a fault and turns red.
 */
import type { Freshness } from '../../reporting/metrics/overview.ts'
import type { DashboardSettings } from '../settings.ts'
import type { Format } from './format.ts'

export type FreshnessState = { level: 'empty' | 'fresh' | 'quiet' | 'amber' | 'red'; words: string }

export function freshnessState(freshness: Freshness, settings: DashboardSettings, format: Format): FreshnessState {
  const { last_event_at: last, complete_through: through } = freshness
  if (last === null) return { level: 'empty', words: 'no event yet' }
  const { amberAfterMs, redAfterMs } = settings.freshness
  const behindMs = through === null ? Number.POSITIVE_INFINITY : format.now - Date.parse(through)
  const seen = `last event ${format.ago(last)}`
  if (behindMs > amberAfterMs) {
    const words =
      through === null
        ? `${seen}; not everything received is counted`
        : `behind: complete through ${format.instant(through)}`
    return { level: behindMs > redAfterMs ? 'red' : 'amber', words }
  }
  if (format.now - Date.parse(last) > amberAfterMs)
    return { level: 'quiet', words: `quiet, ${seen}; everything received is counted` }
  return { level: 'fresh', words: seen }
}
