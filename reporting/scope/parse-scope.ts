/**
 * From a URL's parameters to a scope, once: the filters of `filters.ts` in turn. The caller decides what a problem means. The
 * API answers 400 with all of them; pages leave out what they cannot use, and say so.
 */
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { filters, isScopeKey, rowFilter } from './filters.ts'
import { createUrlParameters } from './url-parameters.ts'

export type ParseScopeOptions = {
  /** Epoch ms. */
  now: number
  settings: ScopeSettings
  /** Parameters that the caller reads itself (an export's `format`). Default: none. */
  ignore?: readonly string[]
  /** Whether the scope is of rows, which may be those of one part of a number. Default: no. */
  rows?: boolean
}

export function parseScope(
  params: URLSearchParams,
  { now, settings, ignore = [], rows = false }: ParseScopeOptions,
) {
  const parameters = createUrlParameters(params)
  for (const name of new Set(params.keys())) {
    const isOfRows = rows && Object.hasOwn(rowFilter.parameters, name)
    const isKnown = isOfRows || isScopeKey(name, settings.userAttributes) || ignore.includes(name)
    if (isKnown || params.getAll(name).every((value) => value === '')) continue
    parameters.problems.push({ parameter: name, code: 'unknown' })
  }
  let scope: Scope = createScope(now, settings)
  for (const filter of [...filters, ...(rows ? [rowFilter] : [])])
    scope = { ...scope, ...filter.read(parameters, scope, settings) }
  // Read again, the applied parameters give the same scope and no problem.
  return { scope, applied: parameters.applied, problems: parameters.problems }
}

/** Everything as of now, by the settings. */
export function createScope(now: number, { timeZone, dueZone, dueEnd }: ScopeSettings): Scope {
  return {
    asOf: now,
    now,
    timeZone,
    dueZone,
    dueEnd,
    period: 'week',
    dueSoonDays: 7,
    includeLeavers: false,
    challenge: [],
    team: [],
    manager: [],
    user: [],
    attribute: [],
    status: [],
    fact: [],
    aging: [],
  }
}
