import { t, type Message } from '../../../language/translate.ts'
import type { TrendPeriod } from '../../../schemas/metrics/answer.ts'
import { toLocalDate } from '../../../schemas/metrics/calendar.ts'
import { rowsOf } from '../../components/count.tsx'
import { endsRunning } from '../../components/figures/periods.tsx'
import { momentOf } from '../../components/stamp.tsx'
import { href, withChange } from '../../scope/page-url.ts'
import type { HomeView } from './view.ts'

/** In the order of reading: trouble first. */
const kinds = [
  ['became_overdue', 'became overdue'],
  ['completed', 'completed'],
  ['graded', 'graded'],
] as const satisfies [keyof TrendPeriod, Message][]

/** The running week of the trend; on a Monday the week before. Undefined if the trend shows other periods. */
export function weekOf({ context, data: { answer } }: HomeView): TrendPeriod | undefined {
  const { period, as_of: asOf, metrics } = answer
  const { trend, assigned } = metrics
  if (period !== 'week' || assigned.value === 0 || momentOf(asOf, context.format) === 'future')
    return undefined
  return endsRunning(trend, answer, period) ? trend.at(isMonday(answer) ? -2 : -1) : undefined
}

const isMonday = ({ as_of, time_zone, metrics }: HomeView['data']['answer']) =>
  metrics.trend.at(-1)?.period_start === toLocalDate(time_zone, Date.parse(as_of))

/** What happened since Monday, in a line; each number leads to its rows. */
export function ChangesStrip(view: HomeView) {
  const { context, rowParams, data } = view
  const week = weekOf(view)
  if (week === undefined) return null
  const start = week.period_start
  const some = kinds.filter(([kind]) => week[kind] > 0)
  const all = withChange(rowParams, { as_of: data.answer.as_of, compare: null, period: null })
  return (
    <section id="changes" class="changes-strip" aria-label={t('What changed since Monday')}>
      <p>
        {isMonday(data.answer)
          ? t('Last week')
          : t('Since Monday, {since}', { since: context.format.day(start) })}
      </p>
      <ul>
        {some.map(([kind, words]) => (
          <li>
            <a
              href={rowsOf(context, { metric: 'trend', part: `${start}.${kind}` }) ?? undefined}
              data-count={week[kind]}
            >
              <strong>{context.format.count(week[kind])}</strong> {t(words)}
            </a>
          </li>
        ))}
        {some.length === 0 ? <li>{t('nothing became overdue, and nothing was completed')}</li> : null}
        <li>
          <a href={href('/changes', all)}>{t('All changes')}</a>
        </li>
      </ul>
    </section>
  )
}
