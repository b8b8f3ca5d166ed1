import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'

/** A value as it is said; an unknown one is "no data", and not zero. */
export function orNoData<Value>(value: Value | null, say: (value: Value) => Child): Child {
  return value === null ? <span class="no-data">{t('no data')}</span> : say(value)
}
