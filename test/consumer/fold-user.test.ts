import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compareObservations,
  foldUser,
  isNews,
  type UserFacts,
  type UserObservation,
} from '../../services/consumer/fold/fold-user.ts'

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
/** By time, then pulls after events, then by id. */
const toPlace = ({ observedAtMs, kind, observationId }: UserObservation) =>
  `${observedAtMs} ${kind === 'pull' ? 1 : 0} ${observationId}`
const unlike = (maxLength: number) =>
  fc.uniqueArray(anyObservation, { minLength: 1, maxLength, selector: (each) => toPlace(each) })

/** METRICS.md, “People as of T”, word by word. */
function factsAt(all: readonly UserObservation[], ms: number): UserFacts {
  const ordered = all.toSorted((a, b) => (toPlace(a) < toPlace(b) ? -1 : 1))
  function lastOf<Field extends keyof UserObservation>(field: Field, reachesBack = true) {
    const having = ordered.filter((each) => each[field] !== undefined)
    const firstAtMs = reachesBack ? having[0]?.observedAtMs : undefined
    return (having.findLast((each) => each.observedAtMs <= ms) ??
      having.findLast((each) => each.observedAtMs === firstAtMs))?.[field]
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

test('a person is at every moment what the observations say, in as few versions as that takes', () => {
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

test('an observation that is no news changes nothing, and a repeated one is no news', () => {
  fc.assert(
    fc.property(unlike(6), ([next, ...earlier]) => {
      if (!isNews(foldUser(earlier).at(-1)!, next!))
        expect(foldUser([...earlier, next!])).toEqual(foldUser(earlier))
    }),
    { numRuns: 3_000, seed: 11 },
  )
  const { teams, ...facts } = factsAt([], 0)
  const said = { ...facts, teams, observedAtMs: 1, kind: 'event' as const, observationId: 'a' }
  expect(isNews(foldUser([said]).at(-1)!, { ...said, observedAtMs: 2 })).toBe(false)
  // The first list of teams reaches back, even an empty one.
  expect(isNews(foldUser([{ ...said, teams: undefined }]).at(-1)!, { ...said, observedAtMs: 2 })).toBe(true)
})

test('an observation that is stored again after more attributes were allowed comes after its first row', () => {
  const [first, again] = ['{}', '{"a":"b"}'].map((attributes) => ({ ...factsAt([], 0), attributes }))
  const place = { observedAtMs: 1, kind: 'event' as const, observationId: 'a' }
  expect(compareObservations({ ...first!, ...place }, { ...again!, ...place })).toBeLessThan(0)
})
