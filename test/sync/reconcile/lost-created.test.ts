/** A `Created` that was lost while later events came: repaired by what every payload says, or listed. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readBlocks } from '../../../reporting/statements/read-blocks.ts'
import { toMetricsAnswer } from '../../../reporting/metrics/to-metrics.ts'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import type { PositionedRecord } from '../../../services/event-log/event-log.ts'
import type {
  AssignmentPayload,
  PlatformClient,
  UserAssignments,
} from '../../../services/platform/platform-client.ts'
import { createReconcile, type Reconcile } from '../../../services/sync/reconcile/reconcile.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBatch, toBody, toRecord } from '../../support/data/records.ts'
import { openTestStore } from '../../support/store/store.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { isLong } from '../../support/tiers.ts'

const now = monday + 60 * day

let offset = 0
let asked: string[] = []
let answers: Record<string, UserAssignments> = {}
let reconcile: Reconcile
const store = await openTestStore()
afterAll(() => store.close())
beforeEach(async () => {
  await store.clear()
  offset = 0
  asked = []
  answers = {}
  reconcile = createReconcile({
    client: store.writer,
    platform: {
      userAssignments(userId: string) {
        asked.push(userId)
        return Promise.resolve(answers[userId] ?? { outcome: 'not_offered' })
      },
    } as unknown as PlatformClient,
    append: (records) => put(records.map((record) => ({ ...record, offset: offset++ }))),
    now: () => now,
  })
})

const put = async (records: PositionedRecord[]) => {
  if (records.length > 0) await createConsumer({ client: store.writer }).handle(toBatch(records))
}

/** Each came at the moment of which it tells. */
async function deliver(bodies: Uint8Array[], source = 'main'): Promise<void> {
  await put(
    bodies.map((body) => {
      const { timestamp } = JSON.parse(Buffer.from(body).toString()) as { timestamp: number }
      return { ...toRecord(body, offset++, source), receivedAt: timestamp }
    }),
  )
}

function list(...bodies: Uint8Array[]): UserAssignments {
  const payloads = bodies.map((body): AssignmentPayload => {
    const delivery = parseDelivery(body)
    if (delivery.outcome !== 'event' || delivery.event.assignment === undefined)
      throw new Error('not an event')
    return { body, event: { ...delivery.event, assignment: delivery.event.assignment } }
  })
  return { outcome: 'assignments', payloads, skipped: [], answeredAtMs: now }
}

const sweep = () => reconcile.sweep({ repair: true, maxPeople: 100, notAgainForMs: 0 })
const made = () =>
  store.rows(
    `SELECT assignment_id, event_type, toUnixTimestamp64Milli(event_time) AS at, status, due_date, contradictions
     FROM rollcall.events WHERE source = 'reconcile' ORDER BY assignment_id, event_time`,
  )
async function assignedAt(asOf: number): Promise<number> {
  const scope = { ...createScope(asOf), now, includeLeavers: true }
  return toMetricsAnswer(await readBlocks(ownReader(store.reader), scope, 'metrics'), scope).metrics.assigned
    .value
}
const began = toBody('Created', 'first of all', monday, { createdAt: monday })
const late = (id: string, createdAt: number, at: number, fields = {}) =>
  toBody('Progress', id, at, { createdAt, completionPercentage: 30, status: 'in_progress', ...fields })

test('is made up at createdAt, as a new assignment is, of what our own events tell', async () => {
  await deliver([began, late('a', monday + 2 * day, monday + 9 * day)])
  expect(await assignedAt(monday + 5 * day)).toBe(1)
  expect(await sweep()).toMatchObject({ created: 1, repaired: 1, listed: 0, notOffered: 1 })
  expect(await made()).toEqual([
    {
      assignment_id: 'a',
      event_type: 'assignmentCreated.challenge',
      at: String(monday + 2 * day),
      status: 'not_started',
      due_date: null,
      contradictions: [],
    },
  ])
  expect(await assignedAt(monday + 5 * day)).toBe(2)
  expect(await assignedAt(monday + 2 * day - 1)).toBe(1)
  // Repairing twice would be a repeat; it is not even tried.
  expect(await sweep()).toMatchObject({ created: 0, repaired: 0 })
})

