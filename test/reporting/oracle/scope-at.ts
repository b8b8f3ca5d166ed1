/** The scope and facts of a question by SQL that was written by hand, filters included: the oracle of the tables of facts and filters. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agingFacts, toFactMask } from '../../../schemas/metrics/facts.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'

/** A table to select from, in brackets. */
export const scopeAt = readFileSync(join(import.meta.dirname, 'scope-at.sql'), 'utf8')

const toDay = (date: string): number => Math.min(Math.max(Date.parse(`${date}T00:00:00Z`) / 86_400_000, 0), 65_534)
const toDateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ')

/** In a window, 65535 stands for an unknown day: only a window without ends includes it. */
function toWindow(name: string, from: string | undefined, to: string | undefined): Record<string, number> {
  const last = to === undefined ? (from === undefined ? 65_535 : 65_534) : toDay(to)
  return { [`${name}_from`]: from === undefined ? 0 : toDay(from), [`${name}_to`]: last }
}

export function toScopeParams(scope: Scope): Record<string, unknown> {
  return {
    as_of: toDateTime(scope.asOf),
    now: toDateTime(scope.now),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    due_soon_days: scope.dueSoonDays,
    include_leavers: scope.includeLeavers,
    challenge: scope.challenge,
    team: scope.team,
    user: scope.user,
    attribute: JSON.stringify(scope.attribute),
    without_team: (scope.without ?? []).includes('team'),
    fact_mask: toFactMask(scope.fact),
    status_mask: toFactMask(scope.status),
    aging_mask: toFactMask(scope.aging.map((bucket) => agingFacts[bucket])),
    ...toWindow('assigned', scope.assignedFrom, scope.assignedTo),
    ...toWindow('completed', scope.completedFrom, scope.completedTo),
    ...toWindow('due', scope.dueFrom, scope.dueTo),
  }
}
