import { describe, expect, test } from 'vitest'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import { stateBits } from '../../../schemas/metrics/state-bits.ts'
import {
  compareAssignments,
  type HeldAssignment,
} from '../../../services/sync/reconcile/compare-assignments.ts'
import { toRepairRecords } from '../../../services/sync/reconcile/repair-differences.ts'
import type { AssignmentPayload } from '../../../services/platform/platform-client.ts'
import { day, monday, toBody } from '../../support/data/records.ts'

const answered = monday + 30 * day
const settled = answered - 900_000

function listed(id: string, updatedAt: number, fields: Record<string, unknown> = {}): AssignmentPayload {
  const body = toBody('Progress', id, updatedAt, { updatedAt, ...fields }, { id: 7 })
  const delivery = parseDelivery(body)
  if (delivery.outcome !== 'event' || delivery.event.assignment === undefined) throw new Error('not an event')
  return { body, event: { ...delivery.event, assignment: delivery.event.assignment } }
}

/** The row that is held after `listed(id, at)` came as a webhook. */
function held(id: string, at: number, fields: Partial<HeldAssignment> = {}): HeldAssignment {
  return {
    assignmentId: id,
    userId: '7',
    challengeId: 'c1',
    isDeleted: 0,
    state: 1 << stateBits.grade_known,
    status: 'not_started',
    validFromMs: at,
    createdAtMs: monday,
    updatedAtMs: at,
    completedAtMs: 0,
    dueDateMs: monday + 7 * day,
    reviewersDueDateMs: 0,
    firstViewedAtMs: 0,
    grade: 0,
    completionPercentage: 0,
    ...fields,
  }
}

const compare = (payloads: AssignmentPayload[], ours: HeldAssignment[]) =>
  compareAssignments('7', payloads, ours, settled)

function repair(payloads: AssignmentPayload[], ours: HeldAssignment[]) {
  return compare(payloads, ours)
    .differences.flatMap((difference) => toRepairRecords(difference, answered))
    .map(({ body }) => JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>)
}

describe('comparing one person’s assignments', () => {
  test('finds nothing where the last webhook came', () => {
    expect(compare([listed('a', monday + day)], [held('a', monday + day)])).toEqual({
      compared: 1,
      differences: [],
      tooFresh: 0,
    })
  })

  test('does not mind what time alone changes, nor who looked', () => {
    const later = { status: 'overdue', isOverdue: true, numDaysOverdue: 3, lastViewedAt: monday + 9 * day }
    expect(compare([listed('a', monday + 9 * day, later)], [held('a', monday + day)]).differences).toEqual([])
  })

  test('finds what the platform knows and we do not, and says which fields', () => {
    const fields = { isCompleted: true, completedAt: monday + 2 * day, calculatedGrade: 80 }
    const { differences } = compare([listed('a', monday + 2 * day, fields)], [held('a', monday + day)])
    expect(differences).toMatchObject([{ kind: 'stale', assignmentId: 'a' }])
    expect(differences[0]?.fields).toEqual(
      expect.arrayContaining(['completed', 'submitted', 'completedAt', 'calculatedGrade']),
    )
  })

  test('believes ours where it is newer: a webhook overtook the answer', () => {
    const ours = held('a', monday + 3 * day, { completionPercentage: 70 })
    expect(compare([listed('a', monday + 2 * day)], [ours]).differences).toEqual([])
  })

  test('leaves for the next time what may still be on its way', () => {
    const fresh = listed('a', answered - 1_000, { completionPercentage: 50 })
    expect(compare([fresh], [held('a', monday)])).toMatchObject({ differences: [], tooFresh: 1 })
    expect(compare([], [held('a', answered - 1_000)])).toMatchObject({ differences: [], tooFresh: 1 })
  })

  test('counts as missing what was deleted here and lives there, as extra what lives here only', () => {
    const payloads = [listed('never seen', monday + day), listed('deleted here', monday + 3 * day)]
    const ours = [held('deleted here', monday + 2 * day, { isDeleted: 1 }), held('only here', monday + day)]
    const { differences } = compare(payloads, ours)
    expect(differences.map(({ kind, assignmentId }) => `${kind} ${assignmentId}`)).toEqual([
      'missing never seen',
      'missing deleted here',
      'extra only here',
    ])
  })

  test("does not report another person's assignment as extra", () => {
    expect(compare([], [held('a', monday, { userId: '8' })]).differences).toEqual([])
  })

  test('takes a field that the list leaves out for not said', () => {
    const ours = held('a', monday + day, { reviewersDueDateMs: monday })
    expect(compare([listed('a', monday + day, { reviewersDueDate: undefined })], [ours]).differences).toEqual(
      [],
    )
    expect(compare([listed('a', monday + day, { reviewersDueDate: null })], [ours]).differences).toHaveLength(
      1,
    )
  })
})

