import { expect, test } from 'vitest'
import { toDuration } from './durations.ts'
import { at, event } from '../by-hand/hand.ts'
import { computeAssignments, computeMetrics } from '../model.ts'
import { createScope, type Delivery, type Scope } from '../scope.ts'
import { trendPeriods } from './trend.ts'

const may = at('2026-05-01T12:00Z')
const dayMs = 86_400_000
const due10 = { createdAt: at('2026-03-01'), dueDate: at('2026-03-10') }

function metricsOf(deliveries: Delivery[], changes: Partial<Scope> = {}): ReturnType<typeof computeMetrics> {
  return computeMetrics(deliveries, createScope(may, changes))
}

test('in time is before late from: the last millisecond of the due day is, the next is not', () => {
  const onTime = (completedAt: string): number =>
    metricsOf([event('Completed', '2026-04-01', { ...due10, isCompleted: true, completedAt })]).on_time_rate
      .numerator
  expect([onTime('2026-03-10T23:59:59.999Z'), onTime('2026-03-11')]).toEqual([1, 0])
})

test('handed in before we looked: completedAt can prove that it was in time, else it is unknown', () => {
  const rate = (completedAt: string | null): unknown => {
    const first = event('Completed', '2026-04-01', { ...due10, isCompleted: true, completedAt })
    const { numerator, denominator, excluded } = metricsOf([first]).submitted_on_time_rate
    return [numerator, denominator, excluded.unknown]
  }
  expect([rate('2026-03-09'), rate('2026-03-12'), rate(null)]).toEqual([
    [1, 1, 0],
    [0, 0, 1],
    [0, 0, 1],
  ])
})

test('handing in again does not move the first time', () => {
  const handedIn = { ...due10, isSubmitted: true }
  const metrics = metricsOf([
    event('Created', '2026-03-01', due10),
    event('Progress', '2026-03-08', handedIn),
    event('Progress', '2026-03-09', due10),
    event('Progress', '2026-03-20', handedIn),
  ])
  expect(metrics.submitted_on_time_rate).toMatchObject({ numerator: 1, denominator: 1 })
  expect(metrics.grading_backlog.oldest_age_ms).toBe(may - at('2026-03-08'))
})

test('counts a grading without an event as unknown in the reviewer rate', () => {
  const graded = { ...due10, isFullyGraded: true, reviewersDueDate: at('2026-04-01') }
  expect(metricsOf([event('Progress', '2026-03-20', graded)]).reviewer_on_time).toEqual({
    value: null,
    numerator: 0,
    denominator: 0,
    excluded: { no_reviewers_due_date: 0, unknown: 1, not_due_yet: 0 },
  })
})

test('handed in and graded in one event says nothing about the turnaround; awaiting ones are censored at T', () => {
  const created = event('Created', '2026-03-01', due10)
  const inOne = event('Progress', '2026-03-05', { ...due10, isSubmitted: true, isFullyGraded: true })
  expect(metricsOf([created, inOne]).grading_turnaround).toMatchObject({ n: 0, censored: 0, unknown: 1 })
  const waiting = event('Progress', '2026-03-05', { ...due10, isSubmitted: true })
  expect(metricsOf([created, waiting]).grading_turnaround).toMatchObject({ n: 0, censored: 1, unknown: 0 })
})

test('time to complete: from a createdAt that is assumed nothing is measured, and before it counts as 0', () => {
  expect(metricsOf([event('Progress', '2026-03-05')]).time_to_complete).toMatchObject({
    n: 0,
    censored: 0,
    unknown: 1,
  })
  const early = { ...due10, isCompleted: true, completedAt: at('2026-02-01') }
  expect(metricsOf([event('Completed', '2026-03-05', early)]).time_to_complete).toMatchObject({
    p50_ms: 0,
    n: 1,
  })
  const failed = metricsOf([event('Progress', '2026-03-05', { ...due10, status: 'failed' })]).time_to_complete
  expect(failed).toMatchObject({ n: 0, censored: 1, unknown: 0 })
})

test('Kaplan-Meier takes all that end at one time together, with those censored then still at risk', () => {
  // At 10: two of four end, survival a half. Had the one censored at 10 left before, it would be a third.
  const waits = [{ ended: 10 }, { ended: 10 }, { censored: 10 }, { censored: 30 }]
  expect(toDuration(waits)).toMatchObject({ p50_ms: 10, p90_ms: null })
  // One of three, and 2/3 stays above a half; without the one censored at the tie it would be 1/2.
  expect(toDuration([{ ended: 10 }, { censored: 10 }, { censored: 30 }]).p50_ms).toBeNull()
  // Two of five at 10 leave 3/5, and one of two at 20 leaves 3/10.
  const tie = [{ ended: 10 }, { ended: 10 }, { censored: 15 }, { ended: 20 }, { censored: 25 }]
  expect(toDuration(tie)).toMatchObject({ p50_ms: 20, p90_ms: null, n: 3, censored: 2 })
})

