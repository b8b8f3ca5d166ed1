import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfTimeMs } from '../../schemas/metrics/state-bits.ts'
import { foldUser, isNews, type UserObservation } from '../../services/consumer/fold/fold-user.ts'

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

  test('calls nothing news that would change nothing, and everything that would', () => {
    const observation = fc.record({
      at: fc.integer({ min: 1, max: 6 }),
      isDeleted: fc.option(fc.boolean(), { nil: undefined }),
      teams: fc.option(fc.subarray(['1', '2']), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(observation, { minLength: 1, maxLength: 6 }), observation, (before, late) => {
        const earlier = before.map(({ at, ...fields }) => observed(at, fields))
        const { at, ...fields } = late
        const next = observed(at, fields)
        const versions = foldUser(earlier)
        if (!isNews(versions, next)) expect(foldUser([...earlier, next])).toEqual(versions)
      }),
      { numRuns: 3_000, seed: 11 },
    )
  })
})
