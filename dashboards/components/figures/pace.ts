/** "At the pace of the last four weeks: 82% by 1 July." As METRICS.md defines it under "Pace". */
import { t } from '../../../language/translate.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { addDays, shiftPeriod, toLocalDate, toPeriodStart } from '../../../schemas/metrics/calendar.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { PageContext } from '../../page-context.ts'
import { targetOf } from './comparisons.ts'

const paceDays = 28
const dayMs = 86_400_000

/** Empty at any other moment than now, without a target, and if the filters or the progress leave nothing to complete. */
export async function readPace(
  { queries }: Pick<RouteContext, 'queries'>,
  scope: Scope,
  context: PageContext,
  { completion_rate: { numerator: completed, denominator: assigned } }: Pick<Metrics, 'completion_rate'>,
): Promise<{ pace?: string }> {
  const isOfNow = scope.asOf === scope.now
  if (!isOfNow || targetOf(context, 'completion_rate') === null || completed === assigned) return {}
  const today = toLocalDate(scope.timeZone, scope.asOf)
  const window = { completedFrom: addDays(today, -paceDays), completedTo: addDays(today, -1) }
  const { completion_rate: recent } = await queries.counts({ ...scope, ...window })
  const by = toPaceDate(today)
  const days = (Date.parse(by) - Date.parse(today)) / dayMs
  const share = Math.min(1, (completed + (recent.numerator * days) / paceDays) / assigned)
  const { format } = context
  const isThisYear = by.slice(0, 4) === today.slice(0, 4)
  const words = { share: format.percent(share), date: isThisYear ? format.day(by) : format.dayYear(by) }
  return { pace: t('At the pace of the last four weeks: {share} by {date}.', words) }
}

/** The first day of a month that is at least as far ahead as the pace looks back. */
function toPaceDate(today: string): string {
  return shiftPeriod('month', toPeriodStart('month', addDays(today, paceDays - 1)), 1)
}
