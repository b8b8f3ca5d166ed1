import { expect, test } from 'vitest'
import { at } from './by-hand/hand.ts'
import { firstInstantAfter, firstInstantOf, lateFrom, localDate, periodStart, shiftPeriod } from './zones.ts'

test('a day ends at its local midnight, also on the days that have 23 and 25 hours', () => {
  expect(firstInstantAfter('UTC', '2026-03-29')).toBe(at('2026-03-30'))
  expect(firstInstantOf('Europe/Berlin', '2026-03-29')).toBe(at('2026-03-28T23:00Z'))
  expect(firstInstantAfter('Europe/Berlin', '2026-03-29')).toBe(at('2026-03-29T22:00Z'))
  expect(firstInstantAfter('Europe/Berlin', '2026-10-25')).toBe(at('2026-10-25T23:00Z'))
  expect(firstInstantAfter('Pacific/Kiritimati', '2026-03-29')).toBe(at('2026-03-29T10:00Z'))
  expect(firstInstantAfter('Pacific/Pago_Pago', '2026-03-29')).toBe(at('2026-03-30T11:00Z'))
  expect(firstInstantAfter('Asia/Kathmandu', '2026-03-29')).toBe(at('2026-03-29T18:15Z'))
})

test('where midnight does not exist the day begins with its first instant', () => {
  // Beirut goes from 23:59:59 at +02:00 straight to 01:00 at +03:00: the day before ends at 22:00Z.
  expect(firstInstantOf('Asia/Beirut', '2026-03-29')).toBe(at('2026-03-28T22:00Z'))
  expect(firstInstantAfter('Asia/Beirut', '2026-03-29')).toBe(at('2026-03-29T21:00Z'))
  expect(firstInstantOf('America/Santiago', '2026-09-06')).toBe(at('2026-09-06T04:00Z'))
})

test('every found boundary lies between the last instant of one day and the first of another', () => {
  for (const zone of [
    'Europe/Berlin',
    'Asia/Beirut',
    'America/Havana',
    'Africa/Cairo',
    'Australia/Lord_Howe',
  ]) {
    for (let day = at('2026-01-01'); day < at('2027-01-01'); day += 86_400_000) {
      const date = localDate('UTC', day)
      const after = firstInstantAfter(zone, date)
      expect([localDate(zone, after - 1), localDate(zone, after) > date], `${zone} ${date}`).toEqual([
        date,
        true,
      ])
    }
  }
})

test('late begins after the due day, or a millisecond after the due instant', () => {
  const due = at('2026-03-10T09:00Z')
  expect(lateFrom(due, 'UTC', 'end_of_day')).toBe(at('2026-03-11'))
  expect(lateFrom(due, 'Asia/Kathmandu', 'end_of_day')).toBe(at('2026-03-10T18:15Z'))
  expect(lateFrom(due, 'UTC', 'instant')).toBe(due + 1)
})

test('weeks begin on Monday, months on the first', () => {
  expect(periodStart('week', '2026-03-29')).toBe('2026-03-23')
  expect(periodStart('week', '2026-03-30')).toBe('2026-03-30')
  expect(periodStart('month', '2026-03-29')).toBe('2026-03-01')
  expect(shiftPeriod('month', '2026-01-01', -11)).toBe('2025-02-01')
  expect(shiftPeriod('month', '2026-12-01', 1)).toBe('2027-01-01')
  expect(shiftPeriod('week', '2026-03-30', -1)).toBe('2026-03-23')
})
