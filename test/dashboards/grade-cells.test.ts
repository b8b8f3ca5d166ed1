/** Pages show a grade when an assignment is graded, and a 0 is a grade of 0. Until then the platform sends 0 or a preliminary one, which files and views have as sent. */
import type { Hono } from 'hono'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openAnalystEndpoint, runSql } from './analyst-endpoint.ts'
import { readScreen } from './read-screen.ts'
import { openStoreDashboards, type StoreDashboards } from './store-dashboards.ts'

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
const sent: Record<string, number> = { begun: 0, 'handed-in': 0, partly: 30, reopened: 20, zero: 0, eighty: 80 }
const ids = Object.keys(expected)
const shown = Object.fromEntries(ids.map((id) => [id, String(expected[id] ?? '–')]))
const written = Object.fromEntries(ids.map((id) => [id, String(sent[id])]))

let opened: StoreDashboards
let endpoint: Hono
beforeAll(async () => {
  opened = await openStoreDashboards({ now: monday + 3 * day, fill: ({ writer }) => storeBodies(writer, bodies) })
  endpoint = await openAnalystEndpoint(opened.store)
})
afterAll(() => opened?.close())

const query = 'columns=assignment_id,calculated_grade'

test('on the page of rows', async () => {
  const rows = readScreen(await opened.get(`/assignments?${query}`)).table('results')
  expect(Object.fromEntries(rows)).toEqual(shown)
})

test('as sent in CSV, XLSX and JSON', async () => {
  const lines = (await opened.get(`/api/assignments?format=csv&${query}`)).trim().split('\r\n').slice(1)
  expect(Object.fromEntries(lines.map((line) => line.split(',')))).toEqual(written)

  const file = await opened.dashboards.app.request(`/api/assignments?format=xlsx&${query}`)
  const { sheets } = await readXlsx(new Uint8Array(await file.arrayBuffer()))
  expect(Object.fromEntries((sheets[0]?.rows ?? []).slice(1).map(([id, grade]) => [id, grade ?? null]))).toEqual(sent)

  const { assignments } = JSON.parse(await opened.get('/api/assignments?format=json')) as {
    assignments: { assignment_id: string; calculated_grade: number | null }[]
  }
  expect(Object.fromEntries(assignments.map((row) => [row.assignment_id, row.calculated_grade]))).toEqual(sent)
})

test('as sent in the views of analysts, now and at a moment', async () => {
  const at = `as_of = '2026-01-08 00:00:00', due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7`
  for (const view of ['assignments', `assignments_as_of(${at})`]) {
    const rows = await runSql(endpoint, `SELECT assignment_id, calculated_grade FROM ${view}`)
    expect(Object.fromEntries(rows.map((row) => [row['assignment_id'], row['calculated_grade']]))).toEqual(sent)
  }
})

test('on the page of a learner and of an assignment', async () => {
  const learner = await opened.get('/learners/7')
  const heads = [...learner.matchAll(/<p class="finding">([^<]*)/g)].map(([, head = '']) => /grade .*/.exec(head)?.[0])
  expect(heads.filter((grade) => grade !== undefined).toSorted()).toEqual(['grade 0', 'grade 80'])
  expect(heads).toHaveLength(ids.length)
  for (const id of ids) {
    const page = await opened.get(`/assignments/${id}`)
    const [, grade] = /<dt>Grade<\/dt>\s*<dd[^>]*>(?:<span[^>]*>)?([^<]*)/.exec(page) ?? []
    expect([id, grade]).toEqual([id, String(expected[id] ?? '–')])
  }
})
