/** The lines of rankings and of a manager's reports: each is what the metrics of METRICS.md say for that line alone. */
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createQueries } from '../../reporting/queries/queries.ts'
import type { GroupRow } from '../../reporting/statements/groups.ts'
import { joinApart } from '../model/arbitrary/apart.ts'
import { historyArb } from '../model/arbitrary/history.ts'
import { computeAssignments, computeMetrics } from '../model/model.ts'
import { createScope, type Delivery, type Scope } from '../model/scope.ts'
import { periodStart } from '../model/zones.ts'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openTestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

const now = Date.UTC(2026, 4, 1)
const scope = createScope(Date.UTC(2026, 3, 8, 22), { now, dueZone: 'Europe/Berlin' })

const graded = (calculatedGrade: number) => ({ isFullyGraded: true, isSubmitted: true, calculatedGrade })
const groups = [{ id: 'staff', name: 'Staff' }]
/** The boss leads lee and lou, lee leads sam and sue, who also leads the boss: a circle. */
const company = [
  toBody('Created', 'g1', monday, graded(50), { id: 'lee', name: 'Lee Lead', managers: [{ id: 'boss' }] }),
  toBody('Created', 'g2', monday, {}, { id: 'lou', name: 'Lou Line', managers: [{ id: 'boss' }] }),
  toBody('Created', 'g3', monday, graded(70), {
    id: 'sam',
    name: 'Sam Staff',
    groups,
    managers: [{ id: 'lee' }],
  }),
  toBody('Created', 'g4', monday, graded(90), {
    id: 'sue',
    name: 'Sue Staff',
    groups,
    managers: [{ id: 'lee' }],
  }),
  toBody('Created', 'g5', monday + day, {}, { id: 'boss', name: 'The Boss', managers: [{ id: 'sue' }] }),
]

const store = await openTestStore()
const deliveries = [
  ...joinApart(fc.sample(historyArb({ maxEvents: 40 }), { numRuns: 12, seed: 21 })).deliveries,
  ...company.map((body): Delivery => ({ body, receivedAt: now })),
]
await storeBodies(
  store.writer,
  deliveries.map(({ body }) => body),
)
const queries = createQueries(ownReader(store.reader))
afterAll(() => store.close())

/** The same numbers by the model; a line that the model does not have is `undefined`. */
function toLine(id: string, narrowed: Partial<Scope>) {
  const metrics = computeMetrics(deliveries, { ...scope, ...narrowed })
  return {
    id,
    assigned: metrics.assigned.value,
    completion_rate: metrics.completion_rate,
    on_time_rate: metrics.on_time_rate,
    overdue: metrics.overdue.value,
    awaiting_grading: metrics.grading_backlog.value,
    grade: { n: metrics.grade.n, median: metrics.grade.median },
  }
}

const toNumbers = ({
  id,
  assigned,
  completion_rate,
  on_time_rate,
  overdue,
  awaiting_grading,
  grade,
}: GroupRow) => ({
  id,
  assigned,
  completion_rate,
  on_time_rate,
  overdue,
  awaiting_grading,
  grade,
})

test.each(['challenge', 'team'] as const)(
  'every line of a %s is its metrics, and no line is missing',
  async (by) => {
    const lines = await queries.groups(scope, by)
    const known = lines.filter(({ id }) => id !== '')
    expect(known.length).toBeGreaterThan(3)
    expect(known.some(({ grade }) => grade.n > 1)).toBe(true)
    for (const line of known) expect(toNumbers(line)).toEqual(toLine(line.id, { [by]: [line.id] }))
    const named = computeMetrics(deliveries, { ...scope, [by]: known.map(({ id }) => id) }).assigned.value
    const nameless = lines.find(({ id }) => id === '')?.assigned ?? 0
    const all = computeMetrics(deliveries, scope)
    expect(named + nameless).toBe(all.assigned.value)
  },
)

test.each([1, undefined])(
  'every line of a manager is the metrics of those at most %s links below',
  async (depth) => {
    const lines = await queries.managers(scope, depth)
    expect(lines.map(({ id }) => id)).toEqual(expect.arrayContaining(['boss', 'lee', 'sue']))
    for (const line of lines) {
      const narrowed = { manager: [line.id], ...(depth !== undefined && { managerDepth: depth }) }
      expect(toNumbers(line)).toEqual(toLine(line.id, narrowed))
    }
    expect(lines.find(({ id }) => id === 'lee')?.name).toBe('Lee Lead')
    expect(lines.find(({ id }) => id === 'boss')).toMatchObject({ people: depth === 1 ? 2 : 4, reports: 2 })
    // Where grades are not wanted, they are not read.
    const noGrade = { n: 0, median: null }
    expect(await queries.managers(scope, depth, false)).toEqual(
      lines.map((line) => ({ ...line, grade: noGrade })),
    )
  },
)

test('what fell due in a week was on time, late or open', async () => {
  const { due_cohorts } = await queries.overview(scope, null)
  const dated = computeAssignments(deliveries, scope).filter((row) => row.due_day !== null)
  const expected = Map.groupBy(dated, (row) => periodStart('week', row.due_day ?? ''))
  const weeks = due_cohorts.map(({ period_start }) => period_start)
  expect(weeks.filter((week) => expected.has(week))).toEqual([...expected.keys()].sort())
  for (const { period_start, ...cohort } of due_cohorts) {
    const rows = expected.get(period_start) ?? []
    expect(cohort).toEqual({
      on_time: rows.filter((row) => row.completed_on_time).length,
      late: rows.filter(
        (row) => row.overdue || (row.completed && row.completed_at !== null && !row.completed_on_time),
      ).length,
      open: rows.filter((row) => !row.completed && !row.failed && !row.overdue).length,
    })
  }
})

test('the filters of a scope narrow the lines', async () => {
  const narrowed = { fact: ['graded' as const] }
  const [line] = (await queries.managers({ ...scope, ...narrowed })).filter(({ id }) => id === 'lee')
  expect(line && toNumbers(line)).toEqual(toLine('lee', { manager: ['lee'], ...narrowed }))
})
