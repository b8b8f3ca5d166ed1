/** The parts of a metric: the SQL that is shown gives its value, and the links lead to exactly the rows that were counted. */
import { afterAll, expect, test } from 'vitest'
import { toMetricSql } from '../../../reporting/explain/metric-sql.ts'
import type { Metrics, MetricsAnswer, Rate } from '../../../schemas/metrics/answer.ts'
import { metricKeys as keys } from '../../../schemas/metrics/metrics.ts'
import { sampleHistory } from '../../model/arbitrary/apart.ts'
import { createScope } from '../../model/scope.ts'
import { day, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { openTestStore } from '../../support/store/store.ts'
import { isLong, pick } from '../../support/tiers.ts'
import { createStoreApi, asDescribed } from './described.ts'
import { openAnalystEndpoint, runSql } from '../store-dashboards.ts'

const now = Date.UTC(2026, 3, 8, 22)

type Explained = {
  metric: keyof Metrics
  value: unknown
  sql: string
  parts: { part: string; count: number; rows: string }[]
}

const store = await openTestStore()
const endpoint = await openAnalystEndpoint(store)
const { deliveries } = sampleHistory(30, 11)
const managed = [
  toBody(
    'Created',
    'chief of one',
    now - 30 * day,
    { dueDate: now - 9 * day },
    { id: 90_001, managers: [{ id: 90_000 }] },
  ),
  toBody(
    'Created',
    'at the bottom',
    now - 30 * day,
    { dueDate: now - 9 * day },
    { id: 90_002, managers: [{ id: 90_001 }] },
  ),
]
const bodies = [...deliveries.map(({ body }) => Buffer.from(body)), ...managed]
await storeBodies(store.writer, bodies)
const api = asDescribed(createStoreApi(store, now, { timeZone: 'Asia/Kathmandu', dueZone: 'Europe/Berlin' }))
afterAll(() => store.close())

async function get<Answer>(path: string): Promise<Answer> {
  const response = await api.request(path)
  expect(response.status, path).toBe(200)
  return (await response.json()) as Answer
}

/** As it stands, where an analyst would run it. */
const run = (sql: string) => runSql(endpoint, sql)

/** Sums of fractions may differ in the last digit by their order; 64-bit integers may come as text. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => {
      if (typeof each === 'string' && /^-?\d+$/.test(each)) return Number(each)
      return typeof each === 'number' ? Number(each.toPrecision(12)) : each
    }),
  )
}

const scopes = [
  'include_leavers=true&period=day',
  'as_of=2026-03-20T10:00:00Z&include_leavers=true&period=month&due_zone=America/New_York&tz=UTC&due_end=instant',
  'fact=submitted&fact=overdue&assigned_from=2026-01-15&assigned_to=2026-03-31&due_soon_days=30',
  "manager=90000&status=overdue&aging=1-7&team=x') --&user=7&challenge=c1&completed_from=2026-01-01&due_to=2026-12-31",
]

/** The short run asks for every sixteenth key, each in one of the scopes; the long run for every key, in another one. */
const scopesWithKeys = scopes.map((scope, number) => ({
  scope,
  asked: keys.filter((_, index) => isLong || index % (16 * scopes.length) === number),
}))

test.each(scopesWithKeys)('the SQL shown gives the value, for $scope', async ({ scope, asked }) => {
  const { metrics } = await get<MetricsAnswer>(`/metrics?${scope}`)
  await each(asked, async (key) => {
    const { value, sql } = await get<Explained>(`/metrics/explain?metric=${key}&${scope}`)
    expect(value, key).toEqual(metrics[key])
    const rows = await run(sql)
    const expected = Array.isArray(value) ? value : [value]
    const found = Array.isArray(value)
      ? rows
      : rows.map((row) => ({ ...('excluded' in Object(value) && { excluded: {} }), ...row }))
    expect(plain(found), `${key}\n${sql}`).toEqual(plain(expected))
  })
})

test.each([
  ['include_leavers=true', pick(keys, 16, 2)],
  // A part that the parameters could name otherwise, if they did not name something already.
  ['include_leavers=true&fact=submitted&fact=overdue&due_end=instant', ['on_time_rate', 'overdue'] as const],
])('the parts are the numbers, and their links lead to as many rows, for %s', async (scope, asked) => {
  await each(asked, async (key) => {
    const { value, parts } = await get<Explained>(`/metrics/explain?metric=${key}&${scope}`)
    const counts = Object.fromEntries(parts.map(({ part, count }) => [part, count]))
    const lines = Array.isArray(value)
      ? value.map((line) => Object.values(line as object) as [string, number])
      : Object.entries(Object(value) as Record<string, number>)
    const { excluded = {} } = Object(value) as Partial<Rate<string>>
    const reasons = Object.entries(excluded).map(([reason, n]): [string, number] => [`excluded.${reason}`, n])
    const given = new Map([...lines, ...reasons])
    for (const [part, count] of Object.entries(counts))
      if (given.has(part)) expect(count, `${key} ${part}`).toBe(given.get(part))
    for (const { count, rows } of pick(parts, 3)) {
      const { total, assignments } = await get<{ total: number; assignments: unknown[] }>(
        rows.replace('/api', ''),
      )
      expect({ rows, total, length: assignments.length }).toEqual({
        rows,
        total: count,
        length: Math.min(count, 100),
      })
    }
  })
})

/** Two at a time, as many as the store has readers. */
async function each<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const work = async () => {
    for (const item of waiting) await run(item)
  }
  await Promise.all([work(), work()])
}

test.each([
  ['/metrics/explain', ['metric']],
  ['/metrics/explain?metric=colour&x=1', ['metric', 'x']],
  ['/metrics/explain?metric=overdue&metric=aging', ['metric']],
])('refuses %s', async (path, parameters) => {
  const response = await api.request(path)
  expect(response.status).toBe(400)
  const { error } = (await response.json()) as { error: { problems: { parameter: string }[] } }
  expect(error.problems.map(({ parameter }) => parameter).sort()).toEqual(parameters)
})

test('names the people under a manager in the SQL and in the links', async () => {
  const cases: [query: string, count: number][] = [
    ['manager=90000', 2],
    ['manager=90000&manager_depth=1', 1],
    ['manager=nobody', 0],
  ]
  for (const [query, count] of pick(cases, 3, 1)) {
    const { value, sql, parts } = await get<Explained>(`/metrics/explain?metric=overdue&${query}`)
    expect(value).toEqual({ value: count })
    expect(plain(await run(sql))).toEqual([{ value: count }])
    expect(await get(parts[0]?.rows.replace('/api', '') ?? '')).toMatchObject({ total: count })
  }
})

test('a statement that would name too many people says so where it is run, instead of a syntax error', async () => {
  const people = Array.from({ length: 20_000 }, (_, n) => `somebody ${n}`)
  const sql = toMetricSql('overdue', createScope(now), people)
  expect(await run(sql)).toEqual([{ error: expect.stringContaining('Filter by a team or by one manager') }])
})

test('writes values into SQL so that they stay values', async () => {
  const hostile = `x') OR 1 = 1 -- \\' \\`
  const { sql } = await get<Explained>(
    `/metrics/explain?metric=assigned&include_leavers=true&challenge=${encodeURIComponent(hostile)}`,
  )
  expect(plain(await run(sql))).toEqual([{ value: 0 }])
})