test('completed counts in the trend only up to T, and in a window only when it is completed', () => {
  const ahead = { ...due10, isCompleted: true, completedAt: may + dayMs }
  const { trend, completion_rate } = metricsOf([event('Completed', '2026-03-05', ahead)], { period: 'month' })
  expect(completion_rate.numerator).toBe(1)
  expect(trend.map(({ completed }) => completed)).toEqual(Array(12).fill(0))
  const reopened = [event('Progress', '2026-03-05', { ...due10, completedAt: at('2026-03-04') })]
  expect(computeAssignments(reopened, createScope(may, { completedFrom: '2026-01-01' }))).toHaveLength(0)
})

test('grades outside 0 to 100 go to the end bins, as sent, and 100 is in the last', () => {
  const graded = (id: string, calculatedGrade: number | string): Delivery =>
    event('Progress', '2026-03-05', { ...due10, id, isFullyGraded: true, calculatedGrade })
  const { grade } = metricsOf([
    graded('1', -20),
    graded('2', 10),
    graded('3', 100),
    graded('4', 130),
    graded('5', '50'),
  ])
  expect(grade.histogram.map(({ count }) => count)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 2])
  expect(grade).toMatchObject({ n: 4, mean: 55, median: 55 })
})

const assigned = { createdAt: at('2026-03-01') }

/** The days on which something became overdue, as often as it did. */
function turns(deliveries: Delivery[], changes: Partial<Scope> = {}): string {
  const { trend } = computeMetrics(
    deliveries,
    createScope(may, { period: 'day', trendFrom: '2026-03-01', ...changes }),
  )
  return trend.flatMap((day) => Array<string>(day.became_overdue).fill(day.period_start.slice(5))).join(' ')
}

test('it becomes overdue when its deadline passes, once', () => {
  expect(turns([event('Created', '2026-03-01', due10), event('Progress', '2026-03-20', due10)])).toBe('03-11')
})

test('it becomes overdue when its deadline is moved before now, and again after being put off', () => {
  const putOff = event('Progress', '2026-03-15', { ...assigned, dueDate: at('2026-03-20') })
  expect(turns([event('Created', '2026-03-01', due10), putOff])).toBe('03-11 03-21')
  const noneAtFirst = event('Created', '2026-03-01', assigned)
  expect(turns([noneAtFirst, event('Progress', '2026-03-15', due10)])).toBe('03-15')
})

test('it becomes overdue when it is re-opened, first known late, or made again after a deletion', () => {
  const created = event('Created', '2026-03-01', due10)
  const submitted = event('Progress', '2026-03-05', { ...due10, isSubmitted: true })
  expect(turns([created, submitted, event('Progress', '2026-03-20', due10)])).toBe('03-20')
  expect(turns([event('Progress', '2026-03-18', due10)])).toBe('03-18')
  const again = event('Created', '2026-03-25', due10)
  expect(turns([created, event('Deleted', '2026-03-15', due10), again])).toBe('03-11 03-25')
  // Deleted and made again within one moment: it never was not overdue.
  const sameMoment = [
    event('Deleted', '2026-03-15', { ...due10, updatedAt: 1 }),
    event('Created', '2026-03-15', { ...due10, updatedAt: 2 }),
  ]
  expect(turns([created, ...sameMoment])).toBe('03-11')
})

test('its creation can be later than its being known: overdue from then', () => {
  const early = event('Created', '2026-03-01', { createdAt: at('2026-03-15'), dueDate: at('2026-03-10') })
  expect(turns([early])).toBe('03-15')
})

test('a period ends with its last millisecond, or with T', () => {
  const { trend } = computeMetrics(
    [event('Created', '2026-03-01', due10), event('Progress', '2026-03-12', { ...due10, isSubmitted: true })],
    createScope(at('2026-03-11T09:00Z'), { period: 'day', trendFrom: '2026-03-10' }),
  )
  expect(trend.map((day) => [day.became_overdue, day.overdue_at_end])).toEqual([
    [0, 0],
    [1, 1],
  ])
})

test('the range is cut at T, then filled to twelve; it may be empty and not over 400', () => {
  const range = (changes: Partial<Scope>): string[] =>
    trendPeriods(createScope(may, { period: 'month', ...changes }))
  expect([range({}).length, range({})[0], range({}).at(-1)]).toEqual([12, '2025-06-01', '2026-05-01'])
  expect(range({ trendTo: '2027-01-01' })).toEqual(range({}))
  expect(range({ trendFrom: '2026-03-31', trendTo: '2026-04-01' })).toEqual(['2026-03-01', '2026-04-01'])
  expect(range({ trendFrom: '2026-06-01' })).toEqual([])
  expect(() => range({ period: 'day', trendFrom: '2025-01-01' })).toThrow('over 400')
})
