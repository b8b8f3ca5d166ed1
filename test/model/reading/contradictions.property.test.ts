import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assignmentEventTypes,
  readId,
  readInstant,
  readObject,
  wireStatuses,
  type JsonObject,
} from './reading.ts'
import { contradictions, findContradictions } from '../../../schemas/webhook/contradictions.ts'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import { newAssignment } from '../../support/data/new-assignment.ts'

const unset = ['completedAt', 'firstViewedAt', 'lastViewedAt', 'reviewersDueDate'] as const
const flags = [
  'isCompleted',
  'isCompletedOnTime',
  'isFullyGraded',
  'isOverdue',
  'isPartiallyGraded',
  'isSubmitted',
  'passed',
] as const

/**
 * The contradictions of a usable event; none of an event of another kind. The list is stated once more: from the JSON that was sent, and by
 * the words of METRICS.md only.
 */
function findByModel(event: JsonObject): string[] {
  const type = event['eventType']
  const sent = readObject(event['challengeAssignment'])
  if (sent === undefined || !assignmentEventTypes.some((known) => known === type)) return []
  const time = (name: string) => readInstant(sent[name])
  const number = (name: string) => (Number.isFinite(sent[name]) ? (sent[name] as number) : undefined)
  const status = wireStatuses.find((known) => known === sent['status'])
  const isCompleted = sent['isCompleted']
  const completedOn = toDate(time('completedAt'))
  const dueOn = toDate(time('dueDate'))
  const challenge = readId(readObject(event['challenge'])?.['id'])
  const own = readId(sent['challengeId'])
  const isNew =
    (status === undefined || status === 'not_started') &&
    [undefined, 0].includes(number('calculatedGrade')) &&
    [undefined, 0].includes(number('completionPercentage')) &&
    flags.every((flag) => sent[flag] !== true) &&
    unset.every((name) => time(name) === undefined) &&
    number('numDaysOverdue') === undefined
  const list: Record<string, boolean> = {
    created_not_new: type === 'assignmentCreated.challenge' && !isNew,
    completed_event_without_completion: type === 'assignmentCompleted.challenge' && isCompleted === false,
    status_completed_without_completion: status === 'completed' && isCompleted === false,
    status_failed_with_completion: status === 'failed' && isCompleted === true,
    on_time_without_completion: sent['isCompletedOnTime'] === true && isCompleted !== true,
    on_time_after_due_date:
      sent['isCompletedOnTime'] === true &&
      completedOn !== undefined &&
      dueOn !== undefined &&
      completedOn > dueOn,
    fully_and_partially_graded: sent['isFullyGraded'] === true && sent['isPartiallyGraded'] === true,
    completed_at_without_completion: completedOn !== undefined && isCompleted !== true,
    days_overdue_without_overdue: sent['isOverdue'] === false && (number('numDaysOverdue') ?? 0) > 0,
    two_challenges: challenge !== undefined && own !== undefined && challenge !== own,
  }
  return Object.keys(list).filter((name) => list[name])
}

/** A date as text; these sort like the days. */
function toDate(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 10)
}

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
    { numRuns: 5_000, seed: 2026 },
  )
  // Each was met, and so was none.
  expect([...seen.keys()].toSorted()).toEqual(['none', ...contradictions.map(({ name }) => name)].toSorted())
})
