/** Quiet or broken, in a sentence. */
import { neededWeeks, type Silence } from '../../schemas/silence.ts'
import { t } from '../../language/translate.ts'
import type { Format } from '../../language/format.ts'
import { toInstant } from '../../schemas/instant.ts'

export function silenceWords(silence: Silence, format: Format): string {
  if (silence.kind === 'nothing_yet') return t('No challenge event has come by webhook yet.')
  const last = toInstant(silence.lastAt)
  switch (silence.kind) {
    case 'arriving':
      return t('The last challenge event came {ago}.', { ago: format.ago(last) })
    case 'too_little_history':
      return t(
        'No events since {moment}. Whether that is usual is not known yet: it takes {needed} weeks of history, and {weeks, plural, one {# week} other {# weeks}} can be compared.',
        { moment: toMoment(last, format), needed: neededWeeks, weeks: silence.weeks },
      )
    case 'quiet':
    case 'broken':
      return t('No events since {moment}, usually {usual}.', {
        moment: toMoment(last, format),
        usual: toUsual(silence, format),
      })
  }
}

function toUsual(
  { low, high, windowSeconds }: { low: number; high: number; windowSeconds: number },
  format: Format,
) {
  const range =
    low === high
      ? format.count(low)
      : t('{low} to {high}', { low: format.count(low), high: format.count(high) })
  const amount = high === 0 ? t('none§events') : range
  return windowSeconds >= 86_400
    ? t('{amount} in these 24 hours of the week', { amount })
    : t('{amount} by now', { amount })
}

/** The time of day; with its date where that is not today. */
export function toMoment(instant: string, format: Format): string {
  const isToday = format.instantDay(instant) === format.instantDay(new Date(format.now).toISOString())
  return isToday ? format.instantTime(instant) : format.instant(instant)
}
