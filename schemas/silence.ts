/** Tells a webhook that is broken from a platform that is quiet, by the deliveries at the same time of the same weekday before. */
import { toDaysBefore } from './metrics/calendar.ts'

export type SilenceFacts = {
  /** Challenge events that ever came by webhook. */
  received: number
  /** When the last one came, epoch ms. */
  lastAt: number
  /** How much of the silence is compared: all of it, at most the last 24 hours. */
  windowSeconds: number
  /** How many came in the same window, in each of the weeks before of which enough is known. */
  sameWindow: readonly number[]
}

export type Silence =
  | { kind: 'nothing_yet' }
  /** Something came just now. */
  | { kind: 'arriving'; lastAt: number }
  /** Fewer weeks than it takes to know the usual silence. */
  | { kind: 'too_little_history'; lastAt: number; weeks: number }
  /** Nothing usually comes now, or too little to conclude anything. */
  | { kind: 'quiet'; lastAt: number; low: number; high: number; windowSeconds: number }
  /** At least `low` always came meanwhile, and nothing did. */
  | { kind: 'broken'; lastAt: number; low: number; high: number; windowSeconds: number }

export const neededWeeks = 3
const comparedWeeks = 8

/** The same time of the same weekday, by the clock of the reporting zone; epoch ms, latest first. */
export const toWeeksBefore = (timeZone: string, now: number): number[] =>
  Array.from({ length: comparedWeeks }, (_, week) => toDaysBefore(timeZone, now, 7 * (week + 1)))

/** So few may stay out by chance. */
const leastExpected = 5

/** Shorter silences are nothing to speak of. */
export const speakAfterSeconds = 300

export function judgeSilence({ received, lastAt, windowSeconds, sameWindow }: SilenceFacts): Silence {
  if (received === 0) return { kind: 'nothing_yet' }
  if (windowSeconds < speakAfterSeconds) return { kind: 'arriving', lastAt }
  if (sameWindow.length < neededWeeks) return { kind: 'too_little_history', lastAt, weeks: sameWindow.length }
  const counts = sameWindow.toSorted((a, b) => a - b)
  const low = counts[0] as number
  const high = counts.at(-1) as number
  return { kind: low >= leastExpected ? 'broken' : 'quiet', lastAt, low, high, windowSeconds }
}
