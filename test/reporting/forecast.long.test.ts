/** How the forecast would have done on the sample company. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { createStoreApi, asDescribed, type DescribedApi } from '../dashboards/api/described.ts'
import { createLife } from '../../sample-platform/company/life.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { isComplete } from '../support/thorough.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { evaluate } from '../bench/forecast.ts'

const day = 86_400_000
const seeds = isComplete ? ['forecast', 'another'] : ['forecast']

describe.each(seeds)('on the company of the stand-in with the seed %s', (seed) => {
  const from = Date.UTC(2026, 0, 5)
  const end = Date.UTC(2026, 9, 1)
  let store: TestStore
  let api: DescribedApi
  beforeAll(async () => {
    store = await openTestStore()
    const life = createLife({ seed, from, people: 160 })
    const consumer = createConsumer({ client: store.writer })
    let offset = await consumer.resumeFrom(0)
    const records = [...life.next(end)].map(({ body }) => toRecord(Buffer.from(body), offset++))
    for (let at = 0; at < records.length; at += 10_000) await consumer.handle(toBatch(records.slice(at, at + 10_000)))
    api = asDescribed(createStoreApi(store, end))
  })
  afterAll(() => store.close())

  type Answer = {
    expected: { value: number; low: number | null; high: number | null } | null
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
       FROM (SELECT assignment_id, challenge_id FROM rollcall.assignments_as_of(as_of = {asOf:DateTime64(3, 'UTC')}, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)) AS then
       LEFT JOIN (SELECT assignment_id, completed FROM rollcall.assignments_all_as_of(as_of = {later:DateTime64(3, 'UTC')}, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)) AS later USING assignment_id
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
        if (expected === null || expected.low === null || expected.high === null || Number(n) < 10) continue
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
    const late = createLife({ seed, from, people: 160 })
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
})

// The forecast over made histories of four kinds: `test/bench/forecast.ts` prints the figures.

test('the interval holds and is narrow, and the forecast is near', () => {
  const scores = evaluate(3)
  const all = scores.find(({ kind }) => kind === 'all')
  if (all === undefined) throw new Error('no scores')
  expect(all.cases).toBeGreaterThan(500)
  expect(all.withoutInterval).toBeLessThan(all.cases / 20)
  expect(all.held).toBeGreaterThanOrEqual(0.85)
  // A Kaplan-Meier curve by age alone, with a bootstrap interval: 2.39 points wide, pinball loss 0.207, mean error 0.71 points.
  expect(all.width).toBeLessThanOrEqual(1.5 * 2.39)
  expect(all.pinball).toBeLessThanOrEqual(0.207)
  expect(all.error).toBeLessThanOrEqual(0.71)
  for (const { kind, held } of scores) expect([kind, held >= 0.8]).toEqual([kind, true])
})
