import { expect, test } from 'vitest'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import { at, readGoldenDocument, toDocumentDigits } from './hand.ts'
import { toDuration } from '../metrics/durations.ts'
import { computeAssignments, computeMetrics } from '../model.ts'
import type { Scope } from '../scope.ts'
import { smallCompany, smallCompanyScope } from './small-company.ts'

const metrics = computeMetrics(smallCompany, smallCompanyScope)

function ids(changes: Partial<Scope>): string {
  return computeAssignments(smallCompany, { ...smallCompanyScope, ...changes })
    .map((row) => row.assignment_id)
    .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    .join(' ')
}

/** Every metric, counted by hand in words: docs/golden-company.md. */
const expected = readGoldenDocument()

test.each(Object.keys(metrics) as (keyof Metrics)[])('%s is what a hand counts', (key) => {
  expect(toDocumentDigits(metrics[key])).toEqual(expected[key])
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
  expect(toDuration([{ ended: 5 }, { censored: 9 }])).toMatchObject({
    p50_ms: 5,
    p90_ms: null,
    n: 1,
    censored: 1,
  })
})
