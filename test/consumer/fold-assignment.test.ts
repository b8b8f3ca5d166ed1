import { expect, test } from 'vitest'
import { endOfTimeMs as end, stateBits, type StateFact } from '../../schemas/metrics/state-bits.ts'
import { foldAssignment, type AssignmentVersion } from '../../services/consumer/fold/fold-assignment.ts'
import { flagBits } from '../../schemas/webhook/event-bits.ts'
import { compareEvents, type StoredEvent } from '../../services/consumer/fold/stored-event.ts'

let ids = 0
const toEvent =
  (typeNumber: number) =>
  (eventTimeMs: number, fields: Partial<StoredEvent> = {}) => ({
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
  })
const [created, progress, completed, deleted] = [1, 2, 3, 4].map(toEvent) as [
  ReturnType<typeof toEvent>,
  ReturnType<typeof toEvent>,
  ReturnType<typeof toEvent>,
  ReturnType<typeof toEvent>,
]
const submitted = { flagsTrue: flagBits.isSubmitted }
const graded = { flagsTrue: flagBits.isSubmitted | flagBits.isFullyGraded }
const from = (validFromMs: number, validToMs: number) => ({ validFromMs, validToMs })

/** The version, and facts that are true or false of it. */
type Expected = Partial<AssignmentVersion> & { facts?: Partial<Record<StateFact, boolean>> }

const cases: Record<string, [StoredEvent[], Expected[]]> = {
  'one version per moment, each until the next, the last open-ended': [
    [created(100), progress(200), completed(300)],
    [from(100, 200), from(200, 300), from(300, end)],
  ],
  'only the last event of a moment makes a state, and all of them count as first seen': [
    [created(100), progress(200, { ...submitted, updatedAtMs: 1 }), progress(200, { updatedAtMs: 2 })],
    [from(100, 200), { facts: { submitted: false }, firstSubmittedAtMs: 200 }],
  ],
  'a progress after the deletion does not undo it': [
    [created(100), deleted(200), progress(300)],
    [{ facts: { deleted: false } }, { facts: { deleted: true } }, { facts: { deleted: true }, life: 1 }],
  ],
  'a created after a deletion begins a new life, which forgets what was first seen': [
    [
      created(100, { dueDateMs: 500 }),
      progress(200, { ...submitted, dueDateMs: 600 }),
      deleted(300),
      created(400, { dueDateMs: 900 }),
    ],
    [
      {},
      { facts: { deadline_moved: true } },
      {},
      {
        life: 2,
        firstSubmittedAtMs: 0,
        firstDueDateMs: 900,
        lifeStartedAtMs: 400,
        facts: { deleted: false, deadline_moved: false },
      },
    ],
  ],
  'createdAt, user and challenge carry over, and nothing else': [
    [
      created(100, { grade: 50 }),
      progress(200, { createdAtMs: 0, userId: '', challengeId: '', grade: null, dueDateMs: 0 }),
    ],
    [{}, { createdAtMs: 100, userId: 'u', challengeId: 'c', dueDateMs: 0, facts: { grade_known: false } }],
  ],
  'the first event of the life stands in for a createdAt that was never sent': [
    [progress(250, { createdAtMs: 0 })],
    [{ createdAtMs: 250, validFromMs: 250, facts: { created_assumed: true } }],
  ],
  'no version begins before createdAt': [[created(50), progress(60)], [from(100, end)]],
  'a life can begin submitted and graded': [
    [progress(100, graded)],
    [{ facts: { began_submitted: true, began_graded: true, submitted_with_grade: true, started: true } }],
  ],
  'an assignment that awaits a grade was handed in, whatever the flags say': [
    [created(100), progress(200, { status: 'needs_grading' })],
    [{ facts: { submitted: false, started: false } }, { class: 1, facts: { submitted: true } }],
  ],
  'a percentage starts it': [[progress(100, { completionPercentage: 1 })], [{ facts: { started: true } }]],
  'a status starts it': [[progress(100, { status: 'in_progress' })], [{ facts: { started: true } }]],
  'a view does not start it': [
    [progress(100, { completionPercentage: null, firstViewedAtMs: 90 })],
    [{ facts: { started: false, viewed: true } }],
  ],
  'due dates that passed while the learner had to act stay': [
    [
      created(100, { dueDateMs: 150 }),
      progress(200, { dueDateMs: 150 }),
      progress(300, { dueDateMs: 350 }),
      progress(400, { ...submitted, dueDateMs: 350 }),
      progress(500, { dueDateMs: 900 }),
      progress(600, { ...submitted, dueDateMs: 900 }),
    ],
    [
      {},
      { dueSpans: [[100, end, 150]] },
      {},
      { dueSpans: [[100, 300, 150], [300, 400, 350]] }, // prettier-ignore
      { dueSpans: [[100, 300, 150], [300, 400, 350], [500, end, 900]] }, // prettier-ignore
      { dueSpans: [[100, 300, 150], [300, 400, 350]] }, // prettier-ignore
    ],
  ],
  'a span that closed at its due date was in time, and one that opens again is another': [
    [
      created(100, { dueDateMs: 200 }),
      progress(200, { ...submitted, dueDateMs: 200 }),
      progress(300, { dueDateMs: 200 }),
    ],
    [{}, { dueSpans: [] }, { dueSpans: [[300, end, 200]] }],
  ],
}

test.each(Object.entries(cases))('%s', (_, [events, expected]) => {
  const versions = foldAssignment(events)
  expect(foldAssignment([...events.toReversed(), ...events])).toEqual(versions)
  expect(versions).toHaveLength(expected.length)
  for (const [n, { facts = {}, ...fields }] of expected.entries()) {
    const version = versions[n] as AssignmentVersion
    expect(version).toMatchObject(fields)
    const names = Object.keys(facts) as StateFact[]
    const found = names.map((name) => [name, (version.state & (1 << stateBits[name])) !== 0])
    expect(Object.fromEntries(found)).toEqual(facts)
  }
})

test('events are in order of their time, then updatedAt, then their type, then id', () => {
  const first = progress(100, { eventId: 'b', updatedAtMs: 50 })
  const later = [
    { ...first, eventTimeMs: 101, updatedAtMs: 1, typeNumber: 1, eventId: 'a' },
    { ...first, updatedAtMs: 51, typeNumber: 1, eventId: 'a' },
    { ...first, typeNumber: 3, eventId: 'a' },
    { ...first, eventId: 'c' },
  ]
  expect(later.map((other) => [compareEvents(first, other) < 0, compareEvents(other, first) > 0])).toEqual(
    later.map(() => [true, true]),
  )
})

test('the last hundred deadlines that passed are kept, however often they move', () => {
  const events = Array.from({ length: 1_000 }, (_, at) => progress(at + 100, { dueDateMs: at + 99 }))
  const versions = foldAssignment(events)
  expect(Math.max(...versions.map(({ dueSpans }) => dueSpans.length))).toBe(100)
  expect(versions.at(-1)?.dueSpans.at(-1)).toEqual([1_099, end, 1_098])
})
