import { expect, test } from 'vitest'
import { at, event } from '../by-hand/hand.ts'
import { computeMetrics } from '../model.ts'
import { createScope, type Delivery, type Scope } from '../scope.ts'
import { trendPeriods } from './trend.ts'

const may = at('2026-05-01T12:00Z')
const assigned = { createdAt: at('2026-03-01') }

/** The days on which something became overdue, as often as it did. */
function turns(deliveries: Delivery[], changes: Partial<Scope> = {}): string {
  const { trend } = computeMetrics(deliveries, createScope(may, { period: 'day', trendFrom: '2026-03-01', ...changes }))
  return trend.flatMap((day) => Array<string>(day.became_overdue).fill(day.period_start.slice(5))).join(' ')
}

const due10 = { ...assigned, dueDate: at('2026-03-10') }

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
  const range = (changes: Partial<Scope>): string[] => trendPeriods(createScope(may, { period: 'month', ...changes }))
  expect([range({}).length, range({})[0], range({}).at(-1)]).toEqual([12, '2025-06-01', '2026-05-01'])
  expect(range({ trendTo: '2027-01-01' })).toEqual(range({}))
  expect(range({ trendFrom: '2026-03-31', trendTo: '2026-04-01' })).toEqual(['2026-03-01', '2026-04-01'])
  expect(range({ trendFrom: '2026-06-01' })).toEqual([])
  expect(() => range({ period: 'day', trendFrom: '2025-01-01' })).toThrow('over 400')
})
