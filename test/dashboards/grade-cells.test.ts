/** There is a grade once an assignment is graded, and a 0 is a grade of 0: on pages, in files and in views. Until then the platform sends 0 or a preliminary one. */
import { readXlsx } from 'hucre/xlsx'
import { afterAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openAnalystEndpoint, runSql, openStoreDashboards } from './store-dashboards.ts'
import { readScreen } from './read-screen.ts'

const handedIn = { status: 'needs_grading', isSubmitted: true }
const graded = { isSubmitted: true, isFullyGraded: true }
const bodies = [
  toBody('Created', 'begun', monday, { calculatedGrade: 0 }),
  toBody('Progress', 'handed-in', monday, { ...handedIn, calculatedGrade: 0 }),
  toBody('Progress', 'partly', monday, { ...handedIn, isPartiallyGraded: true, calculatedGrade: 30 }),
  toBody('Progress', 'reopened', monday, { ...graded, status: 'failed', calculatedGrade: 20 }),
  toBody('Progress', 'reopened', monday + day, { status: 'in_progress', calculatedGrade: 20 }),
  toBody('Progress', 'zero', monday, { ...graded, status: 'failed', calculatedGrade: 0 }),
  toBody('Completed', 'eighty', monday, {
    ...graded,
    status: 'completed',
    isCompleted: true,
    passed: true,
    completedAt: monday,
    calculatedGrade: 80,
  }),
]
const expected: Record<string, number | null> = {
  begun: null,
  'handed-in': null,
  partly: null,
  reopened: null,
  zero: 0,
  eighty: 80,
}
const sent: Record<string, number> = {
  begun: 0,
  'handed-in': 0,
  partly: 30,
  reopened: 20,
  zero: 0,
  eighty: 80,
}
const ids = Object.keys(expected)
const shown = Object.fromEntries(ids.map((id) => [id, String(expected[id] ?? '–')]))
const written = ids.map((id) => [id, String(expected[id] ?? ''), String(sent[id])])
const both = ids.map((id) => [id, expected[id] ?? null, sent[id]])
const byId = (rows: unknown[][]) =>
  rows.toSorted((a, b) => ids.indexOf(String(a[0])) - ids.indexOf(String(b[0])))

const opened = await openStoreDashboards({
  now: monday + 3 * day,
  fill: ({ writer }) => storeBodies(writer, bodies),
})
const endpoint = await openAnalystEndpoint(opened.store)
afterAll(() => opened.close())

const query = 'columns=assignment_id,calculated_grade,calculated_grade_as_sent'

test('on the page of rows', async () => {
  const rows = readScreen(await opened.get('/assignments?columns=assignment_id,calculated_grade')).table(
    'results',
  )
  expect(Object.fromEntries(rows)).toEqual(shown)
})

test('in CSV, XLSX and JSON, with what was sent beside it', async () => {
  const lines = (await opened.get(`/api/assignments?format=csv&${query}`)).trim().split('\r\n').slice(1)
  expect(byId(lines.map((line) => line.split(',')))).toEqual(written)

  const file = await opened.dashboards.app.request(`/api/assignments?format=xlsx&${query}`)
  const { sheets } = await readXlsx(new Uint8Array(await file.arrayBuffer()))
  // Below its moment and its heads.
  const cells = (sheets[0]?.rows ?? [])
    .slice(2)
    .map(([id, grade, asSent]) => [id, grade ?? null, asSent ?? null])
  expect(byId(cells)).toEqual(both)

  const { assignments } = JSON.parse(await opened.get('/api/assignments?format=json')) as {
    assignments: Record<'assignment_id' | 'calculated_grade' | 'calculated_grade_as_sent', unknown>[]
  }
  const rows = assignments.map((row) => [
    row.assignment_id,
    row.calculated_grade,
    row.calculated_grade_as_sent,
  ])
  expect(byId(rows)).toEqual(both)
})

test('in the views of analysts, now and at a moment', async () => {
  const at = `as_of = '2026-01-08 00:00:00', due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7`
  for (const view of [
    'assignments',
    `assignments_as_of(${at})`,
    'assignments_all',
    `assignments_all_as_of(${at})`,
  ]) {
    const rows = await runSql(
      endpoint,
      `SELECT assignment_id, calculated_grade, calculated_grade_as_sent FROM ${view}`,
    )
    expect([view, byId(rows.map((row) => Object.values(row)))]).toEqual([view, both])
  }
})
