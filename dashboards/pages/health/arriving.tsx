import { t } from '../../../language/translate.ts'
import { counted } from '../../../language/format.ts'
import type { Arrived, Health } from '../../../reporting/queries/health.ts'
import { Behind } from '../../components/behind.tsx'
import { column, type Table, TableView } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { moment } from './tables.tsx'

const dayMs = 86_400_000

const hourTable: Table<Arrived> = {
  label: 'Webhooks by hour',
  columns: [
    moment('hour', 'Hour', ({ at }) => at),
    column('count', 'webhooks', 'Webhooks', ({ count }) => count),
  ],
}

/** Per minute and per hour, and how long a webhook takes. */
export function Arriving({ context, health }: { context: PageContext; health: Health }) {
  const { format } = context
  const { minutes, hours, delay } = health
  const sum = (bars: readonly Arrived[]) => bars.reduce((all, { count }) => all + count, 0)
  return (
    <>
      <p>
        {t('{webhooks} in the last hour, {day} in the last 24 hours.', {
          webhooks: counted(format, sum(minutes), 'webhook'),
          day: format.count(sum(hours.slice(-24))),
        })}
      </p>
      <div class="health-bars">
        <Columns title={t('Last hour, by minute')} bars={minutes}>
          {(n) => t('Peak: {n} per minute. The last bar is still filling.', { n: format.count(n) })}
        </Columns>
        <Columns title={t('Last 48 hours, by hour')} bars={hours}>
          {(n) => t('Peak: {n} per hour. The last bar is still filling.', { n: format.count(n) })}
        </Columns>
      </div>
      <p>
        {delay === null
          ? t('No challenge event in the last 24 hours, so no delay.')
          : t('Delay in the last 24 hours: median {half}, 90% under {most} ({webhooks}).', {
              half: format.duration(delay.p50_ms),
              most: format.durationAfter(delay.p90_ms),
              webhooks: counted(format, delay.count, 'webhook'),
            })}
        {delay !== null && delay.p90_ms > dayMs ? ` ${t('This includes events from earlier days.')}` : ''}
      </p>
      <Behind summary={t('Numbers by hour')}>
        <TableView context={context} table={hourTable} rows={hours.toReversed()} />
      </Behind>
    </>
  )
}

type ColumnsProps = { title: string; bars: readonly Arrived[]; children: (peak: number) => string }

/**
 * SVG, because a column needs no inline style. The sentence and the table below say the same. A load of history would hide every other
 * bar, so beside one the scale is logarithmic.
 */
function Columns({ title, bars, children: toPeak }: ColumnsProps) {
  const counts = bars.flatMap(({ count }) => (count === 0 ? [] : [count])).sort((a, b) => a - b)
  const most = counts.at(-1) ?? 0
  const isLogarithmic = most > 100 * (counts[Math.floor(counts.length / 4)] ?? 0)
  const heightOf = (n: number) =>
    Math.max((isLogarithmic ? Math.log1p(n) / Math.log1p(most) : n / most) * 38, 1)
  const width = 100 / bars.length
  const round = (value: number) => Math.round(value * 100) / 100
  return (
    <div>
      <h3>{title}</h3>
      <svg
        class="health-columns"
        viewBox="0 0 100 40"
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <line class="axis" x1="0" y1="39.5" x2="100" y2="39.5" />
        {bars.map(({ count }, at) =>
          count === 0 ? null : (
            <rect
              class={at === bars.length - 1 ? 'column running' : 'column'}
              x={round(at * width + width * 0.12)}
              y={round(39 - heightOf(count))}
              width={round(width * 0.76)}
              height={round(heightOf(count))}
            />
          ),
        )}
      </svg>
      <p class="quiet">
        {most === 0 ? t('Nothing.') : toPeak(most)} {isLogarithmic ? t('Logarithmic scale.') : ''}
      </p>
    </div>
  )
}
