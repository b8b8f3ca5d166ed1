import { describe, expect, test } from 'vitest'
import { endOfTimeMs, stateBits, type StateFact } from '../../schemas/metrics/state-bits.ts'
import { foldAssignment, type AssignmentVersion } from '../../services/consumer/fold/fold-assignment.ts'
import { flagBits } from '../../schemas/webhook/event-bits.ts'
import { compareEvents, type StoredEvent } from '../../services/consumer/fold/stored-event.ts'

let ids = 0
function event(eventTimeMs: number, typeNumber: number, fields: Partial<StoredEvent> = {}): StoredEvent {
  return {
    eventId: String(ids++).padStart(8, '0'),
    eventTimeMs,
    updatedAtMs: eventTimeMs,
    typeNumber,
    challengeId: 'c',
    userId: 'u',
    status: 'not_started',
    flagsKnown: 127,
    flagsTrue: 0,
    grade: 0,
    completionPercentage: 0,
    daysOverdueReported: null,
    createdAtMs: 100,
    completedAtMs: 0,
    dueDateMs: 1_000,
    reviewersDueDateMs: 0,
    firstViewedAtMs: 0,
    lastViewedAtMs: 0,
    ...fields,
  }
}
const created = 1
const progress = 2
const completedEvent = 3
const deletedEvent = 4
const submitted = { flagsKnown: 127, flagsTrue: flagBits.isSubmitted }
const graded = { flagsKnown: 127, flagsTrue: flagBits.isSubmitted | flagBits.isFullyGraded }

const spans = (versions: AssignmentVersion[]) =>
  versions.map((version) => [version.validFromMs, version.validToMs])
const has = (version: AssignmentVersion | undefined, fact: StateFact) =>
  version !== undefined && (version.state & (1 << stateBits[fact])) !== 0

test('events are in order of their time, then updatedAt, then their type, then id', () => {
  const first = event(100, progress, { eventId: 'b', updatedAtMs: 50 })
  const later = [
    { ...first, eventTimeMs: 101, updatedAtMs: 1, typeNumber: created, eventId: 'a' },
    { ...first, updatedAtMs: 51, typeNumber: created, eventId: 'a' },
    { ...first, typeNumber: completedEvent, eventId: 'a' },
    { ...first, eventId: 'c' },
  ]
  for (const other of later) {
    expect([compareEvents(first, other) < 0, compareEvents(other, first) > 0]).toEqual([true, true])
  }
  expect(compareEvents(first, { ...first })).toBe(0)
})

