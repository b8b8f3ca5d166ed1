/** The forecast: its arithmetic by hand, and the cases that it refuses. `forecast.long.test.ts` holds it to the sample company. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toForecast, type WaitCounts } from '../../reporting/forecast/forecast.ts'
import { fitHazards, noDue, toChances, type PastWaits } from '../../reporting/forecast/hazard.ts'
import { toPast } from '../../reporting/queries/read-forecast.ts'
import { parseScope } from '../../reporting/scope/parse-scope.ts'
import { createStoreApi, asDescribed, type DescribedApi } from '../dashboards/api/described.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

const fitHazard = (past: PastWaits, daysAgo: number) => fitHazards(past, [daysAgo])[0]!

/** Four of five took three to five days each, the others are open: all due ten days after they were created. */
const toPastWaits = (daysBetween: number, length = 50): PastWaits => {
  const born = Array.from({ length }, (_, n) => n * daysBetween)
  const ended = born.map((day, n) => (day >= 3 + (n % 3) && n % 5 !== 0 ? day - 3 - (n % 3) : -1))
  return { born, ended, completed: ended.map((day) => (day === -1 ? 0 : 1)), due: born.map((day) => 10 - day) }
}

describe('the daily chance', () => {
  test('is how often it came about by that age and with so many days left', () => {
    // A thousand days at the age of 1 and 5 days left, of which each tenth ended.
    const many = { length: 1_000 }
    const hazard = fitHazard(
      {
        born: Array.from(many, () => 1),
        ended: Array.from(many, (_, n) => (n % 10 === 0 ? 0 : -1)),
        completed: Array.from(many, (_, n) => (n % 10 === 0 ? 1 : 0)),
        due: Array.from(many, () => 5),
      },
      0,
    )
    expect(toChances(hazard, 0, 6, [1])[0]).toBeCloseTo(0.1, 2)
    expect(toChances(hazard, 0, 6, [1, 2, 9]).every((chance, index, all) => chance >= (all[index - 1] ?? 0))).toBe(true)
  })

  test('leaves out who fails before', () => {
    const many = { length: 1_000 }
    const of = (failed: number) =>
      fitHazard(
        {
          born: Array.from(many, () => 40),
          ended: Array.from(many, (_, n) => 39 - (n % 39)),
          completed: Array.from(many, (_, n) => (failed === 0 || n % 2 === 0 ? 1 : 0)),
          due: Array.from(many, () => noDue),
        },
        0,
      )
    expect(toChances(of(0), 0, noDue, [200])[0]).toBeGreaterThan(0.95)
    expect(toChances(of(0.5), 0, noDue, [200])[0]).toBeCloseTo(0.5, 1)
  })

  test('rises before the due date where it did, whatever the age', () => {
    const born = Array.from({ length: 600 }, (_, n) => 20 + (n % 40))
    // Terms of ten to twenty days; all end two days before they are due, if they do.
    const terms = born.map((_, n) => 10 + (n % 11))
    const ended = born.map((day, n) => (n % 7 === 0 ? -1 : Math.max(0, day - (terms[n] ?? 0) + 2)))
    const past = {
      born,
      ended,
      completed: ended.map((day) => (day === -1 ? 0 : 1)),
      due: born.map((day, n) => (terms[n] ?? 0) - day),
    }
    const hazard = fitHazard(past, 0)
    expect(toChances(hazard, 5, 4, [3])[0]).toBeGreaterThan(0.5)
    expect(toChances(hazard, 5, 14, [3])[0]).toBeLessThan(0.2)
  })

  test('of a past moment is that of what was known then', () => {
    const past = toPastWaits(2)
    const known = past.born.map((_, index) => index).filter((index) => (past.born[index] ?? 0) >= 30)
    const of = (column: readonly number[], read: (value: number) => number) =>
      known.map((index) => read(column[index] ?? 0))
    const then = {
      born: of(past.born, (day) => day - 30),
      ended: of(past.ended, (day) => (day >= 30 ? day - 30 : -1)),
      completed: known.map((index) => ((past.ended[index] ?? 0) >= 30 ? (past.completed[index] ?? 0) : 0)),
      due: of(past.due, (day) => day + 30),
    }
    expect(fitHazard(past, 30)).toEqual(fitHazard(then, 0))
    // Of several moments at once each has its own.
    expect(fitHazards(past, [0, 14, 30, 200])).toEqual([0, 14, 30, 200].map((daysAgo) => fitHazard(past, daysAgo)))
  })
})

