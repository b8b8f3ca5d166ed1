import { describe, expect, test } from 'vitest'
import { toDuePeriod, toFullPeriod, toNextDue, toSince, type Schedule } from '../../digest/schedule.ts'

const at = (text: string) => Date.parse(text)
const hour = 3_600_000
const weekly: Schedule = { frequency: 'weekly', weekday: 1, hour: 7, timeZone: 'Europe/Berlin' }
const daily: Schedule = { ...weekly, frequency: 'daily' }

describe('when a digest is due', () => {
  test('from its hour on its day, in the zone of the person, for two days', () => {
    // Monday, 2 March 2026, 07:00 in Berlin.
    expect(toDuePeriod(weekly, at('2026-03-02T05:59:59Z'))).toBeUndefined()
    expect(toDuePeriod(weekly, at('2026-03-02T06:00:00Z'))?.key).toBe('2026-03-02')
    expect(toDuePeriod(weekly, at('2026-03-04T06:00:00Z'))?.key).toBe('2026-03-02')
    expect(toDuePeriod(weekly, at('2026-03-04T06:00:01Z'))).toBeUndefined()
  })

  test('on a Sunday', () => {
    expect(toDuePeriod({ ...weekly, weekday: 7 }, at('2026-03-01T12:00:00Z'))?.key).toBe('2026-03-01')
  })

  test('daily for twelve hours, and on the date of the zone', () => {
    expect(toDuePeriod(daily, at('2026-03-03T06:00:00Z'))?.key).toBe('2026-03-03')
    expect(toDuePeriod(daily, at('2026-03-03T18:00:01Z'))).toBeUndefined()
    const auckland = { ...daily, timeZone: 'Pacific/Auckland' }
    expect(toDuePeriod(auckland, at('2026-03-02T19:00:00Z'))?.key).toBe('2026-03-03')
  })

  test('once for each date, also where an hour happens twice or not at all', () => {
    for (const [zone, from] of [
      ['Europe/Berlin', '2026-03-28T00:00:00Z'],
      ['Europe/Berlin', '2026-10-24T00:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T00:00:00Z'],
    ] as const) {
      for (let hourOfDay = 0; hourOfDay < 24; hourOfDay++) {
        const schedule = { ...daily, timeZone: zone, hour: hourOfDay }
        const keys = new Map<string, Set<number>>()
        for (let minute = 0; minute < 4 * 24 * 60; minute += 30) {
          const period = toDuePeriod(schedule, at(from) + minute * 60_000)
          if (period) keys.set(period.key, (keys.get(period.key) ?? new Set()).add(period.dueAtMs))
        }
        // A moment for each date, and no date without one.
        expect([zone, hourOfDay, [...keys.values()].every(({ size }) => size === 1)]).toEqual([
          zone,
          hourOfDay,
          true,
        ])
        expect([zone, hourOfDay, keys.size >= 4]).toEqual([zone, hourOfDay, true])
      }
    }
  })

  test('the next one', () => {
    expect(toNextDue(weekly, at('2026-03-02T06:00:00Z'))).toBe(at('2026-03-09T06:00:00Z'))
  })
})

describe('where a digest begins', () => {
  const now = at('2026-03-30T06:00:00Z')
  test('a period ago, or where the last one ended, and at most 31 days ago', () => {
    expect(toSince('weekly', now)).toBe(now - 168 * hour)
    expect(toSince('daily', now)).toBe(now - 24 * hour)
    expect(toSince('weekly', now, now - 200 * hour)).toBe(now - 200 * hour)
    expect(toSince('weekly', now, 0)).toBe(now - 31 * 24 * hour)
  })
})

test.each([
  // A Monday at 07:06, a Sunday night, and the week in which clocks go forward.
  ['weekly', 'Europe/Berlin', '2026-11-23T06:06Z', '2026-11-15T23:00Z', '2026-11-22T23:00Z'],
  ['weekly', 'Europe/Berlin', '2026-11-22T22:59Z', '2026-11-08T23:00Z', '2026-11-15T23:00Z'],
  ['weekly', 'Europe/Berlin', '2026-03-31T10:00Z', '2026-03-22T23:00Z', '2026-03-29T22:00Z'],
  ['daily', 'Asia/Tokyo', '2026-11-23T15:00Z', '2026-11-22T15:00Z', '2026-11-23T15:00Z'],
  ['daily', 'Asia/Tokyo', '2026-11-23T14:59Z', '2026-11-21T15:00Z', '2026-11-22T15:00Z'],
] as const)('the last full %s period in %s at %s is from %s to %s', (frequency, zone, now, since, until) => {
  const period = { since: Date.parse(since), until: Date.parse(until) }
  expect(toFullPeriod(frequency, zone, Date.parse(now))).toEqual(period)
})
