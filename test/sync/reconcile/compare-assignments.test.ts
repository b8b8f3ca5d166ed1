/** One assignment of a person at the platform and in the store: what differs, and the events that repair it. */
import { expect, test } from 'vitest'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import { stateBits, type StateFact } from '../../../schemas/metrics/state-bits.ts'
import {
  compareAssignments,
  type HeldAssignment,
} from '../../../services/sync/reconcile/compare-assignments.ts'
import { toRepairRecords } from '../../../services/sync/reconcile/repair-differences.ts'
import type { AssignmentPayload } from '../../../services/platform/platform-client.ts'
import { day, monday, toBody } from '../../support/data/records.ts'

const answered = monday + 30 * day
const settled = answered - 900_000
/** Days after the Monday on which it was created. */
const at = (days: number) => monday + days * day
const facts = (...names: StateFact[]) => names.reduce((bits, name) => bits | (1 << stateBits[name]), 0)

type Listed = Record<string, unknown> & { at: number }
type Held = Partial<HeldAssignment> & { at: number }

function toPayload({ at: updatedAt, ...fields }: Listed): AssignmentPayload {
  const body = toBody('Progress', 'a', updatedAt, { updatedAt, ...fields }, { id: 7 })
  const delivery = parseDelivery(body)
  if (delivery.outcome !== 'event' || delivery.event.assignment === undefined) throw new Error('not an event')
  return { body, event: { ...delivery.event, assignment: delivery.event.assignment } }
}

/** The row that is held after the same payload came as a webhook. */
const toHeld = ({ at: validFromMs, ...fields }: Held): HeldAssignment => ({
  assignmentId: 'a',
  userId: '7',
  challengeId: 'c1',
  isDeleted: 0,
  state: facts('grade_known'),
  status: 'not_started',
  validFromMs,
  createdAtMs: monday,
  updatedAtMs: validFromMs,
  completedAtMs: 0,
  dueDateMs: at(7),
  reviewersDueDateMs: 0,
  firstViewedAtMs: 0,
  grade: 0,
  completionPercentage: 0,
  ...fields,
})

const compare = (listed: Listed | undefined, held: Held | undefined) =>
  compareAssignments(
    '7',
    listed === undefined ? [] : [toPayload(listed)],
    held === undefined ? [] : [toHeld(held)],
    settled,
  )

const handedIn = facts('grade_known', 'submitted', 'started', 'viewed')
const unsaid = { isSubmitted: undefined, isFullyGraded: undefined, passed: undefined }
const later = { status: 'overdue', isOverdue: true, numDaysOverdue: 3, lastViewedAt: at(9) }

test.each<[title: string, listed: Listed | undefined, held: Held | undefined, result: string]>([
  ['the same state', { at: at(1) }, { at: at(1) }, ''],
  ['what time alone changes, and who looked', { at: at(9), ...later }, { at: at(1) }, ''],
  [
    'what only the platform knows',
    { at: at(2), isCompleted: true, completedAt: at(2), calculatedGrade: 80 },
    { at: at(1) },
    'stale: completed submitted viewed started completedAt calculatedGrade',
  ],
  ['a webhook that overtook the answer', { at: at(2) }, { at: at(3), completionPercentage: 70 }, ''],
  [
    'a change that may be on its way',
    { at: answered - 1_000, completionPercentage: 50 },
    { at: at(0) },
    'too fresh',
  ],
  ['an assignment that came after the answer', undefined, { at: answered - 1_000 }, 'too fresh'],
  ['one that was never heard of', { at: at(1) }, undefined, 'missing: '],
  ['one that was deleted here', { at: at(3) }, { at: at(2), isDeleted: 1 }, 'missing: '],
  ['one that is only here', undefined, { at: at(1) }, 'extra: '],
  ['one of another person', undefined, { at: at(0), userId: '8' }, ''],
  [
    'a field that the list leaves out',
    { at: at(1), reviewersDueDate: undefined },
    { at: at(1), reviewersDueDateMs: monday },
    '',
  ],
  [
    'a field that the list clears',
    { at: at(1), reviewersDueDate: null },
    { at: at(1), reviewersDueDateMs: monday },
    'stale: reviewersDueDate',
  ],
  [
    'a hand-in that the list does not name',
    { at: at(2), ...unsaid, status: 'overdue' },
    { at: at(1), state: handedIn, status: 'overdue' },
    '',
  ],
  [
    'a hand-in that was known by the status alone',
    { at: at(2), ...unsaid, status: 'in_progress' },
    { at: at(1), state: handedIn, status: 'needs_grading' },
    'stale: submitted',
  ],
])('%s', (_, listed, held, result) => {
  const { differences, tooFresh } = compare(listed, held)
  const found = differences.map(({ kind, fields }) => `${kind}: ${fields.join(' ')}`)
  expect([...found, ...(tooFresh > 0 ? ['too fresh'] : [])].join()).toBe(result)
})

function repair(listed: Listed, held: Held) {
  return compare(listed, held)
    .differences.flatMap((difference) => toRepairRecords(difference, answered))
    .map(({ body }) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>)
}
const created = { eventType: 'assignmentCreated.challenge' }

test.each<[title: string, listed: Listed, held: Held, events: object[]]>([
  [
    'tells the state as of its change, of the person only the id, and is marked',
    { at: at(2), completionPercentage: 60 },
    { at: at(1) },
    [
      {
        eventType: 'assignmentProgress.challenge',
        timestamp: at(2),
        user: { id: '7' },
        challengeAssignment: { id: 'a', completionPercentage: 60 },
        rollcall: { synthetic: 'reconcile', reason: 'stale' },
      },
    ],
  ],
  [
    'is as of the answer if the time of the platform is before what we know',
    { at: at(2) },
    { at: at(5), updatedAtMs: 0, completionPercentage: 10 },
    [{ timestamp: answered }],
  ],
  [
    'recreates what was deleted here only',
    { at: at(3) },
    { at: at(2), isDeleted: 1 },
    [{ ...created, timestamp: at(3) }],
  ],
  [
    'ends one life and begins another if neither was heard',
    { at: at(6), createdAt: at(5) },
    { at: at(1) },
    [
      { eventType: 'assignmentDeleted.challenge', timestamp: at(5) - 1 },
      { ...created, timestamp: at(6) },
    ],
  ],
  [
    'keeps what the list leaves out',
    {
      at: at(2),
      isSubmitted: undefined,
      dueDate: undefined,
      reviewersDueDate: undefined,
      completionPercentage: 50,
    },
    { at: at(1), state: handedIn & ~facts('grade_known'), status: 'overdue', reviewersDueDateMs: at(20) },
    [
      {
        challengeAssignment: {
          isSubmitted: true,
          completionPercentage: 50,
          dueDate: at(7),
          reviewersDueDate: at(20),
        },
      },
    ],
  ],
])('a repair %s', (_, listed, held, events) => {
  expect(repair(listed, held)).toMatchObject(events)
})

test('a repair takes nothing of the life before into another one', () => {
  const again = { at: at(6), createdAt: at(5), reviewersDueDate: undefined }
  const [, second] = repair(again, { at: at(1), reviewersDueDateMs: at(20) })
  expect(second?.['challengeAssignment']).not.toHaveProperty('reviewersDueDate')
})

test('the same difference gives the same event, so repairing twice is a repeat', () => {
  const { differences } = compare({ at: at(2), passed: true }, { at: at(1) })
  const ids = [answered, answered + day].map(
    (time) => differences.flatMap((one) => toRepairRecords(one, time))[0],
  )
  expect(ids[0]?.eventId).toBe(ids[1]?.eventId)
})
