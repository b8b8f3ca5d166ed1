/** The forecast: its arithmetic by hand, what it refuses to invent, and how it would have done on the stand-in's company. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../../dashboards/api/app.ts'
import { toForecast, type WaitCounts } from '../../reporting/forecast/forecast.ts'
import { toChance, toSurvival } from '../../reporting/forecast/survival.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { asDescribed, type DescribedApi } from '../dashboards/api/described.ts'
import { createLife } from '../../sample-platform/company/life.ts'
import { toBatch, toRecord } from '../support/records.ts'
import { openTestStore, type TestStore } from '../support/store.ts'

const day = 86_400_000

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

describe.each(['forecast', 'another'])('on the company of the stand-in with the seed %s', (seed) => {
  const from = Date.UTC(2026, 0, 5)
  const end = Date.UTC(2026, 9, 1)
  let store: TestStore
  let api: DescribedApi
  beforeAll(async () => {
    store = await openTestStore()
    const life = createLife({ seed, from, people: 400 })
    const consumer = createConsumer({ client: store.writer })
    let offset = await consumer.resumeFrom(0)
    const records = [...life.next(end)].map(({ body }) => toRecord(Buffer.from(body), offset++))
    for (let at = 0; at < records.length; at += 10_000) await consumer.handle(toBatch(records.slice(at, at + 10_000)))
    api = asDescribed(
      createApi({
        queries: createQueries(store.reader, { streamer: store.streamer }),
        settings: { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' },
        clock: () => end,
      }),
    )
  })
  afterAll(() => store.close())

  type Answer = {
    expected: { value: number; low: number; high: number } | null
    completed_now: number
    assigned: number
    needed: number | null
    likeliest: { assignment_id: string; chance: number }[]
  }
  const getForecast = async (query: string) => (await (await api.request(`/forecast?${query}`)).json()) as Answer

  /** By challenge: how many of those in scope at `asOf` were completed `days` later. */
  const truth = (asOf: number, days: number) =>
    store.rows<{ challenge_id: string; n: string; completed: string }>(
      `SELECT challenge_id, toString(count()) AS n, toString(countIf(later.completed)) AS completed
       FROM (SELECT assignment_id, challenge_id FROM rollcall.assignments_as_of(as_of = {asOf:DateTime64(3, 'UTC')}, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7) WHERE user_active) AS then
       LEFT JOIN (SELECT assignment_id, completed FROM rollcall.assignments_as_of(as_of = {later:DateTime64(3, 'UTC')}, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)) AS later USING assignment_id
       GROUP BY challenge_id ORDER BY challenge_id`,
      { asOf: toText(asOf), later: toText(asOf + days * day) },
    )
  const toText = (at: number) => new Date(at).toISOString().slice(0, 23).replace('T', ' ')

  test('the interval of 90 % holds the truth in about nine of ten past cases, by what was known then', async () => {
    const days = 21
    let covered = 0
    let cases = 0
    let error = 0
    for (const month of [3, 4, 5, 6, 7]) {
      const asOf = Date.UTC(2026, month, 10) - 1
      const actual = await truth(asOf, days)
      for (const { challenge_id, n, completed } of actual) {
        const by = new Date(asOf + days * day).toISOString().slice(0, 10)
        const query = `challenge=${challenge_id}&as_of=${new Date(asOf).toISOString()}&by=${by}`
        const { expected, assigned } = await getForecast(query)
        expect(assigned).toBe(Number(n))
        if (expected === null || Number(n) < 10) continue
        const share = Number(completed) / Number(n)
        const slack = 0.5 / Number(n)
        cases++
        error += Math.abs(share - expected.value)
        if (share >= expected.low - slack && share <= expected.high + slack) covered++
      }
    }
    console.log(`forecast: ${covered} of ${cases} covered, mean error ${(error / cases).toFixed(4)}`)
    expect(cases).toBeGreaterThan(20)
    expect(covered / cases).toBeGreaterThanOrEqual(0.82)
    expect(error / cases).toBeLessThan(0.08)
  })

  test('a past forecast does not know what came later', async () => {
    const query = 'as_of=2026-05-10T00:00:00Z&by=2026-06-10'
    const before = await getForecast(query)
    const late = createLife({ seed, from, people: 400 })
    const later = [...late.next(end + 10 * day)]
      .slice(-500)
      .map(({ body }, n) => toRecord(Buffer.from(body), 1_000_000 + n))
    await createConsumer({ client: store.writer }).handle(toBatch(later))
    expect(await getForecast(query)).toEqual(before)
  })

  test('names as many of the likeliest as are needed for the target', async () => {
    const { needed, likeliest, completed_now, assigned } = await getForecast('by=2026-10-20&target=0.97')
    expect(needed).toBe(Math.max(0, Math.ceil(0.97 * assigned) - completed_now))
    expect(likeliest.length).toBeLessThanOrEqual(Math.min(needed ?? 0, 100))
    const chances = likeliest.map(({ chance }) => chance)
    expect(chances).toEqual(chances.toSorted((a, b) => b - a))
  })

  test.each([
    ['', 'by'],
    ['by=soon', 'by'],
    ['by=2026-01-01', 'by'],
    ['by=2026-12-01&target=90', 'target'],
    ['by=2026-12-01&colour=red', 'colour'],
  ])('refuses %j', async (query, parameter) => {
    const response = await api.request(`/forecast?${query}`)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { problems: { parameter: string }[] } }
    expect(error.problems.map((problem) => problem.parameter)).toEqual([parameter])
  })
})
