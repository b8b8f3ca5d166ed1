/** A comparison names both of its sides. Better and worse mean something only where like stands beside like. */
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'

export type ComparisonWords = {
  /** Behind a change: "+13 since 23 Oct". */
  short: string
  sentence: string
  /** The same assignments at two moments. Else two groups: their shares can be compared, their numbers cannot. */
  isSame: boolean
}

export function comparisonWords(overview: Overview, format: Format): ComparisonWords | null {
  const { previous, answer } = overview
  if (previous === null) return null
  const [now, then] = [format.instant(answer.as_of), format.instant(previous.as_of)]
  if (previous.cohort === null)
    return {
      short: t(' since {asOf}', { asOf: format.instantDay(previous.as_of) }),
      sentence: t('Changes compare {now} with {before}: the same people and assignments, as they stood then.', {
        now,
        before: then,
      }),
      isSame: true,
    }
  const { from, to } = previous.cohort
  const group = `${format.day(from)} – ${format.day(to)}`
  return {
    short: t(' against {group}', { group }),
    sentence: t(
      'Differences compare these assignments with those assigned {from} – {to}, at the same age: as they stood on {before}. These are two groups, so counts are not called better or worse.',
      { from: format.dayYear(from), to: format.dayYear(to), before: then },
    ),
    isSame: false,
  }
}