describe('the fold of one assignment', () => {
  test('gives one version per moment, each until the next, the last open-ended', () => {
    const versions = foldAssignment([event(100, created), event(200, progress), event(300, completedEvent)])
    expect(spans(versions)).toEqual([
      [100, 200],
      [200, 300],
      [300, endOfTimeMs],
    ])
  })

  test('does not depend on order or repetition', () => {
    const events = [event(100, created), event(200, progress), event(200, progress), event(300, deletedEvent)]
    const folded = foldAssignment(events)
    expect(foldAssignment(events.toReversed())).toEqual(folded)
    expect(foldAssignment([...events, ...events])).toEqual(folded)
  })

  test('lets only the last of several events at one moment make a state, but all count as first seen', () => {
    const [first, second] = foldAssignment([
      event(100, created),
      event(200, progress, { ...submitted, updatedAtMs: 1 }),
      event(200, progress, { updatedAtMs: 2 }),
    ])
    expect(first?.validToMs).toBe(200)
    expect(has(second, 'submitted')).toBe(false)
    expect(second?.firstSubmittedAtMs).toBe(200)
  })

  test('keeps a deleted assignment deleted when a late progress arrives after the deletion', () => {
    const versions = foldAssignment([event(100, created), event(200, deletedEvent), event(300, progress)])
    expect(versions.map((version) => has(version, 'deleted'))).toEqual([false, true, true])
    expect(versions.at(-1)?.life).toBe(1)
  })

  test('begins a new life with a Created after a Deleted, and forgets what was first seen before', () => {
    const versions = foldAssignment([
      event(100, created, { dueDateMs: 500 }),
      event(200, progress, { ...submitted, dueDateMs: 600 }),
      event(300, deletedEvent),
      event(400, created, { dueDateMs: 900 }),
    ])
    expect(versions.at(-1)).toMatchObject({
      life: 2,
      firstSubmittedAtMs: 0,
      firstDueDateMs: 900,
      lifeStartedAtMs: 400,
    })
    expect(has(versions.at(-1), 'deleted')).toBe(false)
    expect(has(versions[1], 'deadline_moved')).toBe(true)
    expect(has(versions.at(-1), 'deadline_moved')).toBe(false)
  })

  test('carries over identity only: createdAt, user and challenge, within a life', () => {
    const versions = foldAssignment([
      event(100, created, { grade: 50 }),
      event(200, progress, { createdAtMs: 0, userId: '', challengeId: '', grade: null, dueDateMs: 0 }),
    ])
    expect(versions[1]).toMatchObject({ createdAtMs: 100, userId: 'u', challengeId: 'c', dueDateMs: 0 })
    expect(has(versions[1], 'grade_known')).toBe(false)
  })

  test('assumes the first event of the life where createdAt was never sent', () => {
    const [version] = foldAssignment([event(250, progress, { createdAtMs: 0 })])
    expect(version).toMatchObject({ createdAtMs: 250, validFromMs: 250 })
    expect(has(version, 'created_assumed')).toBe(true)
  })

  test('begins a version no earlier than createdAt, and leaves out one that would end before it', () => {
    expect(spans(foldAssignment([event(50, created), event(60, progress)]))).toEqual([[100, endOfTimeMs]])
  })

  test('says when the first event of a life was already submitted or graded', () => {
    const [version] = foldAssignment([event(100, progress, graded)])
    expect(has(version, 'began_submitted') && has(version, 'began_graded')).toBe(true)
    expect(has(version, 'submitted_with_grade')).toBe(true)
    const [fresh, later] = foldAssignment([
      event(100, created),
      event(200, progress, { status: 'needs_grading' }),
    ])
    // An assignment that awaits a grade was handed in, whatever the flags say.
    expect([has(fresh, 'submitted'), has(later, 'submitted'), later?.class]).toEqual([false, true, 1])
    expect([fresh, later].map((each) => has(each, 'submitted_with_grade'))).toEqual([false, false])
  })

  test('begins when the platform says so, by a percentage or by a status', () => {
    const started = (fields: Partial<StoredEvent>) =>
      has(foldAssignment([event(100, progress, fields)])[0], 'started')
    const begun = [{ completionPercentage: 1 }, { status: 'in_progress' }, submitted]
    expect(begun.map(started)).toEqual([true, true, true])
    expect([{ completionPercentage: null }, { firstViewedAtMs: 90 }, {}].map(started)).toEqual([
      false,
      false,
      false,
    ])
  })

  test('keeps the due dates in force while the learner had to act, and drops spans that closed in time', () => {
    const versions = foldAssignment([
      event(100, created, { dueDateMs: 150 }),
      event(200, progress, { dueDateMs: 150 }),
      event(300, progress, { dueDateMs: 350 }),
      event(400, progress, { ...submitted, dueDateMs: 350 }),
      event(500, progress, { dueDateMs: 900 }),
      event(600, progress, { ...submitted, dueDateMs: 900 }),
    ])
    expect(versions[1]?.dueSpans).toEqual([[100, endOfTimeMs, 150]])
    expect(versions[3]?.dueSpans).toEqual([
      [100, 300, 150],
      [300, 400, 350],
    ])
    expect(versions[4]?.dueSpans.at(-1)).toEqual([500, endOfTimeMs, 900])
    expect(versions[5]?.dueSpans).toHaveLength(2)
    // One that closed at its due date was in time; one that opens again under the same date is another.
    const [, onTime, again] = foldAssignment([
      event(100, created, { dueDateMs: 200 }),
      event(200, progress, { ...submitted, dueDateMs: 200 }),
      event(300, progress, { dueDateMs: 200 }),
    ])
    expect([onTime?.dueSpans, again?.dueSpans]).toEqual([[], [[300, endOfTimeMs, 200]]])
    const late = foldAssignment([
      event(100, created, { dueDateMs: 150 }),
      event(200, progress, { ...submitted, dueDateMs: 150 }),
      event(300, progress, { dueDateMs: 150 }),
    ])
    expect(late[2]?.dueSpans).toEqual([
      [100, 200, 150],
      [300, endOfTimeMs, 150],
    ])
  })

  test('keeps the last hundred deadlines that passed, however often they move', () => {
    const hour = 3_600_000
    // Each is moved an hour after it has passed.
    const events = Array.from({ length: 5_000 }, (_, at) =>
      event((at + 1) * hour, progress, { dueDateMs: at * hour + 1 }),
    )
    const versions = foldAssignment(events)
    expect(versions).toHaveLength(5_000)
    expect(Math.max(...versions.map(({ dueSpans }) => dueSpans.length))).toBe(100)
    expect(versions.at(-1)?.dueSpans.at(-1)).toEqual([5_000 * hour, endOfTimeMs, 4_999 * hour + 1])
    expect(versions.at(-1)?.dueSpans[0]).toEqual([4_901 * hour, 4_902 * hour, 4_900 * hour + 1])
  })
})
