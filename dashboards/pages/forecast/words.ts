import type { ForecastView } from '../../../reporting/queries/read-forecast.ts'
import { fewestMoments } from '../../../reporting/forecast/calibrate.ts'
import type { Format } from '../../../language/format.ts'
import { t } from '../../../language/translate.ts'

const reasons = {
  nothing_assigned: 'Nothing is assigned in this scope: there is nothing to forecast.',
  too_few_completed: 'Fewer than 30 comparable assignments were completed: too few for a forecast.',
  beyond_curve: 'Most open assignments are older than any that was completed: nothing can be said of them.',
} as const

/** A projection says that it is one, from when, and how sure it is. */
export function forecastFinding({ forecast, by, target, assigned, completed }: ForecastView, format: Format): string {
  if (forecast.kind === 'too_little_data') return t(reasons[forecast.reason])
  const { value, low, high } = forecast.expected
  const now = t('{completed} of {assigned} are completed', {
    completed: format.count(completed),
    assigned: format.count(assigned),
  })
  const projected = { by: format.dayYear(by), value: format.percent(value) }
  const then =
    low === null || high === null
      ? t('projected to {by}: {value}, not yet with an interval: fewer than {fewest} past moments can be compared', {
          ...projected,
          fewest: format.count(fewestMoments),
        })
      : t('projected to {by}: {value}, most likely between {low} and {high}', {
          ...projected,
          low: format.percent(low),
          high: format.percent(high),
        })
  return [`${now}; ${then}.`, heldWords(forecast.calibration, format), neededWords(forecast.needed, target, format)]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function heldWords(past: { moments: number; held: number } | null, format: Format): string {
  if (past === null) return ''
  const { moments, held: n } = past
  return t('An interval like this would have held at {n} of {moments} past moments.', {
    n: format.count(n),
    moments: format.count(moments),
  })
}

/** "34 more for the target of 90 %." */
function neededWords(needed: number | null, target: number | null, format: Format): string {
  if (needed === null || target === null) return ''
  if (needed === 0) return t('The target of {target} is reached.', { target: format.percent(target) })
  return t('{n, plural, one {# more is} other {# more are}} needed for the target of {target}.', {
    n: needed,
    target: format.percent(target),
  })
}
