import fc from 'fast-check'
import { agingBuckets, effectiveStatuses, periods } from '../../../schemas/metrics/answer.ts'
import { challengeIds, teamIds, userIds } from './history.ts'
import { instantArb } from './instants.ts'
import { factNames, type Scope } from '../scope.ts'
import { addDays, localDate } from '../zones.ts'

/** Among them midnights that do not exist (Beirut, Cairo, Havana, Santiago), odd offsets, and the ends of the earth. */
export const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Beirut',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
] as const

/** A filter is mostly not given: several at once leave nothing to look at. */
function rarely<Value>(values: readonly Value[], noneWeight = 9): fc.Arbitrary<Value[]> {
  return fc.oneof(
    { arbitrary: fc.constant<Value[]>([]), weight: noneWeight },
    { arbitrary: fc.subarray([...values], { minLength: 1, maxLength: 2 }), weight: 1 },
  )
}

/** Calendar dates around the interesting ones, from <= to where both are given. */
function windowArb(noneWeight: number): fc.Arbitrary<{ from?: string; to?: string }> {
  const dates = fc.tuple(instantArb, fc.nat({ max: 40 })).map(([instant, days]) => {
    const from = localDate('UTC', instant)
    return { from, to: addDays(from, days) }
  })
  return fc.oneof(
    { arbitrary: fc.constant({}), weight: noneWeight },
    { arbitrary: dates, weight: 1 },
    { arbitrary: dates.map(({ from }) => ({ from })), weight: 1 },
    { arbitrary: dates.map(({ to }) => ({ to })), weight: 1 },
  )
}

export type ScopeOptions = {
  /** Off: no filters at all, so that everything in the history is looked at. Default: on. */
  filters?: boolean
}

export function scopeArb(options: ScopeOptions = {}): fc.Arbitrary<Scope> {
  const basics = fc.record({
    asOf: fc.oneof(
      { arbitrary: instantArb, weight: 3 },
      { arbitrary: fc.constantFrom(Date.UTC(2026, 3, 8, 22), Date.UTC(2026, 6, 15, 12)), weight: 1 },
    ),
    nowShift: fc.constantFrom(0, 1, 86_400_000, 200 * 86_400_000, -1, -86_400_000),
    timeZone: fc.constantFrom(...zones),
    dueZone: fc.constantFrom(...zones),
    dueEnd: fc.constantFrom('end_of_day' as const, 'instant' as const),
    period: fc.constantFrom(...periods),
    dueSoonDays: fc.constantFrom(7, 0, 1, 365),
    includeLeavers: fc.boolean(),
    trend: windowArb(3),
  })
  const lists = fc.record({
    challenge: rarely(challengeIds),
    team: rarely(teamIds),
    manager: rarely(userIds, 3),
    user: rarely(userIds),
    status: rarely(effectiveStatuses),
    fact: rarely(factNames),
    aging: rarely(agingBuckets),
    depth: fc.constantFrom(undefined, 1, 2),
    assigned: windowArb(30),
    completed: windowArb(30),
    due: windowArb(30),
  })
  const none = {
    challenge: [],
    team: [],
    manager: [],
    user: [],
    status: [],
    fact: [],
    aging: [],
    depth: undefined,
    assigned: {},
    completed: {},
    due: {},
  }
  return fc
    .tuple(basics, options.filters === false ? fc.constant(none) : lists)
    .map(([{ nowShift, trend, ...scope }, { depth, assigned, completed, due, ...filters }]): Scope => ({
      ...scope,
      ...filters,
      // Follows from the rest, so that scopes of a seed stay the same.
      attribute:
        options.filters === false ? [] : (attributeFilters[scope.asOf % attributeFilters.length] ?? []),
      ...(options.filters !== false &&
        filters.team.length === 0 &&
        scope.asOf % 7 === 0 && { without: ['team'] }),
      now: scope.asOf + nowShift,
      ...(depth === undefined ? {} : { managerDepth: depth }),
      ...named('trend', trend),
      ...named('assigned', assigned),
      ...named('completed', completed),
      ...named('due', due),
    }))
}

const attributeFilters: Scope['attribute'][] = [
  [],
  [['country', ['DE']]],
  [],
  [
    ['country', ['DE', 'FR']],
    ['site', ['7', 'true']],
  ],
  [],
  [['site', ['7']]],
  [],
]

type Window = 'trend' | 'assigned' | 'completed' | 'due'

function named(name: Window, { from, to }: { from?: string; to?: string }): Partial<Scope> {
  return {
    ...(from === undefined ? {} : { [`${name}From`]: from }),
    ...(to === undefined ? {} : { [`${name}To`]: to }),
  }
}
