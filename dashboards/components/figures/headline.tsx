import type { Child } from 'hono/jsx'
import { Sparkline, type SparklineProps } from '../../charts/sparkline.tsx'
import { Behind } from '../behind.tsx'
import { Icon } from '../icon.tsx'
import { ChangeMark, type Change } from './change-mark.tsx'
import { t } from '../../../language/translate.ts'

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
  /** The same of the company, where the reader may see that beside their people. Left out: nothing. */
  company?: string | null
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
  const { id, name, value, of, change, target, company, notes, definitions, spark, aside, rows } = props
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
      {company ? <p class="change company">{company}</p> : null}
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
            {company ? (
              <p>{t('The company’s figure counts your people as they are, and everybody else rounded to five.')}</p>
            ) : null}
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
