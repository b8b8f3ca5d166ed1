/** One assignment through time: state, lives, events and regrades, held against the model's reading of the raw bodies. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { everybody } from '../../reporting/audience.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { readFor } from '../../reporting/queries/read-for.ts'
import type { Timeline } from '../../schemas/answers/timeline.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createStoreApi, asDescribed } from '../dashboards/api/described.ts'
import { joinApart } from '../model/arbitrary/apart.ts'
import { historyArb } from '../model/arbitrary/history.ts'
import { computeAssignments } from '../model/model.ts'
import { createScope, type Delivery } from '../model/scope.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'
import { pick } from '../support/tiers.ts'

const now = Date.UTC(2026, 4, 1)

type Answer = Timeline & {
  as_of: string
  state: { assignment_id: string; calculated_grade: number | null } | null
}

const graded = (
  at: number,
  grade: number | null,
  passed: boolean,
  kind: 'Progress' | 'Created' = 'Progress',
) =>
  toBody(kind, 'told/often', at, { isFullyGraded: true, isSubmitted: true, calculatedGrade: grade, passed })
const told = [
  toBody('Created', 'told/often', monday),
  graded(monday + day, 50, false),
  graded(monday + 2 * day, 80, true),
  toBody('Deleted', 'told/often', monday + 3 * day),
  graded(monday + 4 * day, 10, true, 'Created'),
  graded(monday + 5 * day, null, true),
  graded(monday + 6 * day, 10, true),
  graded(monday + 7 * day, 90, true),
]

const nobody = { id: null, name: null, email: null }
const [of1, of2] = [{ id: 'told-1', managers: [{ id: 'told-manager' }] }, { id: 'told-2' }]
const namingNobody = [
  toBody('Created', 'told/some', monday, {}, of1),
  toBody('Progress', 'told/some', monday + day, { isSubmitted: true }, nobody),
  toBody('Progress', 'told/some', monday + 2 * day, { isFullyGraded: true, isSubmitted: true }, of1),
  toBody('Deleted', 'told/some', monday + 3 * day, {}, nobody),
  toBody('Created', 'told/some', monday + 4 * day, {}, of1),
  toBody('Created', 'told/none', monday, {}, of2),
  toBody('Progress', 'told/none', monday + day, { isSubmitted: true }, nobody),
]

const store = await openTestStore()
const deliveries = [
  ...joinApart(fc.sample(historyArb({ maxEvents: 30 }), { numRuns: 60, seed: 5 })).deliveries,
  ...[...told, ...namingNobody].map((body): Delivery => ({ body, receivedAt: now })),
]
const consumer = createConsumer({ client: store.writer })
await consumer.resumeFrom(0)
// Backwards: the order of arrival must not matter.
const records = deliveries.toReversed().map(({ body }, offset) => toRecord(Buffer.from(body), offset))
await consumer.handle(toBatch(records))
const api = asDescribed(createStoreApi(store, now))
afterAll(() => store.close())

async function getAssignment(id: string, asOf: number): Promise<Answer> {
  const query = `as_of=${new Date(asOf).toISOString()}`
  const response = await api.request(`/assignments/${encodeURIComponent(id)}?${query}`)
  expect(response.status, id).toBe(200)
  return (await response.json()) as Answer
}

test.each([now, Date.UTC(2026, 2, 15), Date.UTC(2026, 1, 20)])(
  'regrades are those of the model, as of %d',
  async (asOf) => {
    const rows = computeAssignments(deliveries, createScope(asOf, { now, includeLeavers: true }))
    expect(rows.flatMap((row) => row.regrades).length).toBeGreaterThan(0)
    const asked = rows.filter(({ regrades }, index) => regrades.length > 0 || index % 7 === 0)
    for (const row of pick(asked, 6)) {
      const { regrades, state, lives, events } = await getAssignment(row.assignment_id, asOf)
      expect(regrades.map((regrade) => ({ ...regrade, at: Date.parse(regrade.at) }))).toEqual(row.regrades)
      expect(state).toMatchObject({
        assignment_id: row.assignment_id,
        calculated_grade: row.calculated_grade,
      })
      expect(lives.reduce((sum, life) => sum + life.events, 0)).toBe(events.length)
      expect(lives.at(-1)?.ended_at).toBeNull()
    }
  },
)

test('grades of an earlier life, and unknown ones, are no regrades', async () => {
  const early = await getAssignment('told/often', monday + 2 * day)
  expect(early.regrades).toMatchObject([
    { grade_from: 50, grade_to: 80, passed_from: false, passed_to: true },
  ])
  const gone = await getAssignment('told/often', monday + 3 * day)
  expect(gone.state).toBeNull()
  expect(gone.lives).toMatchObject([
    { life: 1, ended_at: new Date(monday + 3 * day).toISOString(), events: 4 },
  ])
  const late = await getAssignment('told/often', monday + 30 * day)
  expect(late.regrades).toMatchObject([
    { at: new Date(monday + 7 * day).toISOString(), grade_from: 10, grade_to: 90 },
  ])
  expect(late.lives.map(({ life, events }) => [life, events])).toEqual([
    [1, 4],
    [2, 4],
  ])
  expect(late.events.map(({ event_type }) => event_type)).toHaveLength(8)
})

test('leaves out what was not known at that moment, and ignores filters for a single assignment', async () => {
  expect((await api.request('/assignments/nobody')).status).toBe(404)
  expect((await api.request('/assignments/told%2Foften?as_of=2025-01-01')).status).toBe(404)
  expect((await api.request('/assignments/told%2Foften?team=1')).status).toBe(400)
})

test('an event that names nobody is shown to those who see the person of the state that began with it', async () => {
  const people = { under: ['told-manager'], teams: [], teamsOf: [] }
  const reader = readFor(store.reader, { audience: () => ({ ...everybody, people }), clock: () => now })
  const queries = createQueries(reader)
  const at = async (id: string) =>
    (await queries.assignmentEvents(id, now)).map((event) => (Date.parse(event.at) - monday) / day)
  expect([await at('told/some'), await at('told/none')]).toEqual([[0, 1, 2, 3, 4], []])
  const [before, after] = [createScope(monday + day / 2, { now }), createScope(now)]
  const { changes } = await queries.changes(before, after, { limit: 10 })
  expect(changes.map(({ assignment_id, events }) => [assignment_id, events.length])).toEqual([
    ['told/some', 4],
  ])
})
