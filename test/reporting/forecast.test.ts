/** The forecast: its arithmetic by hand, and what it refuses to invent. `forecast.long.test.ts` holds it to the sample company. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import { toForecast, toForecastCurve, type WaitCounts } from '../../reporting/forecast/forecast.ts'
import { toChance, toSurvival } from '../../reporting/forecast/survival.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { asDescribed, type DescribedApi } from '../dashboards/api/described.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { ownReader } from '../../reporting/read/reader.ts'

test('the curve and the chance of one who has waited are those worked out by hand', () => {
  // Ten: two end on day 1, one is censored on day 1, three end on day 4, four are censored on day 9.
  const survival = toSurvival({
    ended: new Map([
      [1, 2],
      [4, 3],
    ]),
    censored: new Map([
      [1, 1],
      [9, 4],
    ]),
  })
  expect(survival.at(0)).toBe(1)
  expect(survival.at(1)).toBeCloseTo(8 / 10, 12)
  expect(survival.at(4)).toBeCloseTo((8 / 10) * (4 / 7), 12)
  expect(survival.lastDay).toBe(9)
  expect(toChance(survival, 2, 3)).toBeCloseTo(3 / 7, 12)
  expect(toChance(survival, 5, 30)).toBe(0)
})

describe('what is too little', () => {
  const own: WaitCounts = {
    assigned: 10,
    completed: 5,
    waits: { ended: new Map(), censored: new Map() },
    open: [{ age: 2, n: 5, assignmentIds: ['a'] }],
  }
  const past = { ended: new Map([[3, 40]]), censored: new Map([[20, 10]]) }

  test('gives no number: nothing assigned, too few completions, older than everything known', () => {
    const options = { days: 5, target: 0.9 }
    expect(toForecast({ ...own, assigned: 0 }, past, options)).toMatchObject({ reason: 'nothing_assigned' })
    expect(toForecast(own, { ...past, ended: new Map([[3, 29]]) }, options)).toMatchObject({
      reason: 'too_few_completed',
    })
    const old = { ...own, open: [{ age: 20, n: 5, assignmentIds: [] }] }
    expect(toForecast(old, past, options)).toMatchObject({ reason: 'beyond_curve' })
  })

  test('a curve is the forecast of each of its days', () => {
    const days = [0, 3, 5, 9]
    const each = days.map((day) => toForecast(own, past, { days: day, target: 0.9 }))
    expect(toForecastCurve(own, past, days)).toEqual(each.map((one) => (one.kind === 'forecast' ? one.expected : one)))
  })

  test('and enough gives the same number every time, within its interval', () => {
    const first = toForecast(own, past, { days: 5, target: 0.9 })
    expect(first).toEqual(toForecast(own, past, { days: 5, target: 0.9 }))
    if (first.kind !== 'forecast') throw new Error('no forecast')
    // Of five open ones four in five are completed by day 3.
    expect(first.expected.value).toBeCloseTo((5 + 5 * 0.8) / 10, 12)
    expect(first.expected.low).toBeLessThan(first.expected.value)
    expect(first.expected.high).toBeGreaterThanOrEqual(first.expected.value)
    expect(first).toMatchObject({ needed: 4, likeliest: [{ assignment_id: 'a', chance: expect.closeTo(0.8, 9) }] })
  })
})

describe('a request for a forecast', () => {
  let store: TestStore
  let api: DescribedApi
  beforeAll(async () => {
    store = await openTestStore()
    api = asDescribed(
      createApi({
        queries: createQueries(ownReader(store.reader), { streamer: ownReader(store.streamer) }),
        settings: { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' },
        clock: () => Date.UTC(2026, 9, 1),
      }),
    )
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
