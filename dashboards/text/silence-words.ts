/** Quiet or broken, in a sentence. */
import { neededWeeks, type Silence } from '../../schemas/silence.ts'
import { counted, type Format } from './format.ts'

export function silenceWords(silence: Silence, format: Format): string {
  if (silence.kind === 'nothing_yet') return 'No challenge event has come by webhook yet.'
  const last = toInstant(silence.lastAt)
  switch (silence.kind) {
    case 'arriving':
      return `The last challenge event came ${format.ago(last)}.`
    case 'too_little_history':
      return `No events since ${toMoment(last, format)}. Whether that is usual is not known yet: it takes ${neededWeeks} weeks of history, and ${counted(format, silence.weeks, 'week')} can be compared.`
    case 'quiet':
    case 'broken':
      return `No events since ${toMoment(last, format)}, usually ${toUsual(silence, format)}.`
  }
}

function toUsual({ low, high, windowSeconds }: { low: number; high: number; windowSeconds: number }, format: Format) {
  const range = low === high ? format.count(low) : `${format.count(low)} to ${format.count(high)}`
  const amount = high === 0 ? 'none' : range
  return windowSeconds >= 86_400 ? `${amount} in these 24 hours of the week` : `${amount} by now`
}

/** The time of day; with its date where that is not today. */
export function toMoment(instant: string, format: Format): string {
  const isToday = format.instantDay(instant) === format.instantDay(new Date(format.now).toISOString())
  return isToday ? format.instantTime(instant) : format.instant(instant)
}

function toInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
