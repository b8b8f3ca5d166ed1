import type { Child } from 'hono/jsx'
import { Behind } from '../behind.tsx'
import { Icon } from '../icon.tsx'
import { t } from '../../../language/translate.ts'
import { seriesColour } from '../../charts/chart.ts'

export type Change = {
  text: string
  direction: 'up' | 'down' | 'same'
  /** `null`: nobody can say, or it is the same. */
  good: boolean | null
}

const arrows = { up: '▲', down: '▼', same: '●' } as const

/** An arrow, the change in words, and for screen readers whether it is for the better. */
export function ChangeMark({ change: { text, direction, good } }: { change: Change }) {
  return (
    <p class={`change ${good === null ? '' : good ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{arrows[direction]}</span> {text}
      {good === null ? null : <span class="visually-hidden">, {good ? t('better') : t('worse')}</span>}
    </p>
  )
}

type HeadlineProps = {
  id: string
  name: string
  /** `null` is "no data", which is not zero. */
  value: string | null
  /** The base of the value: numerator and denominator, or its parts. */
  of: Child
  change?: Change | null
  /** The target of the company. Left out: nothing. */
  target?: string | null
  /** Where the value arrives at its present pace. Undefined: nothing to say. */
  pace?: string | undefined
  /** Exclusions and other notes. */
  notes: Child[]
  /** The meaning of the number. */
  definitions: Child
  spark?: SparklineProps & { caption: string }
  /** A second fact where a line would say nothing; `null` leaves no place for one. */
  aside?: Child | null
  /** Link to the rows behind the number. */
  rows: { href: string; name: Child; count: number } | null
}

export function Headline(props: HeadlineProps) {
  const { id, name, value, of, change, target, pace, notes, definitions, spark, aside, rows } = props
  return (
    <section class="headline" aria-labelledby={`headline-${id}`}>
      <h2 id={`headline-${id}`}>{name}</h2>
      <p class={`headline-value ${value === null ? 'no-data' : ''}`}>
        {value === null || rows === null ? (
          (value ?? t('No data'))
        ) : (
          <a href={rows.href} data-count={rows.count}>
            {value}
          </a>
        )}
      </p>
      <p class="headline-of">{of}</p>
      {change ? <ChangeMark change={change} /> : null}
      {target ? <p class="change">{target}</p> : null}
      {pace === undefined ? null : <p class="change">{pace}</p>}
      {spark !== undefined && spark.values.filter((value) => value !== null).length < 2 ? (
        <p class="spark headline-aside">{t('Too few per week for a trend line.')}</p>
      ) : spark ? (
        <div class="spark">
          <Sparkline {...spark} />
          <span class="spark-caption">{spark.caption}</span>
        </div>
      ) : aside === null ? null : (
        <p class="spark headline-aside">{aside ?? ''}</p>
      )}
      <div class="headline-foot">
        {/* One at a time: they open below the whole row. */}
        <Behind name="headline-details" summary={t('Details')} of={t('of {name}', { name })}>
          <div class="headline-notes">
            {notes.map((note) => (note === null ? null : <p>{note}</p>))}
            {definitions}
          </div>
        </Behind>
        {rows === null ? null : (
          <a class="csv" href={rows.href} data-count={rows.count}>
            {rows.name}
            <Icon name="arrow" />
          </a>
        )}
      </div>
    </section>
  )
}

/** A line without axes beside a number, from zero to its highest value or `least`; the sentence beside it says its meaning. */
export function sparklinePath(values: readonly (number | null)[], height: number, least = 0): string {
  const highest = Math.max(...values.map((value) => value ?? 0), least, 1e-9)
  const step = values.length < 2 ? 0 : 100 / (values.length - 1)
  let pen = 'M'
  let path = ''
  values.forEach((value, i) => {
    if (value === null) {
      pen = 'M'
      return
    }
    path += `${pen}${round(i * step)} ${round(height - 1 - (value / highest) * (height - 2))}`
    pen = 'L'
  })
  return path
}

type SparklineProps = {
  values: readonly (number | null)[]
  series: 'completed' | 'overdue'
  /** A dashed line across. */
  target?: number | null
}

function Sparkline({ values, series, target = null }: SparklineProps) {
  const path = sparklinePath(values, 28, target ?? 0)
  const highest = Math.max(...values.map((value) => value ?? 0))
  return (
    <svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {values.includes(null) ? null : <path class="under" d={`${path}L100 28L0 28Z`} fill={seriesColour[series]} />}
      <path class="line" d={path} stroke={seriesColour[series]} />
      {target === null ? null : <path class="target" d={sparklinePath([target, target], 28, highest)} />}
    </svg>
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
