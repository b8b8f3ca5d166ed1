import { expect, test } from 'vitest'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { at } from './hand.ts'
import { toDuration } from './durations.ts'
import { computeAssignments, computeMetrics } from './model.ts'
import type { Scope } from './scope.ts'
import { smallCompany, smallCompanyScope } from './small-company.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const metrics = computeMetrics(smallCompany, smallCompanyScope)

function ids(changes: Partial<Scope>): string {
  return computeAssignments(smallCompany, { ...smallCompanyScope, ...changes })
    .map((row) => row.assignment_id)
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    .join(' ')
}

/** Every metric of the table, counted by hand. */
const expected: Metrics = {
  // All but a7 (dia has left) and a9 (deleted).
  assigned: { value: 9 },
  // a1, a2, a10.
  completion_rate: { value: 3 / 9, numerator: 3, denominator: 9, excluded: {} },
  // Only eve (a10); ann has a4, ben a5, cem everything; a8 is nobody's.
  people_fully_complete: { value: 1 / 4, numerator: 1, denominator: 4, excluded: {} },
  // a1 in time; a2 completed late, a3 and a11 late and not completed. Left out: a8, a10, a6, a5, a4.
  on_time_rate: {
    value: 1 / 4,
    numerator: 1,
    denominator: 4,
    excluded: { no_due_date: 1, no_completion_time: 1, failed: 1, awaiting_grading: 1, not_due_yet: 1 },
  },
  // a1 handed in on the 6th, a10 was seen handed in on its due day; a2 too late, a3 and a11 not at all. a5 was seen
  // handed in two days late, but nobody saw when it happened. Left out beside it: a8, a6, a4.
  submitted_on_time_rate: {
    value: 2 / 5,
    numerator: 2,
    denominator: 5,
    excluded: { no_due_date: 1, failed: 1, not_due_yet: 1, unknown: 1 },
  },
  // a3 since the 11th, a11 since today; of the open ones a3, a4, a11, and a8 without a date.
  overdue: { value: 2 },
  overdue_rate: { value: 2 / 3, numerator: 2, denominator: 3, excluded: { no_due_date: 1 } },
  // a11 one day, a3 eight days.
  aging: [
    { bucket: '1-7', count: 1 },
    { bucket: '8-14', count: 1 },
    { bucket: '15-30', count: 0 },
    { bucket: '31-60', count: 0 },
    { bucket: '61-90', count: 0 },
    { bucket: '91+', count: 0 },
  ],
  // a4, in two days.
  due_soon: { value: 1 },
  statuses: [
    { status: 'completed', count: 3 }, // a1 a2 a10
    { status: 'failed', count: 1 }, // a6
    { status: 'awaiting_grading', count: 1 }, // a5
    { status: 'overdue', count: 2 }, // a3 a11
    { status: 'in_progress', count: 1 }, // a4
    { status: 'not_started', count: 1 }, // a8
  ],
  // a1 of a1, a2, a6; a5 waits.
  pass_rate: { value: 1 / 3, numerator: 1, denominator: 3, excluded: { awaiting_grading: 1 } },
  // 20, 40, 90; a10 was completed without grading.
  grade: {
    n: 3,
    mean: 50,
    median: 40,
    histogram: [0, 0, 1, 0, 1, 0, 0, 0, 0, 1].map((count, bin) => ({ from: bin * 10, to: bin * 10 + 10, count })),
  },
  // a5, seen on the 14th at nine: 99 hours before noon of the 18th.
  grading_backlog: {
    value: 1,
    untouched: 0,
    partially_graded: 1,
    p50_age_ms: 99 * hourMs,
    oldest_age_ms: 99 * hourMs,
  },
  // a5's reviewer had until the 16th.
  reviewer_overdue: { value: 1 },
  // a1 graded the day before; a2 three days after; a5 late and still waiting; a6 without a date.
  reviewer_on_time: {
    value: 1 / 3,
    numerator: 1,
    denominator: 3,
    excluded: { no_reviewers_due_date: 1, unknown: 0, not_due_yet: 0 },
  },
  // a1 2 days, a2 and a6 4 days: survival 2/3 after two days, 0 after four. a5's beginning nobody saw.
  grading_turnaround: { p50_ms: 4 * dayMs, p90_ms: 4 * dayMs, n: 3, censored: 0, unknown: 1 },
  // a1 6 days, a2 14 days; six others have lasted, in days and 3 hours, 2 (a8), 9 (a4, a5, a6), 14 (a11), 16 (a3).
  // Survival 6/7 at 6 days (a8 is no longer at risk), then times 2/3 (a2, a3, a11 at risk): 4/7, never a half.
  time_to_complete: { p50_ms: null, p90_ms: null, n: 2, censored: 6, unknown: 1 },
  funnel: [
    { stage: 'assigned', count: 9 },
    { stage: 'viewed', count: 7 }, // a11 too; not a3, a8
    { stage: 'started', count: 6 }, // a4 too
    { stage: 'submitted', count: 5 }, // a5, a6, a10 too
    { stage: 'graded', count: 3 }, // a2, a6 too
    { stage: 'passed', count: 1 }, // a1
  ],
  cohorts: [
    { period_start: '2026-03-02', assigned: 4, completed: 2 }, // a1 a2 a3 a11
    { period_start: '2026-03-09', assigned: 3, completed: 0 }, // a4 a5 a6
    { period_start: '2026-03-16', assigned: 2, completed: 1 }, // a8, and a10 assumed from its first event
  ],
  trend: [
    // a1 completed and graded on Sunday the 8th. a11 overdue on the 7th and, its date moved on the 8th, no more.
    { period_start: '2026-03-02', assigned: 4, completed: 1, graded: 1, became_overdue: 1, overdue_at_end: 0 },
    // a6 graded on the 15th. a2 and a3 overdue on the 11th, a2 for a day; a6 and a5 handed in before we saw them late.
    { period_start: '2026-03-09', assigned: 3, completed: 0, graded: 1, became_overdue: 2, overdue_at_end: 1 },
    // a2 completed and graded on the 16th; nobody says when a10 was. a11 overdue again on the 18th, a3 still.
    { period_start: '2026-03-16', assigned: 2, completed: 1, graded: 1, became_overdue: 1, overdue_at_end: 2 },
  ],
  // a6 and a11: a6 failed, a11 is late by either date.
  deadline_moves: {
    value: 2,
    on_time_by_first: {
      value: 0,
      numerator: 0,
      denominator: 1,
      excluded: { no_due_date: 0, no_completion_time: 0, failed: 1, awaiting_grading: 0, not_due_yet: 0 },
    },
    on_time_by_current: {
      value: 0,
      numerator: 0,
      denominator: 1,
      excluded: { no_due_date: 0, no_completion_time: 0, failed: 1, awaiting_grading: 0, not_due_yet: 0 },
    },
  },
  // a3, of which the platform says that it is not overdue.
  reported_mismatch: { value: 1 },
}