describe('a forecast', () => {
  const own: WaitCounts = {
    assigned: 10,
    completed: 5,
    waits: { ended: new Map(), censored: new Map() },
    open: [{ age: 2, left: 8, n: 5, assignmentIds: ['a'] }],
  }
  const options = { days: [0, 3, 5], target: 0.9 }

  test('is not given where there is too little: nothing assigned, too few completions, older than everything known', () => {
    const past = toPastWaits(1)
    expect(toForecast({ ...own, assigned: 0 }, past, options)).toMatchObject({ reason: 'nothing_assigned' })
    const few = { ...past, completed: past.completed.map((one, n) => (n < 30 ? one : 0)) }
    expect(toForecast(own, few, options)).toMatchObject({ reason: 'too_few_completed' })
    const old = { ...own, open: [{ age: 200, left: 8, n: 5, assignmentIds: [] }] }
    expect(toForecast(old, past, options)).toMatchObject({ reason: 'beyond_curve' })
  })

  test('has no interval before ten past moments can be compared, and one from then on', () => {
    const young = toForecast(own, toPastWaits(1), options)
    expect(young).toMatchObject({ kind: 'forecast', calibration: null, expected: { low: null, high: null } })
    const grown = toForecast(own, toPastWaits(1, 400), options)
    if (grown.kind !== 'forecast') throw new Error('no forecast')
    const { value, low, high } = grown.expected
    expect(low).toBeLessThan(value)
    expect(high).toBeGreaterThanOrEqual(value)
    expect(grown.calibration?.moments).toBeGreaterThanOrEqual(10)
    expect(grown.calibration?.held).toBeGreaterThanOrEqual(0.9 * (grown.calibration?.moments ?? 0))
  })

  test('is the same every time, and of each day what it is of this day alone', () => {
    const past = toPastWaits(1, 400)
    const first = toForecast(own, past, options)
    expect(first).toEqual(toForecast(own, past, options))
    if (first.kind !== 'forecast') throw new Error('no forecast')
    expect(first.points[0]).toEqual({ value: 0.5, low: 0.5, high: 0.5 })
    const alone = toForecast(own, past, { ...options, days: [3] })
    expect(first.points[1]).toEqual(alone.kind === 'forecast' ? alone.expected : alone)
    expect(first).toMatchObject({ needed: 4, likeliest: [{ assignment_id: 'a' }] })
  })
})

test('the past of a scope is that of its challenges, teams and attributes, of any time and person', () => {
  const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day', userAttributes: ['site'] } as const
  const of = (query: string) =>
    toPast(parseScope(new URLSearchParams(query), { now: Date.UTC(2026, 9, 1), settings }).scope)
  const same = 'challenge=c1&team=t1&attribute.site=north&without=team&as_of=2026-05-01'
  expect(of(`${same}&status=overdue&user=7&due_from=2026-03-01`)).toEqual({ ...of(same), includeLeavers: true })
  expect(of(same)).toMatchObject({
    challenge: ['c1'],
    team: ['t1'],
    attribute: [['site', ['north']]],
    without: ['team'],
  })
  expect(of('')).not.toHaveProperty('without')
})

describe('a request for a forecast', () => {
  let store: TestStore
  let api: DescribedApi
  beforeAll(async () => {
    store = await openTestStore()
    api = asDescribed(createStoreApi(store, Date.UTC(2026, 9, 1)))
  })
  afterAll(() => store.close())

  test.each([
    ['', 'by'],
    ['by=soon', 'by'],
    ['by=2026-01-01', 'by'],
    ['by=2026-12-01&target=90', 'target'],
    ['by=2026-12-01&colour=red', 'colour'],
  ])('is refused for %j', async (query, parameter) => {
    const response = await api.request(`/forecast?${query}`)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { problems: { parameter: string }[] } }
    expect(error.problems.map((problem) => problem.parameter)).toEqual([parameter])
  })
})
