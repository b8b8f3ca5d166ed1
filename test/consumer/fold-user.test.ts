import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfTimeMs } from '../../schemas/metrics/state-bits.ts'
import {
  compareObservations,
  foldUser,
  isNews,
  type UserFacts,
  type UserObservation,
} from '../../services/consumer/fold/fold-user.ts'

let ids = 0
function observed(observedAtMs: number, fields: Partial<UserObservation> = {}): UserObservation {
  return {
    observedAtMs,
    kind: 'event',
    observationId: String(ids++).padStart(8, '0'),
    isDeleted: undefined,
    isPermanentlyDeleted: undefined,
    teams: undefined,
    name: undefined,
    email: undefined,
    ...fields,
  }
}

describe('the fold of one person', () => {
  test('lets the last observation that has a field count, field by field', () => {
    const versions = foldUser([
      observed(100, { teams: ['1'], name: 'Ada' }),
      observed(200, { isDeleted: true }),
      observed(300, { isDeleted: false, teams: [] }),
    ])
    expect(versions).toMatchObject([
      { validFromMs: 0, validToMs: 200, teams: ['1'], isDeleted: false, name: 'Ada' },
      { validFromMs: 200, validToMs: 300, teams: ['1'], isDeleted: true, name: 'Ada' },
      { validFromMs: 300, validToMs: endOfTimeMs, teams: [], isDeleted: false, name: 'Ada' },
    ])
  })

  test('lets the earliest observation reach back, but not for the two flags', () => {
    const versions = foldUser([observed(100, { isDeleted: true, teams: ['1'] })])
    expect(versions).toMatchObject([
      { validFromMs: 0, validToMs: 100, teams: ['1'], teamsSeenAtMs: 100, isDeleted: false },
      { validFromMs: 100, isDeleted: true },
    ])
  })

  test('lets a pull beat an event at one instant, then the higher id', () => {
    const [, version] = foldUser([
      observed(100, { kind: 'pull', isDeleted: true, observationId: '1' }),
      observed(100, { isDeleted: false, observationId: '9' }),
    ])
    expect(version?.isDeleted).toBe(true)
  })

  test('orders by time, then pulls after events, then by id', () => {
    const first = observed(100, { observationId: 'b' })
    const later = [
      observed(101, { observationId: 'a' }),
      observed(100, { kind: 'pull', observationId: 'a' }),
      observed(100, { observationId: 'c' }),
    ]
    for (const other of later) {
      expect([compareObservations(first, other) < 0, compareObservations(other, first) > 0]).toEqual([
        true,
        true,
      ])
    }
    expect(compareObservations(first, { ...first })).toBe(0)
    // Stored again after more was allowed.
    expect(
      compareObservations({ ...first, attributes: '{}' }, { ...first, attributes: '{"a":"b"}' }),
    ).toBeLessThan(0)
    expect(compareObservations({ ...first, attributes: '{}' }, first)).toBeGreaterThan(0)
  })

  const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined })
  const anyObservation = fc.record({
    observedAtMs: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom('event' as const, 'pull' as const),
    observationId: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }),
    isDeleted: maybe(fc.boolean()),
    isPermanentlyDeleted: maybe(fc.boolean()),
    teams: maybe(fc.subarray(['1', '2', '3'])),
    name: maybe(fc.constantFrom('', 'Ada', 'Bob')),
    email: maybe(fc.constantFrom('', 'a@b', 'b@c')),
    attributes: maybe(fc.constantFrom('{}', '{"a":"b"}', '{"a":"c"}')),
  })
  const toPlace = ({ observedAtMs, kind, observationId }: UserObservation) =>
    `${observedAtMs} ${kind === 'pull' ? 1 : 0} ${observationId}`
  const unlike = (maxLength: number) =>
    fc.uniqueArray(anyObservation, { minLength: 1, maxLength, selector: (each) => toPlace(each) })

  /** METRICS.md, “People as of T”, word by word. */
  function factsAt(all: readonly UserObservation[], ms: number): UserFacts {
    const ordered = all.toSorted((a, b) => (toPlace(a) < toPlace(b) ? -1 : 1))
    function lastOf<Field extends keyof UserObservation>(field: Field, reachesBack = true) {
      const having = ordered.filter((each) => each[field] !== undefined)
      const before = having.findLast((each) => each.observedAtMs <= ms)
      const [earliest] = having
      return (before ??
        (reachesBack
          ? having.findLast((each) => each.observedAtMs === earliest?.observedAtMs)
          : undefined))?.[field]
    }
    return {
      isDeleted: lastOf('isDeleted', false) ?? false,
      isPermanentlyDeleted: lastOf('isPermanentlyDeleted', false) ?? false,
      teams: lastOf('teams') ?? [],
      teamsSeenAtMs: ordered.find(({ teams }) => teams !== undefined)?.observedAtMs ?? 0,
      name: lastOf('name') ?? '',
      email: lastOf('email') ?? '',
      attributes: lastOf('attributes') ?? '{}',
      attributesSeenAtMs: ordered.find(({ attributes }) => attributes !== undefined)?.observedAtMs ?? 0,
    }
  }

  test('is at every moment what the observations say of it, in as few versions as that takes', () => {
    fc.assert(
      fc.property(unlike(8), (all) => {
        const versions = foldUser(all)
        for (let ms = 0; ms <= 7; ms += 1) {
          const version = versions.find(({ validFromMs, validToMs }) => validFromMs <= ms && ms < validToMs)
          expect(version).toMatchObject(factsAt(all, ms))
        }
        for (const [n, { validFromMs, validToMs: _, ...facts }] of versions.entries()) {
          const { validFromMs: _from, validToMs, ...before } = versions[n - 1] ?? { validToMs: 0 }
          expect(validFromMs).toBe(validToMs)
          expect(facts).not.toEqual(before)
        }
      }),
      { numRuns: 2_000, seed: 12 },
    )
  })

  test('calls nothing news that would change nothing, and everything that would', () => {
    fc.assert(
      fc.property(unlike(6), ([next, ...earlier]) => {
        const versions = foldUser(earlier)
        if (!isNews(versions, next!)) expect(foldUser([...earlier, next!])).toEqual(versions)
      }),
      { numRuns: 3_000, seed: 11 },
    )
    const versions = foldUser([
      observed(100, { teams: ['1'], name: 'Ada' }),
      observed(200, { isDeleted: true }),
    ])
    const repeats = [
      observed(99),
      observed(99, { name: 'Ada' }),
      observed(100, { teams: ['1'] }),
      observed(150, { teams: ['1'], isDeleted: false }),
      observed(200, { isDeleted: true, isPermanentlyDeleted: false }),
      observed(endOfTimeMs - 1, { teams: ['1'], isDeleted: true }),
    ]
    expect(repeats.map((each) => isNews(versions, each))).toEqual(repeats.map(() => false))
    const news = [
      observed(99, { teams: ['1'] }),
      observed(199, { isDeleted: true }),
      observed(200, { teams: ['1', '2'] }),
      observed(300, { email: 'a@b' }),
      // Nothing is known of such a time.
      observed(endOfTimeMs, { name: 'Ada' }),
    ]
    expect(news.map((each) => isNews(versions, each))).toEqual(news.map(() => true))
    // The first list of teams reaches back, even an empty one.
    expect(isNews(foldUser([observed(100, { name: 'Ada' })]), observed(200, { teams: [] }))).toBe(true)
  })
})