describe('a flag that the list leaves out', () => {
  const submitted = (1 << stateBits.grade_known) | (1 << stateBits.submitted) | (1 << stateBits.started)
  const viewed = 1 << stateBits.viewed
  const graded = submitted | viewed | (1 << stateBits.graded) | (1 << stateBits.passed)
  const without = { isSubmitted: undefined, isFullyGraded: undefined, passed: undefined }

  test('is not false: what was handed in or graded stays so', () => {
    const ours = held('a', monday + day, { state: submitted | viewed, status: 'overdue' })
    const listedAs = (status?: string) => [listed('a', monday + 2 * day, { ...without, status })]
    expect(compare(listedAs('overdue'), [ours]).differences).toEqual([])
    expect(compare(listedAs('overdue'), [{ ...ours, state: graded }]).differences).toEqual([])
    expect(compare(listedAs(), [{ ...ours, status: 'needs_grading' }]).differences).toEqual([])
  })

  test('leaves it to the status where ours was submitted by its status', () => {
    const ours = held('a', monday + day, { state: submitted | viewed, status: 'needs_grading' })
    const again = listed('a', monday + 2 * day, { ...without, status: 'in_progress' })
    expect(compare([again], [ours]).differences).toMatchObject([{ fields: ['submitted'] }])
  })
})

describe('repair', () => {
  test('keeps what the list leaves out', () => {
    const state = [stateBits.submitted, stateBits.started, stateBits.viewed].reduce(
      (bits, bit) => bits | (1 << bit),
      0,
    )
    const ours = held('a', monday + day, { state, status: 'overdue', reviewersDueDateMs: monday + 20 * day })
    const left = {
      isSubmitted: undefined,
      dueDate: undefined,
      reviewersDueDate: undefined,
      calculatedGrade: undefined,
    }
    const [event] = repair([listed('a', monday + 2 * day, { ...left, completionPercentage: 50 })], [ours])
    expect(event).toMatchObject({
      challengeAssignment: {
        isSubmitted: true,
        completionPercentage: 50,
        dueDate: monday + 7 * day,
        reviewersDueDate: monday + 20 * day,
      },
      rollcall: { fields: ['completionPercentage'] },
    })
    expect(event?.['challengeAssignment']).not.toHaveProperty('calculatedGrade')
  })

  test('takes nothing of the life before into another one', () => {
    const ours = held('a', monday + day, { reviewersDueDateMs: monday + 20 * day })
    const again = listed('a', monday + 6 * day, { createdAt: monday + 5 * day, reviewersDueDate: undefined })
    const [, created] = repair([again], [ours])
    expect(created?.['challengeAssignment']).not.toHaveProperty('reviewersDueDate')
  })

  test('tells the state at the moment at which it became so, of the person only the id, and is marked', () => {
    expect(
      repair([listed('a', monday + 2 * day, { completionPercentage: 60 })], [held('a', monday + day)]),
    ).toMatchObject([
      {
        eventType: 'assignmentProgress.challenge',
        timestamp: monday + 2 * day,
        user: { id: '7' },
        challengeAssignment: { id: 'a', completionPercentage: 60 },
        rollcall: { synthetic: 'reconcile', reason: 'stale' },
      },
    ])
  })

  test('says it as of the answer where the platform’s own time comes before what we know', () => {
    const ours = held('a', monday + 5 * day, { updatedAtMs: 0, completionPercentage: 10 })
    expect(repair([listed('a', monday + 2 * day)], [ours])).toMatchObject([{ timestamp: answered }])
  })

  test('recreates an assignment that was deleted here only', () => {
    const ours = held('a', monday + 2 * day, { isDeleted: 1 })
    expect(repair([listed('a', monday + 3 * day)], [ours])).toMatchObject([
      { eventType: 'assignmentCreated.challenge', timestamp: monday + 3 * day },
    ])
  })

  test('ends one life and begins another where it was created anew and neither was heard', () => {
    const again = listed('a', monday + 6 * day, { createdAt: monday + 5 * day })
    expect(repair([again], [held('a', monday + day)])).toMatchObject([
      { eventType: 'assignmentDeleted.challenge', timestamp: monday + 5 * day - 1 },
      { eventType: 'assignmentCreated.challenge', timestamp: monday + 6 * day },
    ])
  })

  test('makes the same bytes of the same difference, so that repairing twice is a repeat', () => {
    const { differences } = compare(
      [listed('a', monday + 2 * day, { passed: true })],
      [held('a', monday + day)],
    )
    const ids = [answered, answered + day].map(
      (at) => differences.flatMap((one) => toRepairRecords(one, at))[0],
    )
    expect(ids[0]?.eventId).toBe(ids[1]?.eventId)
  })
})
