import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'
import { Icon } from './icon.tsx'

export type Level = 'ok' | 'check' | 'bad' | 'none'

/** How something is, in a word and its colour: green with a tick, amber, red. */
export function Status({ level, children }: { level: Level; children?: Child }) {
  return (
    <strong class={`status ${level}`}>
      {level === 'none' ? null : <Icon name={level === 'ok' ? 'tick' : 'alert'} />}
      {children ?? (level === 'ok' ? t('OK') : level === 'none' ? t('No data') : t('Check'))}
    </strong>
  )
}
