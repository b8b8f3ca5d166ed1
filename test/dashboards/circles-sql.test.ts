/** The SQL of managers who lead in a circle, share people and report to themselves: it follows the reporting lines as the pages do. */
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openAnalystEndpoint, runSql } from './analyst-endpoint.ts'
import { openStoreDashboards, type StoreDashboards } from './store-dashboards.ts'

const led = {
  anna: ['bo'],
  bo: ['cem'],
  cem: ['anna', 'cem'],
  dora: ['bo', 'cem'],
  emil: ['cem', 'dora'],
  fay: ['emil'],
}
const bodies = [...Object.entries(led).flatMap(([, reports]) => reports), 'fay'].map((id) => {
  const managers = Object.entries(led).flatMap(([manager, reports]) => (reports.includes(id) ? [{ id: manager }] : []))
  return toBody('Created', `of-${id}`, monday, { dueDate: monday + day }, { id, name: id, managers })
})
let circle: StoreDashboards
let endpoint: Hono
beforeAll(async () => {
  circle = await openStoreDashboards({ now: monday + 9 * day, fill: ({ writer }) => storeBodies(writer, bodies) })
  endpoint = await openAnalystEndpoint(circle.store)
})
afterAll(() => circle?.close())

test.each(['', '?reports=all'])('have the same lines in the file and in SQL%s', async (query) => {
  const csv = (await circle.get(`/managers.csv${query}`)).replace('\uFEFF', '').trim().split('\r\n').slice(1)
  const inFile = csv
    .map((line) => line.split(','))
    .map((cells) => [cells[0], cells[2], cells.at(-2), cells.at(-1)].join())
  const rows = await runSql(endpoint, await circle.get(`/managers.sql${query}`))
  const inSql = rows.map((row) => [row['manager_id'], row['assigned'], row['people'], row['direct_reports']].join())
  expect(inSql.toSorted()).toEqual(inFile.toSorted())
  // Everybody in the circle leads the other two, and nobody leads themselves.
  expect(inFile).toContain(query === '' ? 'anna,1,1,1' : 'anna,2,2,1')
  expect(inFile).toContain(query === '' ? 'fay,1,1,1' : 'fay,5,5,1')
})

test('have what is overdue under each direct manager', async () => {
  const file = (await circle.get('/overdue/by-manager.csv')).replace('\uFEFF', '').trim().split('\r\n').slice(1)
  const rows = await runSql(endpoint, await circle.get('/overdue/by-manager.sql'))
  const inSql = rows.map((row) => [row['manager'], row['overdue'], row['people'], row['most_days']].join())
  expect(inSql.toSorted()).toEqual(
    file
      .map((line) => line.split(','))
      .map((cells) => [cells[0], ...cells.slice(2, 5)].join())
      .toSorted(),
  )
  expect(inSql).toContain('emil,2,2,8')
})
