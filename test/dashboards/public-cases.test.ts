/** Cases from public reports of faults in products like this one. */
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { toContents } from '../support/data/store-bodies.ts'
import { openAnalystEndpoint, openStoreDashboards, runSql } from './store-dashboards.ts'

const names = ['a\u0001b', '_x0041_', 'x\ufffey', '00123', '=1+1', '＝1+1', '\n=1+1', ' =1+1', '👩‍👩‍👧']
const bodies = [
  ...names.map((name, i) => toBody('Created', `named-${i}`, monday, {}, { id: `n${i}`, name })),
  toBody('Created', 'first-week', monday, { createdAt: 100_000_000, challengeId: 'old' }, { id: 'u1' }),
  toBody('Created', 'first-day', monday, { dueDate: 3_600_000, challengeId: 'old' }, { id: 'u2' }),
]
const { store, dashboards, get, close } = await openStoreDashboards({
  now: monday + 10 * day,
  contents: toContents(bodies),
})
const endpoint = await openAnalystEndpoint(store)
afterAll(close)

const read = async <Answer>(path: string) => JSON.parse(await get(path)) as Answer

test.each(['/', '/overdue', '/learners', '/assignments', '/challenges/c1', '/grading'])(
  'at most 50 values of a filter of %s are used, and a notice says so',
  async (path) => {
    const address = `${path}?${Array.from({ length: 900 }, (_, i) => `user=u${i}`).join('&')}`
    const page = await get(address)
    expect(page.length).toBeLessThan(2_000_000)
    expect(page).toContain('Only the first 50 of 900 values of “user” are used.')
  },
)

test('filters that wait on a page count, too', async () => {
  const page = await get(
    `/challenges/c1?${Array.from({ length: 900 }, (_, i) => `challenge=c${i}`).join('&')}`,
  )
  expect(page.length).toBeLessThan(2_000_000)
})

test('the API takes more values than a page', async () => {
  const users = Array.from({ length: 900 }, (_, i) => `user=n${i}`).join('&')
  const { metrics } = await read<MetricsAnswer>(`/api/metrics?${users}`)
  expect(metrics.assigned.value).toBe(names.length)
})

test('names that a spreadsheet could run are text in CSV and XLSX', async () => {
  const csv = await get('/learners.csv')
  expect(csv.split(/[\r\n,"]+/).filter((cell) => /^[=+@＝]/.test(cell))).toEqual([])
  for (const path of ['/learners.xlsx', '/api/assignments?format=xlsx']) {
    const file = new Uint8Array(await (await dashboards.app.request(path)).arrayBuffer())
    const { sheets } = await readXlsx(file)
    const cells = [...(sheets[0]?.rows ?? [])].flat()
    expect(cells).toEqual(expect.arrayContaining(['_x0041_', '00123', '=1+1', '＝1+1', '👩‍👩‍👧']))
    expect([...(sheets[0]?.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual([])
  }
})

test('the first week of 1970 begins in 1969, in the API and in the SQL that explains it', async () => {
  const { metrics } = await read<MetricsAnswer>('/api/metrics?challenge=old&tz=UTC')
  expect(metrics.cohorts[0]?.period_start).toBe('1969-12-29')
  const { sql } = await read<{ sql: string }>('/api/metrics/explain?metric=cohorts&challenge=old&tz=UTC')
  expect((await runSql(endpoint, sql))[0]).toMatchObject({ period_start: '1969-12-29' })
})
