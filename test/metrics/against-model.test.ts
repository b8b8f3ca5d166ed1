/**
 * The proof of the numbers: random histories go through the real consumer into a real store, and every metric at random
 * instants, scopes and zones must be what an independent reading of METRICS.md computes from the raw bodies.
 *
 * More cases: METRICS_CASES=500 METRICS_SEED=7 npx vitest run test/metrics/against-model.test.ts
 * A failure is shown as it was found; METRICS_SHRINK=1 looks for a smaller one, which takes minutes.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBlocks } from '../../dashboards/queries/read-blocks.ts'
import { toMetrics } from '../../dashboards/queries/to-metrics.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { historyArb } from '../model/arbitrary.ts'
import { scopeArb } from '../model/arbitrary-scope.ts'
import { computeMetrics } from '../model/model.ts'
import type { Delivery, Scope } from '../model/scope.ts'
import { toBatch, toRecord } from '../support/records.ts'
import { openTestStore, type TestStore } from '../support/store.ts'

const cases = Number(process.env.METRICS_CASES ?? 20)
const seed = Number(process.env.METRICS_SEED ?? 2026)
const scopesPerHistory = 3

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

async function load(deliveries: readonly Delivery[], batchSize: number): Promise<void> {
  await store.clear()
  const consumer = createConsumer({ client: store.writer })
  let offset = await consumer.resumeFrom(0)
  for (let start = 0; start < deliveries.length; start += batchSize) {
    const bodies = deliveries.slice(start, start + batchSize).map(({ body }) => Buffer.from(body))
    await consumer.handle(toBatch(bodies.map((body) => toRecord(body, offset++))))
  }
}

/** Sums of fractions may differ in the last digit by their order. */
function rounded<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'number' ? Number(each.toPrecision(12)) : each)),
  ) as Value
}

/** Manager links are not stored as intervals yet, so scopes do not ask for them. */
const scopes = scopeArb().map((scope): Scope => ({ ...scope, manager: [] }))

test(
  'every metric is what METRICS.md says, for any history, instant, scope and zone',
  { timeout: 60_000 + cases * 10_000 },
  async () => {
    const property = fc.asyncProperty(
      historyArb({ maxEvents: 24 }),
      fc.integer({ min: 1, max: 30 }),
      fc.array(scopes, { minLength: scopesPerHistory, maxLength: scopesPerHistory }),
      async ({ deliveries }, batchSize, asked) => {
        await load(deliveries, batchSize)
        const answers = await Promise.all(
          asked.map(async (scope) => toMetrics(await readBlocks(store.reader, scope, []), scope)),
        )
        asked.forEach((scope, index) =>
          expect(rounded(answers[index])).toEqual(rounded(computeMetrics(deliveries, scope))),
        )
      },
    )
    await fc.assert(property, { numRuns: cases, seed, endOnFailure: process.env.METRICS_SHRINK === undefined })
  },
)
