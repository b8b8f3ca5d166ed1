/** The strip on every page: what a reader must know before believing a number. */
import type { Standing } from '../../reporting/queries/standing.ts'
import { counted, type Format } from './format.ts'
import { toMoment } from './silence-words.ts'

/** The consumer says every 5 s how far it is. Much older, and it does not say anything. */
const silentAfterMs = 60_000

/** `null`: nothing to say. */
export function standingWords(standing: Standing, format: Format): string | null {
  const { complete_through: through, waiting, in_spools, stalled_since, reason, has_begun } = standing
  const said = standing.waiting_reported_at
  const isOld = said !== null && format.now - Date.parse(said) >= silentAfterMs
  if (!has_begun && stalled_since === null) return null
  const behindMs = through === null ? Number.POSITIVE_INFINITY : format.now - Date.parse(through)
  if (stalled_since === null && in_spools === 0 && behindMs < silentAfterMs) return null
  const upTo =
    through === null
      ? 'Numbers are not known to be complete'
      : `Numbers are complete up to ${toMoment(through, format)}`
  const wait =
    waiting === 0
      ? '; later deliveries are kept and not counted yet.'
      : isOld
        ? `; at ${toMoment(said, format)}, ${counted(format, waiting, 'delivery waited', 'deliveries waited')}, and nothing was heard since.`
        : `; since then ${counted(format, waiting, 'delivery waits', 'deliveries wait')}.`
  return `${upTo}${wait} ${toldWords(stalled_since, reason)}`.trim()
}

function toldWords(stalledSince: string | null, reason: string | null): string {
  if (stalledSince === null) return ''
  return reason === null ? 'The owner has been told.' : 'The owner has been told why.'
}
