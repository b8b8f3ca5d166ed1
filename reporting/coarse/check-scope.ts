/**
 * The questions of readers who may not ask for single people: everybody, one team, one challenge or one value of an attribute, now or at
 * the end of a past day.
 */
import { addDays, toLocalDate, toStartOfDay } from '../../schemas/metrics/calendar.ts'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { AudienceError } from '../audience.ts'
import { createScope } from '../scope/parse-scope.ts'

/**
 * Two filters, or two moments that the reader chooses freely, give two answers that differ by a few people. Everything else in a scope must
 * be as if it was not asked for, so a filter that is added later is refused.
 */
export function isCoarseScope(scope: Scope, settings: ScopeSettings): boolean {
  const { team, challenge, attribute, asOf } = scope
  const usual: Scope = { ...createScope(scope.now, settings), team, challenge, attribute, asOf }
  const isPlain = (Object.keys(scope) as (keyof Scope)[]).every(
    (key) => scope[key] === undefined || JSON.stringify(scope[key]) === JSON.stringify(usual[key]),
  )
  return isPlain && countGroups(scope) <= 1 && isCoarseMoment(scope, settings)
}

export function countGroups({ team, challenge, attribute }: Scope): number {
  return team.length + challenge.length + attribute.flatMap(([, values]) => values).length
}

export function checkCoarseScope(scope: Scope, settings: ScopeSettings): void {
  if (isCoarseScope(scope, settings)) return
  throw new AudienceError(
    'scope',
    'You can choose one team or one challenge, or one value of an attribute, now or at the end of a past day, and no other filter',
  )
}

function isCoarseMoment({ asOf, now }: Scope, { timeZone }: ScopeSettings): boolean {
  if (asOf === now) return true
  return asOf < now && asOf === toStartOfDay(timeZone, addDays(toLocalDate(timeZone, asOf), 1)) - 1
}
