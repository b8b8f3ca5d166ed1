/** Time speaks: at a past moment nothing says "now" or "so far", and a future one is a projection. */
import type { Format } from '../../language/format.ts'
import { t } from '../../language/translate.ts'

export type Moment = 'past' | 'now' | 'future'

/** A moment as near to now as this is now: answers are shared for a few seconds, and links pin the moment of a page. */
const nearMs = 60_000

export function momentOf(asOf: string, format: Format): Moment {
  const ms = Date.parse(asOf) - format.now
  return Math.abs(ms) <= nearMs ? 'now' : ms < 0 ? 'past' : 'future'
}

/** Behind the name of the period in which the moment lies. */
export function unfinishedWords(asOf: string, format: Format): string {
  const moment = momentOf(asOf, format)
  if (moment === 'now') return t(', so far')
  return moment === 'past' ? t(', up to {asOf}', { asOf: format.instantDay(asOf) }) : t(', projected')
}
