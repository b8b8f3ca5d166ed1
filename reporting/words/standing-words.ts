/** The strip on every page: the facts that a reader must know before believing a number. */
import type { Standing } from '../statements/standing.ts'
import { t } from '../../language/translate.ts'
import type { Format } from '../../language/format.ts'
import { toMoment } from './silence-words.ts'

/** The consumer says every 5 s how far it is. Much older, and it does not say anything. */
const silentAfterMs = 60_000

/** `null`: nothing to say. */
export function standingWords(standing: Standing, format: Format): string | null {
  const { complete_through: through, waiting, in_spools, stalled_since, reason, has_begun } = standing
  const reportedAt = standing.waiting_reported_at
  const isOld = reportedAt !== null && format.now - Date.parse(reportedAt) >= silentAfterMs
  if (!has_begun && stalled_since === null) return null
  const behindMs = through === null ? Number.POSITIVE_INFINITY : format.now - Date.parse(through)
  if (stalled_since === null && in_spools === 0 && behindMs < silentAfterMs) return null
  const upTo =
    through === null
      ? t('Numbers are not known to be complete')
      : t('Numbers are complete up to {moment}', { moment: toMoment(through, format) })
  const wait =
    waiting === 0
      ? t('; later webhooks are kept and not counted yet.')
      : isOld
        ? t(
            '; at {moment}, {n, plural, one {# webhook was} other {# webhooks were}} waiting, with no news since.',
            { moment: toMoment(reportedAt, format), n: waiting },
          )
        : t('; {n, plural, one {# webhook is} other {# webhooks are}} waiting since then.', { n: waiting })
  return `${upTo}${wait} ${toldWords(stalled_since, reason)}`.trim()
}

function toldWords(stalledSince: string | null, reason: string | null): string {
  if (stalledSince === null) return ''
  return reason === null ? t('The owner has been told.') : t('The owner has been told why.')
}