test.each(Object.keys(expected) as (keyof Metrics)[])('%s is what a hand counts', (key) => {
  expect(metrics[key]).toEqual(expected[key])
})

test('nothing is missing from the hand count', () => {
  expect(Object.keys(metrics).sort()).toEqual(Object.keys(expected).sort())
})

test('a filter leaves what it names: or within one, and between them', () => {
  expect(ids({})).toBe('a1 a2 a3 a4 a5 a6 a8 a10 a11')
  expect(ids({ includeLeavers: true })).toBe('a1 a2 a3 a4 a5 a6 a7 a8 a10 a11')
  expect(ids({ challenge: ['c1'] })).toBe('a1 a2 a3')
  expect(ids({ challenge: ['c1', 'c2'], user: ['cem'] })).toBe('a3 a6')
  expect(ids({ status: ['completed', 'failed'] })).toBe('a1 a2 a6 a10')
  expect(ids({ fact: ['overdue', 'due_soon'] })).toBe('a3 a4 a11')
  expect(ids({ fact: ['overdue'], status: ['failed'] })).toBe('')
  expect(ids({ fact: ['deadline_moved'] })).toBe('a6 a11')
  expect(ids({ fact: ['reported_mismatch'] })).toBe('a3')
  expect(ids({ fact: ['reviewer_overdue'] })).toBe('a5')
  expect(ids({ fact: ['completed_on_time'] })).toBe('a1')
  expect(ids({ fact: ['open'] })).toBe('a3 a4 a8 a11')
  expect(ids({ aging: ['8-14'] })).toBe('a3')
})

test('a window takes both of its ends, by its own zone, and never what is unknown', () => {
  expect(ids({ assignedFrom: '2026-03-04', assignedTo: '2026-03-09' })).toBe('a4 a5 a6 a11')
  expect(ids({ completedFrom: '2026-03-08', completedTo: '2026-03-16' })).toBe('a1 a2')
  expect(ids({ completedTo: '2026-12-31' })).toBe('a1 a2')
  expect(ids({ dueFrom: '2026-03-17', dueTo: '2026-03-20' })).toBe('a4 a10 a11')
  // Nine in the morning of the 2nd is the 2nd in Kiritimati (23:00) and the 1st in Pago Pago (22:00).
  expect(ids({ assignedTo: '2026-03-01', timeZone: 'Pacific/Pago_Pago' })).toBe('a1 a2 a3')
  // Due at 17:00Z is the next day in Kiritimati, and the due zone alone decides.
  expect(ids({ dueTo: '2026-03-10', dueZone: 'Pacific/Kiritimati' })).toBe('')
  expect(ids({ dueTo: '2026-03-10', timeZone: 'Pacific/Kiritimati' })).toBe('a1 a2 a3')
})

test('an earlier T gives the numbers as they were', () => {
  const then = computeMetrics(smallCompany, { ...smallCompanyScope, asOf: at('2026-03-11T12:00Z') })
  // a1 a2 a3 a4 a6 a11: a5 had not been heard of; of dia we know by then.
  expect(then.assigned.value).toBe(6)
  expect(then.overdue.value).toBe(2) // a2 a3
  expect(then.completion_rate.numerator).toBe(1)
})

test('no data is null, never 0 % and never 100 %', () => {
  const empty = computeMetrics([], smallCompanyScope)
  expect(empty.completion_rate.value).toBeNull()
  expect(empty.grade).toMatchObject({ n: 0, mean: null, median: null })
  expect(empty.grading_backlog).toMatchObject({ p50_age_ms: null, oldest_age_ms: null })
  expect(empty.time_to_complete).toEqual({ p50_ms: null, p90_ms: null, n: 0, censored: 0, unknown: 0 })
  expect(empty.cohorts).toEqual([])
})

test('Kaplan-Meier: ends before censorings at ties, and the censored leave the risk afterwards', () => {
  // Of 4, one ends at 10 while one is censored at 10: 3/4. Of the remaining 2, one ends at 20: 3/8. Then 30: 0.
  const waits = [{ ended: 10 }, { censored: 10 }, { ended: 20 }, { ended: 30 }, 'unknown' as const]
  expect(toDuration(waits)).toEqual({ p50_ms: 20, p90_ms: 30, n: 3, censored: 1, unknown: 1 })
  // Exactly a half is reached; a tenth never.
  expect(toDuration([{ ended: 5 }, { censored: 9 }])).toMatchObject({ p50_ms: 5, p90_ms: null, n: 1, censored: 1 })
})
