/** The periods of charts: their names, and the links that choose them. */
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { periods, type Period } from '../../../schemas/metrics/answer.ts'
import { toLocalDate, toPeriodStart } from '../../../schemas/metrics/calendar.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { allFilters, samePageHref } from '../../scope/follow.ts'
import { withChange } from '../../scope/page-url.ts'
import { Segments } from '../page-links.tsx'

const periodNames: Record<Period, Message> = { day: 'Day', week: 'Week', month: 'Month' }

type PeriodSwitchProps = { context: PageContext; period: Period; to?: string }

/** The periods of the trend, as links: the URL is the state. */
export function PeriodSwitch({ context, period, to = 'trend' }: PeriodSwitchProps) {
  return (
    <Segments
      label={t('Period')}
      links={periods.map((each) => ({
        name: t(periodNames[each]),
        href: `${samePageHref(context, withChange(allFilters(context), { period: each === 'week' ? null : each }))}#${to}`,
        isShown: each === period,
      }))}
      keepsPlace
    />
  )
}

/** Whether the last of these periods is the one in which the moment lies. */
export function endsRunning(
  periodsShown: readonly { period_start: string }[],
  { as_of, time_zone }: Pick<Overview['answer'], 'as_of' | 'time_zone'>,
  period: Period,
): boolean {
  const today = toLocalDate(time_zone, Date.parse(as_of))
  return periodsShown.at(-1)?.period_start === toPeriodStart(period, today)
}

export function periodName(start: string, period: Period, { format }: PageContext, long = false): string {
  if (period === 'month') return format.month(start)
  return long && period === 'week' ? t('Week of {start}', { start: format.day(start) }) : format.day(start)
}
