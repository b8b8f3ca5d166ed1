import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contradictions, findContradictions } from '../../../schemas/webhook/contradictions.ts'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import { newAssignment } from '../../support/data/new-assignment.ts'
import { findContradictions as findByModel } from './contradictions.ts'
import { wireStatuses, type JsonObject } from './reading.ts'

const midnight = Date.UTC(2026, 4, 5)
const absent = Symbol('absent')
const flag = fc.constantFrom<unknown>(false, true, false, true, null, absent, 'true', 1)
const time = fc.constantFrom<unknown>(
  null,
  absent,
  midnight,
  midnight - 1,
  midnight - 86_400_000.5,
  midnight + 86_399_999,
  String(midnight),
  new Date(midnight + 86_400_000).toISOString(),
  '2026-05-05T01:00:00+02:00',
  0,
  -1,
  'soon',
)
const number = fc.constantFrom<unknown>(0, 0, -0, null, absent, 1, 0.5, -1, 100, '1', true)
const id = fc.constantFrom<unknown>('c', 'd', 7, '7', 7.0, '', null, absent, [])

const values: Record<string, fc.Arbitrary<unknown>> = {
  challengeId: id,
  calculatedGrade: number,
  completionPercentage: number,
  numDaysOverdue: number,
  status: fc.constantFrom<unknown>(...wireStatuses, 'paused', null, absent),
  isCompleted: flag,
  isCompletedOnTime: flag,
  isFullyGraded: flag,
  isOverdue: flag,
  isPartiallyGraded: flag,
  isSubmitted: flag,
  passed: flag,
  completedAt: time,
  dueDate: time,
  firstViewedAt: time,
  lastViewedAt: time,
  reviewersDueDate: time,
}

/** Many odd values, or one among those of a new assignment. */
const assignmentArb = fc.oneof(
  fc.record(values, { requiredKeys: [] }),
  fc.constantFrom(...Object.entries(values)).chain(([name, value]) => fc.record({ [name]: value })),
)

const eventArb = fc
  .record({
    eventType: fc.oneof(
      {
        arbitrary: fc
          .constantFrom('Created', 'Progress', 'Completed', 'Deleted')
          .map((kind) => `assignment${kind}.challenge`),
        weight: 9,
      },
      { arbitrary: fc.constantFrom('assignmentCompleted.guide', 'userDeleted'), weight: 1 },
    ),
    challenge: fc.oneof(fc.record({ id }), fc.constantFrom<unknown>(null, 'c', absent)),
    challengeAssignment: assignmentArb.map((odd) => ({ id: 'a', ...newAssignment, ...odd })),
  })
  .map((event) => JSON.parse(JSON.stringify({ timestamp: midnight, ...event })) as JsonObject)

test('contradictions are those of METRICS.md, whatever is sent', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(eventArb, (event) => {
      const delivery = parseDelivery(Buffer.from(JSON.stringify(event)))
      if (delivery.outcome !== 'event') throw new Error('not usable')
      const bits = findContradictions(delivery.event)
      const names = contradictions.filter(({ bit }) => (bits & bit) !== 0).map(({ name }) => name)
      for (const name of names.length === 0 ? ['none'] : names) seen.set(name, (seen.get(name) ?? 0) + 1)
      expect(names).toEqual(findByModel(event))
    }),
    { numRuns: 5_000 },
  )
  // Each was met, and so was none.
  expect([...seen.keys()].toSorted()).toEqual(['none', ...contradictions.map(({ name }) => name)].toSorted())
})
