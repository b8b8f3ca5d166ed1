import { type Message, t } from '../../../language/translate.ts'
import type { Arrived, Health } from '../../../reporting/queries/health.ts'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { silenceWords } from '../../../reporting/words/silence-words.ts'
import { PlainTable, Section } from '../../components/section.tsx'
import { Behind } from '../../components/behind.tsx'

const dayMs = 86_400_000

/** Per minute and per hour, and how long a delivery takes. */
export function Arriving({ context: { format }, health }: { context: PageContext; health: Health }) {
  const { minutes, hours, delay, silence } = health
  const sum = (bars: readonly Arrived[]) => bars.reduce((all, { count }) => all + count, 0)
  const day = hours.slice(-24)
  const arrived = t('{deliveries} in the last hour, {day} in the last 24 hours.', {
    deliveries: counted(format, sum(minutes), 'delivery'),
    day: format.count(sum(day)),
  })
  return (
    <Section
      id="arriving"
      title={t('What is arriving?')}
      finding={`${arrived} ${silenceWords(silence, format)}`}
    >
      <div class="health-bars">
        <div>
          <h3>{t('Last hour, by minute')}</h3>
          <Columns bars={minutes} />
          <p class="quiet">
            {scaleWords(minutes, 'At most {n} a minute; the last bar is incomplete.', format.count)}
          </p>
        </div>
        <div>
          <h3>{t('Last 48 hours, by hour')}</h3>
          <Columns bars={hours} />
          <p class="quiet">
            {scaleWords(hours, 'At most {n} an hour; the last bar is incomplete.', format.count)}
          </p>
        </div>
      </div>
      <p>
        {delay === null
          ? t('No challenge event came in the last 24 hours, so there is no delay to show.')
          : t(
              'From the event to its arrival, last 24 hours: half within {half}, nine of ten within {most} (n = {n}).',
              {
                half: format.durationAfter(delay.p50_ms),
                most: format.durationAfter(delay.p90_ms),
                n: format.count(delay.count),
              },
            )}
        {delay !== null && delay.p90_ms > dayMs
          ? ` ${t('Events of days before are among them, as when history is loaded.')}`
          : ''}
      </p>
      <Behind summary={t('Numbers by hour')}>
        <PlainTable
          label={t('Deliveries by hour')}
          head={[t('Hour'), t('Deliveries')]}
          numbers={1}
          rows={hours.toReversed().map(({ at, count }) => [format.instant(at), format.count(count)])}
        />
      </Behind>
    </Section>
  )
}

/** How high a count stands, 0..1. A load of history would hide every other bar, so beside it the scale is logarithmic. */
function toScale(bars: readonly Arrived[]) {
  const counts = bars.flatMap(({ count }) => (count === 0 ? [] : [count])).sort((a, b) => a - b)
  const most = counts.at(-1) ?? 0
  const isLogarithmic = most > 100 * (counts[Math.floor(counts.length / 4)] ?? 0)
  const heightOf = (count: number) => (isLogarithmic ? Math.log1p(count) / Math.log1p(most) : count / most)
  return { most, isLogarithmic, heightOf }
}

function scaleWords(bars: readonly Arrived[], says: Message, count: (n: number) => string): string {
  const { most, isLogarithmic } = toScale(bars)
  if (most === 0) return t('Nothing.')
  const label = t(says, { n: count(most) })
  return isLogarithmic
    ? `${label} ${t('The scale is logarithmic, so that small bars are seen beside large ones.')}`
    : label
}

/** SVG, because a column needs no inline style. The sentence and the table beside it say the same. */
function Columns({ bars }: { bars: readonly Arrived[] }) {
  const { heightOf } = toScale(bars)
  const width = 100 / bars.length
  return (
    <svg
      class="health-columns"
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <line class="axis" x1="0" y1="39.5" x2="100" y2="39.5" />
      {bars.map(({ count }, at) => {
        const height = count === 0 ? 0 : Math.max(heightOf(count) * 38, 1)
        return height === 0 ? null : (
          <rect
            class={at === bars.length - 1 ? 'column running' : 'column'}
            x={round(at * width + width * 0.12)}
            y={round(39 - height)}
            width={round(width * 0.76)}
            height={round(height)}
          />
        )
      })}
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
