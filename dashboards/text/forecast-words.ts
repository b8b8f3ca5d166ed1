import type { ForecastView } from '../../reporting/forecast/read-forecast.ts'
import { counted, type Format } from './format.ts'

const reasons = {
  nothing_assigned: 'Nothing is assigned in this scope: there is nothing to forecast.',
  too_few_completed: 'Fewer than 30 comparable assignments were completed: too few for a forecast.',
  beyond_curve: 'Most open assignments are older than any that was completed: nothing can be said of them.',
} as const

/** A projection says that it is one, from when, and how sure it is. */
export function forecastFinding({ forecast, by, target, assigned, completed }: ForecastView, format: Format): string {
  if (forecast.kind === 'too_little_data') return reasons[forecast.reason]
  const { value, low, high } = forecast.expected
  const now = `${format.count(completed)} of ${format.count(assigned)} are completed`
  const then = `projected to ${format.dayYear(by)}: ${format.percent(value)}, most likely between ${format.percent(low)} and ${format.percent(high)}`
  return `${now}; ${then}. ${neededWords(forecast.needed, target, format)}`
}

/** "34 more for the target of 90 %." */
function neededWords(needed: number, target: number, format: Format): string {
  if (needed === 0) return `The target of ${format.percent(target)} is reached.`
  return `${counted(format, needed, 'more is', 'more are')} needed for the target of ${format.percent(target)}.`
}
