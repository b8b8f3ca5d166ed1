import { describe, expect, test } from 'vitest'
import { compile, type Version } from '../../reporting/expressions/evaluate.ts'
import { toViewSql } from '../../reporting/expressions/view-sql.ts'
import { whereOf } from '../../reporting/scope/filters.ts'
import { parseScope, type ParseScopeOptions } from '../../reporting/scope/parse-scope.ts'

const now = Date.UTC(2026, 2, 10, 15, 30)
const options: ParseScopeOptions = {
  now,
  settings: { timeZone: 'Europe/Berlin', dueZone: 'Asia/Tokyo', dueEnd: 'end_of_day' },
}

function scopeOf(query: string) {
  const { scope, problems } = parseScope(new URLSearchParams(query), options)
  expect(problems).toEqual([])
  return scope
}

function problemsOf(query: string) {
  return parseScope(new URLSearchParams(query), options).problems.map(({ parameter }) => parameter)
}

describe('a scope', () => {
  test('is everything as of now, by the settings, where nothing is asked for', () => {
    expect(scopeOf('')).toEqual({
      asOf: now,
      now,
      timeZone: 'Europe/Berlin',
      dueZone: 'Asia/Tokyo',
      dueEnd: 'end_of_day',
      period: 'week',
      dueSoonDays: 7,
      includeLeavers: false,
      challenge: [],
      team: [],
      user: [],
      status: [],
      fact: [],
      manager: [],
      attribute: [],
      aging: [],
    })
  })

  test('takes every filter, repeated ones and windows', () => {
    const query =
      'challenge=a&challenge=b&team=1&user=7&status=overdue&status=failed&fact=graded&aging=91%2B&assigned_from=2026-01-01&' +
      'assigned_to=2026-01-31&due_from=2026-02-01&completed_to=2026-03-01&include_leavers=true&period=day&due_soon_days=0&' +
      'tz=America/New_York&due_zone=UTC&due_end=instant&trend_from=2026-01-01&trend_to=2026-02-01'
    expect(scopeOf(query)).toMatchObject({
      challenge: ['a', 'b'],
      team: ['1'],
      user: ['7'],
      status: ['overdue', 'failed'],
      fact: ['graded'],
      aging: ['91+'],
      assignedFrom: '2026-01-01',
      assignedTo: '2026-01-31',
      dueFrom: '2026-02-01',
      completedTo: '2026-03-01',
      includeLeavers: true,
      period: 'day',
      dueSoonDays: 0,
      timeZone: 'America/New_York',
      dueZone: 'UTC',
      dueEnd: 'instant',
      trendFrom: '2026-01-01',
      trendTo: '2026-02-01',
    })
  })

  test('is as of an instant, or of the last millisecond of a date in the reporting zone', () => {
    expect(scopeOf('as_of=2026-03-01T12:00:00Z').asOf).toBe(Date.UTC(2026, 2, 1, 12))
    expect(scopeOf('as_of=2026-03-01T12:00:00.250-05:30').asOf).toBe(Date.UTC(2026, 2, 1, 17, 30, 0, 250))
    expect(scopeOf('as_of=2026-03-01').asOf).toBe(Date.UTC(2026, 2, 1, 23) - 1)
    expect(scopeOf('as_of=2026-03-01&tz=UTC').asOf).toBe(Date.UTC(2026, 2, 2) - 1)
    expect(scopeOf('as_of=2026-04-01').asOf).toBe(Date.UTC(2026, 3, 1, 22) - 1)
  })

  test('as of today is as of now', () => {
    expect(scopeOf('as_of=2026-03-10').asOf).toBe(now)
    expect(scopeOf('as_of=2026-03-11&tz=Pacific/Kiritimati').asOf).toBe(now)
  })

  test('treats an empty value as not given', () => {
    expect(scopeOf('as_of=&challenge=&unknown=&as_of=2026-03-01T00:00:00Z')).toMatchObject({
      asOf: Date.UTC(2026, 2, 1),
      challenge: [],
    })
  })

  test('reads a + that was not escaped', () => {
    expect(scopeOf('aging=91+&as_of=2026-03-01T12:00:00+02:00')).toMatchObject({
      aging: ['91+'],
      asOf: Date.UTC(2026, 2, 1, 10),
    })
  })
})

