import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import { computeAssignments, computeMetrics } from '../../model/model.ts'
import { createScope } from '../../model/scope.ts'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { createStoreApi, asDescribed, type DescribedApi } from './described.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'

const now = monday + 40 * day
const north = { id: 7, name: 'Ada Moreno', groups: [{ id: 1, name: 'North' }] }
const both = {
  id: 8,
  name: '=cmd()',
  groups: [
    { id: 1, name: 'North' },
    { id: 2, name: 'South' },
  ],
}
const leaver = { id: 9, name: 'Cy', isDeleted: true }
const bodies = [
  toBody('Created', 'a1', monday, {}, north),
  toBody(
    'Progress',
    'a1',
    monday + day,
    { isSubmitted: true, status: 'needs_grading', createdAt: monday },
    north,
  ),
  toBody(
    'Completed',
    'a1',
    monday + 3 * day,
    {
      isSubmitted: true,
      isFullyGraded: true,
      isCompleted: true,
      passed: true,
      calculatedGrade: 88,
      completedAt: monday + 3 * day,
    },
    north,
  ),
  toBody('Created', 'a2', monday + day, { createdAt: monday + day }, both),
  toBody('Created', 'a3', monday + day, { createdAt: monday + day, dueDate: null }, both),
  toBody('Created', 'a4', monday + 2 * day, { createdAt: monday + 2 * day }, leaver),
  toBody(
    'Progress',
    '"a,5"',
    monday + 2 * day,
    { createdAt: null, isSubmitted: true, challengeId: 'c2' },
    north,
  ),
]

let store: TestStore
let app: Hono
let api: DescribedApi
beforeAll(async () => {
  store = await openTestStore()
  await storeBodies(store.writer, bodies)
  app = createStoreApi(store, now, { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' })
  api = asDescribed(app)
})
afterAll(() => store.close())

const deliveries = bodies.map((body) => ({ body, receivedAt: now }))
const scope = createScope(now, { timeZone: 'Europe/Berlin', dueZone: 'Europe/Berlin' })

type RowsAnswer = { total: number; next: string | null; as_of: string; assignments: AssignmentRow[] }

async function getRows(query: string): Promise<RowsAnswer> {
  const response = await api.request(`/assignments?${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as RowsAnswer
}

describe('GET /metrics', () => {
  test('answers with everything METRICS.md names, and with what it was computed by', async () => {
    const response = await api.request('/metrics')
    expect(response.status).toBe(200)
    const answer = (await response.json()) as MetricsAnswer
    expect(answer).toMatchObject({
      as_of: '2026-02-14T00:00:00.000Z',
      time_zone: 'Europe/Berlin',
      due_zone: 'Europe/Berlin',
      due_end: 'end_of_day',
      period: 'week',
      complete_through: new Date(monday + 30 * day + bodies.length - 1).toISOString(),
    })
    expect(answer.metrics).toEqual(computeMetrics(deliveries, scope))
  })

  test('refuses with every problem', async () => {
    const response = await api.request('/metrics?period=year&colour=red')
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as {
      error: { code: string; problems: { parameter: string }[] }
    }
    expect(error.code).toBe('INVALID_PARAMETERS')
    expect(error.problems.map(({ parameter }) => parameter).sort()).toEqual(['colour', 'period'])
  })
})

test('an empty value means “not given” on every route', async () => {
  const asked = [
    ['/metrics', ''],
    ['/guides', ''],
    ['/assignments', ''],
    ['/assignments/a1', ''],
    ['/changes', '&from=2026-02-01'],
    ['/metrics/explain', '&metric=overdue'],
  ].map(([path, needed]) => `${path}?colour=&challenge=&as_of=&from=&to=&by=&guide=${needed}`)
  for (const path of asked) expect([path, (await api.request(path)).status]).toEqual([path, 200])
})

describe('GET /assignments', () => {
  test('gives every row behind the numbers, with the facts of METRICS.md', async () => {
    const { assignments, total } = await getRows('')
    const expected = computeAssignments(deliveries, scope)
    expect(total).toBe(expected.length)
    for (const row of expected) {
      const found = assignments.find(({ assignment_id }) => assignment_id === row.assignment_id)
      const { regrades: _, ...facts } = row
      const instants = [
        'created_at',
        'updated_at',
        'due_date',
        'reviewers_due_date',
        'completed_at',
        'first_viewed_at',
        'first_seen_submitted',
        'first_seen_graded',
        'first_due_date',
      ]
      expect(found).toMatchObject(
        Object.fromEntries(
          Object.entries(facts).map(([name, value]) => [
            name,
            instants.includes(name) && typeof value === 'number' ? new Date(value).toISOString() : value,
          ]),
        ),
      )
    }
  })

  test('pages through all rows, each once, in one order and as of one instant', async () => {
    const whole = await getRows('include_leavers=true')
    const seen: string[] = []
    let query: string | undefined = 'include_leavers=true&per_page=2'
    while (query !== undefined) {
      const page: RowsAnswer = await getRows(query)
      seen.push(...page.assignments.map((row) => row.assignment_id))
      expect(page.as_of).toBe(whole.as_of)
      query = page.next?.split('?')[1]
    }
    expect(seen).toEqual(whole.assignments.map((row) => row.assignment_id))
    expect(seen).toHaveLength(5)
  })

  test.each(['format=pdf', 'per_page=0', 'per_page=1001', 'after=x', 'format=csv&format=json', 'colour=red'])(
    'refuses %s',
    async (query) => expect((await api.request(`/assignments?${query}`)).status).toBe(400),
  )
})

describe('the CSV of assignments', () => {
  test('has the same rows, a mark for UTF-8, quoted cells and none that a spreadsheet would run', async () => {
    const response = await api.request('/assignments?format=csv&team=1')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="rollcall_assignments_as-of-2026-02-14T0000Z_team-1.csv"',
    )
    const text = Buffer.from(await response.arrayBuffer()).toString()
    expect(text.startsWith('\ufeffchallenge,user_name,teams,managers,effective_status,')).toBe(true)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(1 + (await getRows('team=1')).total)
    expect(text).toContain(`,'=cmd(),`)
    expect(text).toContain('"""a,5"""')
    expect(text).toContain('North; South')
  })
})

test('answers in JSON for a path that it does not have, also where it is mounted', async () => {
  const mounted = new Hono().route('/api', app)
  for (const path of ['/api/nope', '/api', '/api/metrics/x']) {
    const answer = await mounted.request(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
  }
})
