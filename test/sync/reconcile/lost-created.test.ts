/** A `Created` that was lost while later events came: repaired by what every payload says, or listed. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readBlocks } from '../../../reporting/statements/read-blocks.ts'
import { toMetricsAnswer } from '../../../reporting/metrics/to-metrics.ts'
import { parseDelivery } from '../../../schemas/webhook/parse-delivery.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import type { PositionedRecord } from '../../../services/event-log/event-log.ts'
import type { AssignmentPayload, UserAssignments } from '../../../services/platform/platform-client.ts'
import type { PlatformClient } from '../../../services/platform/open-platform-client.ts'
import { createReconcile, type Reconcile } from '../../../services/sync/reconcile/reconcile.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBatch, toBody, toRecord } from '../../support/data/records.ts'
import { openTestStore } from '../../support/store/store.ts'
import { ownReader } from '../../../reporting/read/reader.ts'

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

type Case = {
  title: string
  bodies: Uint8Array[]
  /** What the platform lists of person 7. Default: it offers no list. */
  listed?: Uint8Array[]
  result: object
  made: object[]
  /** How many were assigned at a moment, after the repair. */
  assigned?: Record<number, number>
}
const createdEvent = 'assignmentCreated.challenge'
const again = monday + 20 * day
const createdAt = monday + 2 * day

test.each<Case>([
  {
    title: 'is made up at createdAt, as a new assignment is',
    bodies: [began, late('a', createdAt, monday + 9 * day)],
    result: { created: 1, repaired: 1, listed: 0, notOffered: 1 },
    made: [
      {
        assignment_id: 'a',
        event_type: createdEvent,
        at: String(createdAt),
        status: 'not_started',
        due_date: null,
        contradictions: [],
      },
    ],
    assigned: { [createdAt - 1]: 1, [monday + 5 * day]: 2 },
  },
  {
    title: 'of before deliveries began is listed, and nothing is made up',
    bodies: [began, late('old', monday - 30 * day, monday + day)],
    result: { created: 1, repaired: 0, listed: 1 },
    made: [],
  },
  {
    title: 'of an assignment of which nothing came is made up, too',
    bodies: [began],
    listed: [toBody('Created', 'first of all', monday), late('lost', monday + 3 * day, monday + 8 * day)],
    result: { missing: 1, created: 1, repaired: 2 },
    made: [
      { event_type: createdEvent, at: String(monday + 3 * day), due_date: null },
      { event_type: 'assignmentProgress.challenge', at: String(monday + 8 * day), status: 'in_progress' },
    ],
  },
  {
    title: 'is not made up of a deletion in the list, which revives nothing',
    bodies: [
      began,
      toBody('Created', 'gone', monday + day, { createdAt: monday }),
      toBody('Deleted', 'gone', monday + 5 * day),
    ],
    listed: [
      began,
      toBody('Deleted', 'gone', monday + 5 * day),
      toBody('Deleted', 'unheard', monday + 5 * day),
    ],
    result: { missing: 0, created: 0, extra: 0, repaired: 0 },
    made: [],
  },
  {
    title: 'after a deletion that was lost as well begins another life',
    bodies: [began, late('first of all', again, again + 2 * day)],
    result: { created: 1, repaired: 1 },
    made: [
      { event_type: 'assignmentDeleted.challenge', at: String(again - 1) },
      { event_type: createdEvent, at: String(again) },
    ],
  },
  {
    title: 'after a deletion that came begins a life that was not seen',
    bodies: [
      began,
      toBody('Deleted', 'first of all', monday + 5 * day),
      late('first of all', again, again + day),
    ],
    result: { created: 1, repaired: 1 },
    made: [{ event_type: createdEvent }],
    assigned: { [now]: 1 },
  },
  {
    title: 'of one that is deleted by now is repaired for the past',
    bodies: [
      began,
      late('a', createdAt, monday + 6 * day),
      toBody('Deleted', 'a', monday + 10 * day, { createdAt }),
    ],
    result: { created: 1, repaired: 1 },
    made: [{ event_type: createdEvent }],
    assigned: { [monday + 3 * day]: 2, [now]: 1 },
  },
  {
    title: 'is not looked for if a Created came, whatever its times',
    bodies: [
      began,
      toBody('Created', 'of no time', monday + day, { createdAt: null }),
      late('of no time', monday + day, monday + 2 * day),
      // Created before it was created, by some milliseconds; and a list that cuts times to the second.
      toBody('Created', 'skewed', monday + day, { createdAt: monday + day + 3 }),
      late('skewed', monday + day + 3, monday + 2 * day),
      toBody('Created', 'cut', monday + day + 450, { createdAt: monday + day + 450 }),
      late('cut', monday + day, monday + 2 * day),
      late('just now', now - 60_000, now - 30_000),
    ],
    result: { created: 0, repaired: 0 },
    made: [],
  },
  {
    title: 'of people who have left is repaired as well',
    bodies: [
      began,
      toBody('Progress', 'left', monday + 8 * day, { createdAt: monday + day }, { id: 8 }),
      toBody('Deleted', 'left', monday + 9 * day, { createdAt: monday + day }, { id: 8, isDeleted: true }),
    ],
    result: { people: 2, created: 1, repaired: 1 },
    made: [{ event_type: createdEvent }],
    assigned: { [monday + 2 * day]: 2 },
  },
])('a Created that was lost $title', async ({ bodies, listed, result, made: events, assigned = {} }) => {
  await deliver(bodies)
  if (listed !== undefined) answers['7'] = list(...listed)
  expect(await sweep()).toMatchObject(result)
  expect(await made()).toMatchObject(events)
  for (const [moment, count] of Object.entries(assigned)) expect(await assignedAt(Number(moment))).toBe(count)
  // Repairing twice would be a repeat; it is not even tried. Nothing is listed twice.
  expect(await sweep()).toMatchObject({ created: 0, repaired: 0, listed: 0 })
})

test('counts the beginning of deliveries by the token', async () => {
  await deliver([began])
  await deliver([toBody('Progress', 'begins', monday + 10 * day, { createdAt: monday + 10 * day })], 'later')
  await deliver([late('too early', monday + 5 * day, monday + 12 * day)], 'later')
  await deliver([late('heard', monday + 5 * day, monday + 12 * day)])
  expect(await sweep()).toMatchObject({ created: 2, repaired: 1, listed: 1 })
  expect(await made()).toMatchObject([{ assignment_id: 'heard' }])
})

test('only reports if repair is off', async () => {
  await deliver([began, late('a', createdAt, monday + 9 * day)])
  const looked = await reconcile.sweep({ repair: false, maxPeople: 10, notAgainForMs: 0 })
  expect(looked).toMatchObject({ created: 1, repaired: 0 })
  expect(await made()).toEqual([])
})

test.each([
  ['no list', undefined, 5],
  ['an empty list', [], 6],
  [
    'a list with something in it',
    [toBody('Created', 'of 100', monday, { createdAt: monday }, { id: 100 })],
    8,
  ],
])('a platform that gives one person %s is asked for others accordingly', async (_, first, asks) => {
  const ids = Array.from({ length: 8 }, (__, index) => 100 + index)
  await deliver(ids.map((id) => toBody('Created', `of ${id}`, monday, { createdAt: monday }, { id })))
  for (const id of ids) {
    Object.defineProperty(answers, id, {
      get: () => (asked.length === 1 && first !== undefined ? list(...first) : { outcome: 'not_offered' }),
    })
  }
  await reconcile.sweep({ repair: false, maxPeople: 100, notAgainForMs: 0 })
  expect(asked).toHaveLength(asks)
})