describe('the API', () => {
  test.each([
    ['as_of=2026-02-30', 'as_of'],
    ['as_of=2026-03-01T12:00:00', 'as_of'],
    ['as_of=2026-03-01T25:00:00Z', 'as_of'],
    ['as_of=2149-01-01T00:00:00Z', 'as_of'],
    ['as_of=yesterday', 'as_of'],
    ['tz=%2B02:00', 'tz'],
    ['tz=europe/berlin', 'tz'],
    ['tz=US/EASTERN', 'tz'],
    ['due_zone=Mars/Base', 'due_zone'],
    ['due_end=noon', 'due_end'],
    ['period=year', 'period'],
    ['due_soon_days=366', 'due_soon_days'],
    ['due_soon_days=-1', 'due_soon_days'],
    ['due_soon_days=1.5', 'due_soon_days'],
    ['include_leavers=yes', 'include_leavers'],
    ['status=late', 'status'],
    ['fact=late', 'fact'],
    ['aging=1-6', 'aging'],
    ['assigned_from=2026-1-1', 'assigned_from'],
    ['completed_from=2026-03-02&completed_to=2026-03-01', 'completed_from'],
    ['trend_from=2026-03-02&trend_to=2026-03-01', 'trend_from'],
    ['trend_from=2024-01-01&period=day', 'trend_from'],
    ['trend_to=0000-03-01&period=month', 'trend_to'],
    ['trend_from=0999-01-01&trend_to=0999-01-02', 'trend_from', 'trend_to'],
    ['due_from=0000-01-01', 'due_from'],
    ['period=day&period=week', 'period'],
    ['colour=red', 'colour'],
    ['manager=7&manager_depth=0', 'manager_depth'],
    ['manager=7&manager_depth=1.5', 'manager_depth'],
    ['manager=7&manager_depth=1&manager_depth=2', 'manager_depth'],
    ['manager_depth=1', 'manager_depth'],
  ])('refuses %s', (query, ...parameters) => {
    expect(problemsOf(query)).toEqual(parameters)
  })

  test('names every problem at once', () => {
    expect(problemsOf('period=year&tz=Nowhere&colour=red&fact=x').sort()).toEqual([
      'colour',
      'fact',
      'period',
      'tz',
    ])
  })

  test('takes a trend of 400 periods', () => {
    expect(scopeOf('period=day&trend_from=2025-02-04').trendFrom).toBe('2025-02-04')
    expect(problemsOf('period=day&trend_from=2025-02-03')).toEqual(['trend_from'])
  })

  test.each(['UTC', 'Etc/GMT+5', 'Asia/Kolkata', 'US/Eastern', 'EST5EDT', 'America/Argentina/Buenos_Aires'])(
    'takes the zone %s',
    (zone) => expect(scopeOf(`tz=${encodeURIComponent(zone)}`).timeZone).toBe(zone),
  )
})

test('a window that ends before 1970 has nothing in it, in memory and in the views', () => {
  const ofWindow = (query: string) => {
    const scope = scopeOf(`${query}&tz=UTC`)
    const [where] = whereOf(scope)
    if (where === undefined || !('row' in where)) throw new Error('no window')
    const isIn = compile(where.row, scope)({ created_at: 3_600_000 } as Version)
    return { isIn, inView: toViewSql(where.row) }
  }
  expect(ofWindow('assigned_to=1970-01-01').isIn).toBe(1)
  expect(ofWindow('assigned_to=1960-01-01')).toEqual({
    isIn: 0,
    inView: "(created_at IS NOT NULL AND day_of(created_at) <= '1960-01-01')",
  })
})

describe('what is in force', () => {
  const applied = (query: string) =>
    parseScope(new URLSearchParams(query), { ...options, ignore: ['range'] }).applied.toString()

  test('leaves out what cannot be used, and only that', () => {
    expect(applied('range=90d&period=year&colour=red&team=1&team=&status=late&status=failed')).toBe(
      'team=1&status=failed',
    )
    expect(applied('manager_depth=2&user=7')).toBe('user=7')
  })

  test('loses both ends of a range that ends before it begins', () => {
    const parsed = parseScope(new URLSearchParams('due_from=2026-03-02&due_to=2026-03-01'), options)
    expect(parsed.applied.toString()).toBe('')
    expect(parsed.scope).not.toHaveProperty('dueFrom')
    expect(parsed.scope).not.toHaveProperty('dueTo')
  })

  test.each([
    'challenge=a&challenge=b&manager=7&manager_depth=2&aging=91+&due_to=2026-03-01&tz=UTC&trend_from=2026-01-01',
    'as_of=2026-03-01&period=day&include_leavers=true&fact=graded&fact=nothing&trend_from=1990-01-01&period=week',
    'completed_from=2026-04-01&completed_to=2026-03-01&due_soon_days=1000&due_end=instant&manager_depth=x',
  ])('read again gives the same scope without a problem: %s', (query) => {
    const first = parseScope(new URLSearchParams(query), options)
    const second = parseScope(first.applied, options)
    expect(second).toEqual({ scope: first.scope, applied: first.applied, problems: [] })
  })
})
