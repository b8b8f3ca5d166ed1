/** Twenty random sets of filters: the screen, the page of rows, CSV, XLSX, `/api/metrics` and the explained SQL say the same. */
import * as fc from 'fast-check'
import type { Hono } from 'hono'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { agingBuckets, effectiveStatuses } from '../../schemas/metrics/answer.ts'
import { scopeFacts } from '../../schemas/metrics/scope.ts'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { openCompanyDashboards, type StoreDashboards } from './store-dashboards.ts'
import { countLines } from './links-walk.ts'

let company: StoreDashboards
let endpoint: Hono
beforeAll(async () => {
  company = await openCompanyDashboards()
  const client = await company.store.openAnalyst({
    maxExecutionSeconds: 60,
    maxMemoryBytes: 1_000_000_000,
    maxResultRows: 10_000,
    maxResultBytes: 10_000_000,
  })
  endpoint = await openSqlEndpoint({ client, people: false, maxWaiting: 100 })
})
afterAll(() => company.close())

/** Some values of some keys; wide enough that most sets hold something. */
const filterSet = fc.record(
  {
    challenge: fc.uniqueArray(fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4'), { minLength: 1, maxLength: 3 }),
    team: fc.uniqueArray(fc.constantFrom('north', 'south', 'care'), { minLength: 1, maxLength: 2 }),
    manager: fc.uniqueArray(fc.constantFrom('0', '1', '2'), { minLength: 1, maxLength: 2 }),
    status: fc.uniqueArray(fc.constantFrom(...effectiveStatuses), { minLength: 2, maxLength: 4 }),
    fact: fc.uniqueArray(fc.constantFrom(...scopeFacts), { minLength: 2, maxLength: 4 }),
    aging: fc.uniqueArray(fc.constantFrom(...agingBuckets), { minLength: 3, maxLength: 5 }),
    as_of: fc.constantFrom('2026-09-01', '2026-10-25', '2026-11-12T08:30:00Z'),
    assigned_from: fc.constantFrom('2026-05-01', '2026-07-15'),
    due_to: fc.constantFrom('2026-10-31', '2026-12-24'),
    due_end: fc.constant('instant'),
    tz: fc.constantFrom('Asia/Kathmandu', 'America/New_York'),
    due_zone: fc.constant('Pacific/Auckland'),
    include_leavers: fc.constant('true'),
  },
  { requiredKeys: [] },
)

const sets = fc.sample(filterSet, { numRuns: 20, seed: 8 }).map((set) => {
  const params = new URLSearchParams()
  // All of them at once would leave nothing.
  for (const [key, value] of Object.entries(set).slice(0, 6)) for (const one of [value].flat()) params.append(key, one)
  return params.toString()
})

async function get(path: string): Promise<Response> {
  const response = await company.dashboards.app.request(path)
  expect(response.status, path).toBe(200)
  return response
}

async function countBySql(sql: string): Promise<number> {
  const answer = await endpoint.request('/?default_format=JSONCompactEachRow', { method: 'POST', body: sql })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return Number((JSON.parse(text.split('\n')[0] ?? '') as unknown[])[0])
}

const totals: number[] = []

test.each(sets)('of %s', async (query) => {
  const { metrics } = (await (await get(`/api/metrics?${query}`)).json()) as MetricsAnswer
  const assigned = metrics.assigned.value
  totals.push(assigned)

  const screen = await (await get(`/?${query}`)).text()
  const shown = /<a class="count" href="[^"]*part=denominator[^"]*" data-count="(\d+)"/.exec(screen)?.[1]
  if (assigned > 0) expect(Number(shown)).toBe(assigned)

  const rows = await (await get(`/assignments?${query}`)).text()
  expect(Number(/data-total="(\d+)"/.exec(rows)?.[1])).toBe(assigned)
  const file = (format: string) =>
    (new RegExp(`href="(/api/assignments\\?[^"]*format=${format})"`).exec(rows)?.[1] ?? '').replaceAll('&amp;', '&')
  expect(countLines(await (await get(file('csv'))).text()) - 1).toBe(assigned)
  const { sheets } = await readXlsx(new Uint8Array(await (await get(file('xlsx'))).arrayBuffer()))
  expect((sheets[0]?.rows.length ?? 0) - 1).toBe(assigned)

  for (const [key, value] of [
    ['assigned', assigned],
    ['overdue', metrics.overdue.value],
  ] as const) {
    const { sql } = (await (await get(`/api/metrics/explain?metric=${key}&${query}`)).json()) as { sql: string }
    expect(await countBySql(sql), key).toBe(value)
  }
})

test('enough of the sets hold something, and no two are the same', () => {
  expect(new Set(sets).size).toBe(20)
  expect(totals.filter((total) => total > 0).length).toBeGreaterThanOrEqual(8)
})
