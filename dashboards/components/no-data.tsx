import type { Child } from 'hono/jsx'
import { t } from '../../language/translate.ts'

/** A value as it is said; what is not known is "no data", and no zero. */
export function orNoData<Value>(value: Value | null, say: (value: Value) => Child): Child {
  return value === null ? <span class="no-data">{t('no data')}</span> : say(value)
}
