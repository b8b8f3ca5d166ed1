/** Calendar days of a zone of the tz database, quickly: its rules are asked of Intl once. */
import { lastRuleDay, rulesOf } from '../../schemas/metrics/calendar.ts'

const dayMs = 86_400_000

export type Days = {
  /** Days since 1970 of an instant. */
  of(ms: number): number
  /** The first instant after a day. */
  after(day: number): number
  /** How far clocks are ahead of UTC, ms. */
  offsetAt(ms: number): number
}

/** Readers choose zones in URLs: the last ones asked for are kept. */
const mostZones = 24
const zones = new Map<string, Days>()

export function daysIn(zone: string): Days {
  const days = zones.get(zone) ?? createDays(zone)
  zones.delete(zone)
  zones.set(zone, days)
  for (const oldest of zones.keys()) {
    if (zones.size <= mostZones) break
    zones.delete(oldest)
  }
  return days
}

function createDays(zone: string): Days {
  const { starts, offsets } = rulesOf(zone)
  /** By UTC day since 1970: the last rule that begins before its end. */
  const rules = new Uint16Array(lastRuleDay)
  for (const [rule, start] of starts.entries()) rules.fill(rule, Math.floor(start / dayMs))
  const ruleOn = (utcDay: number) => rules[Math.min(Math.max(utcDay, 0), lastRuleDay - 1)]!
  const offsetAt = (ms: number): number => {
    let rule = ruleOn(Math.floor(ms / dayMs))
    while (rule > 0 && ms < starts[rule]!) rule--
    return offsets[rule]!
  }
  const after = (day: number): number => {
    const midnight = (day + 1) * dayMs
    // No zone is further than 16 hours from UTC. The last rule that begins before midnight on its own clock: if it
    // ends before that, too, midnight is left out.
    let rule = ruleOn(day + 2)
    while (rule > 0 && starts[rule]! + offsets[rule]! >= midnight) rule--
    return Math.min(midnight - offsets[rule]!, starts[rule + 1] ?? Infinity)
  }
  return { of: (ms) => Math.floor((ms + offsetAt(ms)) / dayMs), after, offsetAt }
}
