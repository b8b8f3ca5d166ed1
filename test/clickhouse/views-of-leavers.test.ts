/** The README's example and the page agree: people who have left are in the views that end in _all. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { firstSql } from '../../dashboards/pages/data/read.ts'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openAnalystEndpoint, runSql, openStoreDashboards } from '../dashboards/store-dashboards.ts'

const now = monday + 20 * day
const graded = {
  isSubmitted: true,
  isFullyGraded: true,
  status: 'completed',
  isCompleted: true,
  completedAt: monday,
}
const late = { dueDate: monday + day }
const bodies = [
  ...[1, 2, 3].map((id) => toBody('Created', `late-${id}`, monday, late, { id })),
  toBody('Created', 'late-and-gone', monday, late, { id: 9, isDeleted: true }),
  toBody('Completed', 'done', monday, { ...graded, calculatedGrade: 90 }, { id: 1 }),
  toBody('Completed', 'done-too', monday, { ...graded, calculatedGrade: 70 }, { id: 2 }),
  toBody(
    'Completed',
    'done-and-gone',
    monday,
    { ...graded, calculatedGrade: 10 },
    { id: 9, isDeleted: true },
  ),
  toBody('Progress', 'not-graded', monday, { calculatedGrade: 0 }, { id: 3 }),
]
const opened = await openStoreDashboards({ now, fill: ({ writer }) => storeBodies(writer, bodies) })
const endpoint = await openAnalystEndpoint(opened.store)
afterAll(() => opened.close())

type Metrics = {
  metrics: {
    overdue: { value: number }
    assigned: { value: number }
    grade: { mean: number }
    statuses: { status: string; count: number }[]
  }
}

const metrics = async (query = '') =>
  (JSON.parse(await opened.get(`/api/metrics${query}`)) as Metrics).metrics

test.each([
  ['', 'assignments'],
  ['?include_leavers=true', 'assignments_all'],
])('/api/metrics%s gives what the view %s gives', async (query, view) => {
  const { overdue, assigned, grade } = await metrics(query)
  const [row] = await runSql(
    endpoint,
    `SELECT toUInt32(countIf(overdue)) AS overdue, toUInt32(count()) AS assigned, avg(calculated_grade) AS mean FROM ${view}`,
  )
  expect(row).toEqual({ overdue: overdue.value, assigned: assigned.value, mean: grade.mean })
})

test('the views with everybody say who is active', async () => {
  expect(await runSql(endpoint, 'SELECT DISTINCT user_active FROM assignments')).toEqual([
    { user_active: true },
  ])
  const gone = await runSql(
    endpoint,
    'SELECT assignment_id FROM assignments_all WHERE NOT user_active ORDER BY ALL',
  )
  expect(gone).toEqual([{ assignment_id: 'done-and-gone' }, { assignment_id: 'late-and-gone' }])
})

/** Statements whose number of rows, or whose first column, stands on a page. */
const askText = async (sql: string) => {
  const response = await endpoint.request('/', { method: 'POST', body: `${sql} FORMAT TSV` })
  expect([sql, response.status]).toEqual([sql, 200])
  return (await response.text()).split('\n').filter(Boolean)
}

test('the README’s example has as many rows as the page and its files', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, sql = ''] = /\/api\/sql' --data '([^']+)'/.exec(readme) ?? []
  const { overdue } = await metrics()
  expect(overdue.value).toBe(4)
  expect(await askText(sql)).toHaveLength(overdue.value)
  expect((await opened.get('/api/assignments?fact=overdue&format=csv')).trim().split('\n')).toHaveLength(
    1 + overdue.value,
  )
})

test('the statement that the page of data begins with counts what pages count', async () => {
  const rows = (await askText(firstSql)).map((line) => line.split('\t'))
  const { statuses } = await metrics()
  expect(new Map(rows.map(([status, n]) => [status, Number(n)]))).toEqual(
    new Map(statuses.filter(({ count }) => count > 0).map(({ status, count }) => [status, count])),
  )
})

test('SHOW TABLES lists the documented views only', async () => {
  const response = await endpoint.request('/', { method: 'POST', body: 'SHOW TABLES FORMAT TSV' })
  expect((await response.text()).trim().split('\n')).toEqual(
    contractViews.filter((view) => view !== 'people').toSorted(),
  )
})
