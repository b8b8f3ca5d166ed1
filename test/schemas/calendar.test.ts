/** Calendar days beside the model's own, in zones whose clocks do everything that clocks do. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  daysIn,
  maxTrendPeriods,
  shiftPeriod,
  toDaysBefore,
  toLocalDate,
  toPeriodStart,
  toStartOfDay,
  toTrendPeriods,
} from '../../schemas/metrics/calendar.ts'
import * as model from '../model/zones.ts'

const dayMs = 86_400_000
/** Apia leaves out a whole day, Lord Howe goes by half an hour, Beirut and Santiago change at midnight, Monrovia had seconds. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Africa/Monrovia',
]
const changes = [
  '2011-12-29',
  '2026-03-28',
  '2026-03-29',
  '2026-04-04',
  '2026-09-05',
  '2026-10-24',
  '2026-10-25',
].map((date) => Date.parse(date))
const [zoneArb, instantArb] = [
  fc.constantFrom(...zones),
  fc.oneof(
    fc.integer({ min: 0, max: Date.UTC(2148, 0, 1) }),
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -dayMs, max: 2 * dayMs }))
      .map(([day, ms]) => day + ms),
  ),
]
const toNumber = (date: string) => Date.parse(date) / dayMs

test('the day of an instant, and where it begins and ends, are the model’s', () => {
  fc.assert(
    fc.property(zoneArb, instantArb, (zone, ms) => {
      const date = model.localDate(zone, ms)
      expect(toLocalDate(zone, ms)).toBe(date)
      expect(toStartOfDay(zone, date)).toBe(model.firstInstantOf(zone, date))
      const days = daysIn(zone)
      expect(days.of(ms)).toBe(toNumber(date))
      expect(days.after(toNumber(date))).toBe(model.firstInstantAfter(zone, date))
    }),
    { numRuns: 1_500, seed: 3 },
  )
})

test('some days before is at the same time on the clock, and an hour beside it where that does not exist', () => {
  const berlin = (text: string) => toDaysBefore('Europe/Berlin', Date.parse(text), 7)
  expect(berlin('2026-04-03T08:00:00.123Z')).toBe(Date.parse('2026-03-27T09:00:00.123Z'))
  expect(berlin('2026-10-30T09:00Z')).toBe(Date.parse('2026-10-23T08:00Z'))
  expect(berlin('2026-06-10T09:00Z')).toBe(Date.parse('2026-06-03T09:00Z'))
  // 01:30 is before the change of that night.
  expect(berlin('2026-11-01T00:30Z')).toBe(Date.parse('2026-10-24T23:30Z'))
  // 02:30 does not exist on 29 March.
  expect([Date.parse('2026-03-29T00:30Z'), Date.parse('2026-03-29T01:30Z')]).toContain(
    berlin('2026-04-05T00:30Z'),
  )
})

test('periods begin and follow one another as the model says', () => {
  const periods = fc.constantFrom('day' as const, 'week' as const, 'month' as const)
  fc.assert(
    fc.property(periods, instantArb, fc.integer({ min: -500, max: 500 }), (period, ms, count) => {
      const date = toLocalDate('UTC', ms)
      const start = toPeriodStart(period, date)
      expect(start).toBe(model.periodStart(period, date))
      expect(shiftPeriod(period, start, count)).toBe(model.shiftPeriod(period, start, count))
    }),
    { numRuns: 500, seed: 4 },
  )
  expect(toPeriodStart('week', '2026-03-29')).toBe('2026-03-23')
  expect(toPeriodStart('month', '2026-03-29')).toBe('2026-03-01')
  expect(shiftPeriod('month', '2026-12-01', 1)).toBe('2027-01-01')
  expect(shiftPeriod('month', '0999-12-01', -11)).toBe('0999-01-01')
  expect(shiftPeriod('day', '2026-02-28', 1)).toBe('2026-03-01')
})

test('a trend has twelve periods up to the current one unless asked otherwise, and a limit', () => {
  const asOf = Date.parse('2026-03-31T22:30Z')
  const trend = (more: Partial<Parameters<typeof toTrendPeriods>[0]> = {}) =>
    toTrendPeriods({ asOf, timeZone: 'Europe/Berlin', period: 'month', ...more })
  // It is April in Berlin already.
  expect(trend()).toHaveLength(12)
  expect([trend()?.[0], trend()?.at(-1)]).toEqual(['2025-05-01', '2026-04-01'])
  expect(trend({ trendFrom: '2026-02-10', trendTo: '2026-03-05' })).toEqual(['2026-02-01', '2026-03-01'])
  // Nothing is known of the time after the moment.
  expect(trend({ trendFrom: '2026-03-01', trendTo: '2026-12-01' })).toEqual(['2026-03-01', '2026-04-01'])
  expect(trend({ trendTo: '2026-01-31' })?.at(-1)).toBe('2026-01-01')
  expect(trend({ trendFrom: '2026-05-01' })).toEqual([])
  const days = { period: 'day', trendTo: '2026-04-01' } as const
  expect(trend({ ...days, trendFrom: addDays('2026-04-01', 1 - maxTrendPeriods) })).toHaveLength(
    maxTrendPeriods,
  )
  expect(trend({ ...days, trendFrom: addDays('2026-04-01', -maxTrendPeriods) })).toBeUndefined()
})
