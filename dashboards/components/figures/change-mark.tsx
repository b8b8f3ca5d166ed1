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
