import type { Child } from 'hono/jsx'
import { Icon } from '../icon.tsx'
import { t } from '../../../language/translate.ts'

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
  target?: string | null
  /** Where the value arrives at its present pace. Undefined: nothing to say. */
  pace?: string | undefined
  notes: Child[]
  definitions: Child
  rows: { href: string; count: number } | null
}

export function Headline(props: HeadlineProps) {
  const { id, name, value, of, change, target, pace, notes, definitions, rows } = props
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
      <button type="button" class="csv" popovertarget={`details-${id}`}>
        <Icon name="more" />
        {t('Details')}
        <span class="visually-hidden"> {t('of {name}', { name })}</span>
      </button>
      <div id={`details-${id}`} popover="auto" role="dialog" aria-label={name}>
        <strong>{name}</strong>
        {notes.map((note) => (note === null ? null : <p>{note}</p>))}
        {definitions}
      </div>
    </section>
  )
}