test.runIf(isLong)(
  'changes nothing of today, and a Created that was only late stands in its place',
  async () => {
    await deliver([began, late('a', monday + 2 * day, monday + 9 * day, { dueDate: monday + 20 * day })])
    await sweep()
    await deliver([
      toBody('Created', 'a', monday + 2 * day, { createdAt: monday + 2 * day, dueDate: monday + 15 * day }),
    ])
    const rows = await store.rows(
      `SELECT completion_percentage, toUnixTimestamp64Milli(due_date) AS due, toUnixTimestamp64Milli(first_due_date) AS first
     FROM rollcall.assignments WHERE assignment_id = 'a'`,
    )
    expect(rows).toEqual([
      { completion_percentage: 30, due: String(monday + 20 * day), first: String(monday + 15 * day) },
    ])
    expect(await sweep()).toMatchObject({ created: 0 })
  },
)

test('of before deliveries began is listed once, and nothing is made up', async () => {
  await deliver([began, late('old', monday - 30 * day, monday + day)])
  expect(await sweep()).toMatchObject({ created: 1, repaired: 0, listed: 1 })
  expect(await sweep()).toMatchObject({ created: 0, repaired: 0, listed: 0 })
  expect(await made()).toEqual([])
  expect(await store.rows('SELECT assignment_id, kind, action FROM rollcall.drift_report')).toEqual([
    { assignment_id: 'old', kind: 'created', action: 'listed' },
  ])
})

test.runIf(isLong)('counts from the first delivery of its own token', async () => {
  await deliver([began])
  await deliver([toBody('Progress', 'begins', monday + 10 * day, { createdAt: monday + 10 * day })], 'later')
  await deliver([late('too early', monday + 5 * day, monday + 12 * day)], 'later')
  await deliver([late('heard', monday + 5 * day, monday + 12 * day)])
  expect(await sweep()).toMatchObject({ created: 2, repaired: 1, listed: 1 })
  expect(await made()).toMatchObject([{ assignment_id: 'heard' }])
})

test('of an assignment of which nothing came is made up, too', async () => {
  await deliver([began])
  answers['7'] = list(
    toBody('Created', 'first of all', monday),
    late('lost', monday + 3 * day, monday + 8 * day),
  )
  expect(await sweep()).toMatchObject({ missing: 1, created: 1, repaired: 2 })
  expect(await made()).toMatchObject([
    { event_type: 'assignmentCreated.challenge', at: String(monday + 3 * day), due_date: null },
    { event_type: 'assignmentProgress.challenge', at: String(monday + 8 * day), status: 'in_progress' },
  ])
})

test('is not made up of a deletion in the list, which revives nothing and counts as not listed', async () => {
  const deletions = ['deleted', 'only here', 'unheard'].map((id) => toBody('Deleted', id, monday + 5 * day))
  await deliver([
    began,
    ...['deleted', 'only here'].map((id) => toBody('Created', id, monday + day, { createdAt: monday })),
    deletions[0] as Uint8Array,
  ])
  answers['7'] = list(began, ...deletions)
  expect(await sweep()).toMatchObject({ missing: 0, created: 0, extra: 1, waiting: 1, repaired: 0 })
})

test.runIf(isLong)('after a deletion that was lost as well begins another life', async () => {
  const again = monday + 20 * day
  await deliver([
    began,
    toBody('Completed', 'first of all', monday + 5 * day, {
      createdAt: monday,
      isCompleted: true,
      isSubmitted: true,
    }),
    late('first of all', again, again + 2 * day),
  ])
  expect(await sweep()).toMatchObject({ created: 1, repaired: 1 })
  expect(await made()).toMatchObject([
    { event_type: 'assignmentDeleted.challenge', at: String(again - 1) },
    { event_type: 'assignmentCreated.challenge', at: String(again) },
  ])
  // The hand-in belongs to the first life.
  expect(await store.rows('SELECT life, submitted FROM rollcall.assignments')).toEqual([
    { life: 2, submitted: false },
  ])
  expect(await sweep()).toMatchObject({ created: 0 })
})

