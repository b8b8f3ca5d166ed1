import { addDays, toLocalDate } from '../../schemas/metrics/calendar.ts'
import { Icon } from './icon.tsx'
import type { PageContext } from '../page-context.ts'
import { withChange } from '../scope/page-url.ts'
import { allFilters, samePageHref } from '../scope/follow.ts'
import { t } from '../../language/translate.ts'

/** A week back and forth in time: the whole page as of then. */
export function WeekSteps({
  context,
  asOf,
  timeZone,
}: {
  context: PageContext
  asOf: string
  timeZone: string
}) {
  const { format } = context
  const today = toLocalDate(timeZone, format.now)
  const day = toLocalDate(timeZone, Date.parse(asOf))
  const weekAfter = addDays(day, 7)
  const to = (target: string) =>
    samePageHref(context, withChange(allFilters(context), { as_of: target === today ? null : target }))
  return (
    <nav class="steps" aria-label={t('Moment in time')}>
      <a href={to(addDays(day, -7))} data-key="[" class="pill">
        <Icon name="back" />
        {t('View as of a week before')}
      </a>
      {day >= today ? null : (
        <a href={to(weekAfter < today ? weekAfter : today)} data-key="]" class="pill">
          {t('View as of a week after')}
          <Icon name="forward" />
        </a>
      )}
      {day === today ? null : (
        <a href={to(today)} class="pill">
          {t('Now')}
        </a>
      )}
    </nav>
  )
}
