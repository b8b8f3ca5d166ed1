/**
 * How far the numbers can be trusted. "Quiet" (nothing was sent, everything sent is counted) differs from "behind" (an
 * acknowledged delivery is not counted yet): only the second is a fault and turns red.
 */
import type { Freshness } from '../../reporting/metrics/overview.ts'
import type { DashboardSettings } from '../settings.ts'
import type { Format } from '../../language/format.ts'
import type { Silence } from '../../schemas/silence.ts'
import { silenceWords } from '../../reporting/words/silence-words.ts'
import { t } from '../../language/translate.ts'

export type FreshnessState = { level: 'none' | 'fresh' | 'quiet' | 'amber' | 'red'; words: string }

/** `silence`: what usually comes at this time; `null`: not known here. */
export function freshnessState(
  freshness: Freshness,
  settings: DashboardSettings,
  format: Format,
  silence: Silence | null = null,
): FreshnessState {
  const { last_event_at: last, complete_through: through } = freshness
  if (last === null) return { level: 'none', words: t('no event yet') }
  const { amberAfterMs, redAfterMs } = settings.freshness
  const behindMs = through === null ? Number.POSITIVE_INFINITY : format.now - Date.parse(through)
  const age = t('last event {ago}', { ago: format.ago(last) })
  if (behindMs > amberAfterMs) {
    const words =
      through === null
        ? t('{seen}; not everything received is counted', { seen: age })
        : t('behind: complete through {moment}', { moment: format.instant(through) })
    return { level: behindMs > redAfterMs ? 'red' : 'amber', words }
  }
  if (silence?.kind === 'broken') return { level: 'red', words: lowerFirst(silenceWords(silence, format)) }
  if (silence?.kind === 'quiet' && format.now - Date.parse(last) > amberAfterMs) {
    return {
      level: 'quiet',
      words: t('quiet, as usual at this time: {seen}; everything received is counted', { seen: age }),
    }
  }
  if (format.now - Date.parse(last) > amberAfterMs)
    return { level: 'quiet', words: t('quiet, {seen}; everything received is counted', { seen: age }) }
  return { level: 'fresh', words: age }
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '')
}