test.runIf(isLong)('after a deletion that came begins a life that was not seen', async () => {
  const again = monday + 20 * day
  await deliver([
    began,
    toBody('Deleted', 'first of all', monday + 5 * day),
    late('first of all', again, again + day),
  ])
  expect(await assignedAt(now)).toBe(0)
  expect(await sweep()).toMatchObject({ created: 1, repaired: 1 })
  expect(await assignedAt(now)).toBe(1)
})

test.runIf(isLong)('that is deleted by now is repaired for the past', async () => {
  const createdAt = monday + 2 * day
  await deliver([
    began,
    late('a', createdAt, monday + 6 * day),
    toBody('Deleted', 'a', monday + 10 * day, { createdAt }),
  ])
  await sweep()
  expect([await assignedAt(monday + 3 * day), await assignedAt(now)]).toEqual([2, 1])
})

test.runIf(isLong)('is not looked for where a Created came, with whatever times', async () => {
  await deliver([
    began,
    toBody('Created', 'of no time', monday + day, { createdAt: null }),
    late('of no time', monday + day, monday + 2 * day),
    // Created before it was created, by some milliseconds; and a list that cuts times to the second.
    toBody('Created', 'skewed', monday + day, { createdAt: monday + day + 3 }),
    late('skewed', monday + day + 3, monday + 2 * day),
    toBody('Created', 'cut', monday + day + 450, { createdAt: monday + day + 450 }),
    late('cut', monday + day, monday + 2 * day),
    late('just now', now - 60_000, now - 30_000),
  ])
  expect(await sweep()).toMatchObject({ created: 0, repaired: 0 })
})

test('only reports where repair is off', async () => {
  await deliver([began, late('a', monday + 2 * day, monday + 9 * day)])
  expect(await reconcile.sweep({ repair: false, maxPeople: 10, notAgainForMs: 0 })).toMatchObject({
    created: 1,
    repaired: 0,
  })
  expect(await made()).toEqual([])
})

test.runIf(isLong)(
  'a platform without lists is asked for a few people; the others are repaired by events',
  async () => {
    const ids = Array.from({ length: 8 }, (_, at) => 100 + at)
    const delivered = ids.map((id) =>
      toBody('Progress', `of ${id}`, monday + 9 * day, { createdAt: monday + 2 * day }, { id }),
    )
    await deliver([began, ...delivered])
    expect(await sweep()).toMatchObject({ people: 9, notOffered: 9, created: 8, repaired: 8 })
    expect(asked).toHaveLength(5)
  },
)

test.each([
  ['one list with something in it is enough to ask for everybody', true, 8],
  ['an empty list says nothing of lists', false, 6],
])('%s', async (_, isFull, asks) => {
  const ids = Array.from({ length: 8 }, (__, at) => 100 + at)
  await deliver(ids.map((id) => toBody('Created', `of ${id}`, monday, { createdAt: monday }, { id })))
  const first = isFull
    ? list(toBody('Created', 'of 100', monday, { createdAt: monday }, { id: 100 }))
    : list()
  for (const id of ids) {
    Object.defineProperty(answers, id, {
      get: () => (asked.length === 1 ? first : { outcome: 'not_offered' }),
    })
  }
  await reconcile.sweep({ repair: false, maxPeople: 100, notAgainForMs: 0 })
  expect(asked).toHaveLength(asks)
})

test.runIf(isLong)(
  'of people who have left is repaired as well: they are compared like everybody',
  async () => {
    const leaver = toBody(
      'Deleted',
      'left',
      monday + 9 * day,
      { createdAt: monday + day },
      { id: 8, isDeleted: true },
    )
    await deliver([
      began,
      toBody('Progress', 'left', monday + 8 * day, { createdAt: monday + day }, { id: 8 }),
      leaver,
    ])
    expect(await sweep()).toMatchObject({ people: 2, created: 1, repaired: 1 })
    expect(asked.sort()).toEqual(['7', '8'])
    expect(await assignedAt(monday + 2 * day)).toBe(2)
  },
)
