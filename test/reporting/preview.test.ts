/** What another due zone or due end would change: counted beside the model's rows under both. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import type { Preview } from '../../reporting/queries/preview.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { scopeFacts } from '../../schemas/metrics/scope.ts'
import { asDescribed, type DescribedApi } from '../dashboards/api/described.ts'
import { setApart } from '../model/arbitrary/apart.ts'
import { historyArb } from '../model/arbitrary/history.ts'
import { computeAssignments } from '../model/model.ts'
import { createScope, type Delivery, type Scope } from '../model/scope.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

// An hour past midnight in Kiritimati is still the day before everywhere else.
const now = monday + 60 * day + 11 * 3_600_000
const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const

let store: TestStore
let api: DescribedApi
let deliveries: Delivery[]
beforeAll(async () => {
  store = await openTestStore()
  const today = monday + 60 * day
  deliveries = [
    ...fc
      .sample(historyArb({ maxEvents: 24 }), { numRuns: 40, seed: 8 })
      .flatMap((history, number) => setApart(history, number).deliveries),
    ...[-14, -2, 2, 9, 14].map((hours): Delivery => ({
      body: toBody('Created', `due ${hours}`, monday, { dueDate: today + hours * 3_600_000 }, { id: -1 }),
      receivedAt: now,
    })),
  ]
  await storeBodies(
    store.writer,
    deliveries.map(({ body }) => body),
  )
  api = asDescribed(
    createApi({ queries: createQueries(store.reader, { streamer: store.streamer }), settings, clock: () => now }),
  )
})
afterAll(() => store.close())

test.each([
  ['due_end=instant', { dueEnd: 'instant' }, {}],
  ['due_zone=Pacific/Kiritimati', { dueZone: 'Pacific/Kiritimati' }, {}],
  [
    'due_zone=America/Los_Angeles&status=not_started&include_leavers=true',
    { dueZone: 'America/Los_Angeles' },
    { status: ['not_started'], includeLeavers: true },
  ],
] as [string, Partial<Scope>, Partial<Scope>][])('%s', async (query, tried, narrowed) => {
  const response = await api.request(`/preview?${query}`)
  expect(response.status).toBe(200)
  const preview = (await response.json()) as Preview
  const before = computeAssignments(deliveries, createScope(now, narrowed))
  const others = computeAssignments(deliveries, createScope(now, { includeLeavers: true, ...tried }))
  const pairs = before.map((row) => [row, others.find((other) => other.assignment_id === row.assignment_id)!] as const)
  const moves = pairs.filter(([a, b]) => a.effective_status !== b.effective_status)
  expect(moves.length).toBeGreaterThan(0)
  expect(preview.transitions.reduce((sum, { n }) => sum + n, 0)).toBe(moves.length)
  for (const { from, to, n, assignment_ids } of preview.transitions) {
    const own = moves.filter(([a, b]) => a.effective_status === from && b.effective_status === to)
    expect({ from, to, n }).toEqual({ from, to, n: own.length })
    expect(assignment_ids).toEqual(
      own
        .map(([a]) => a.assignment_id)
        .sort()
        .slice(0, 20),
    )
  }
  expect(preview.facts).toEqual(
    scopeFacts.map((fact) => ({
      fact,
      gained: pairs.filter(([a, b]) => !a[fact] && b[fact]).length,
      lost: pairs.filter(([a, b]) => a[fact] && !b[fact]).length,
    })),
  )
})

test('nothing changes under the settings themselves', async () => {
  const preview = (await (
    await api.request('/preview?due_zone=UTC&due_end=end_of_day&tz=Asia/Tokyo')
  ).json()) as Preview
  expect(preview).toMatchObject({ changed: 0, transitions: [] })
})

test.each(['due_zone=Mars/Base', 'due_end=noon', 'colour=red'])('refuses %s', async (query) =>
  expect((await api.request(`/preview?${query}`)).status).toBe(400),
)
