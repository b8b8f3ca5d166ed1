/** The simulation behind docs/sizing.md. */
import { expect, test } from 'vitest'
import { simulate, type Plan } from './simulate.ts'

const costs = { fixedMs: 100, perEventMs: 0.1 }
const run = (plan: Plan) => simulate(plan, costs, 4)

test('is the same each time', () => {
  const plan = { perSecond: 500, partitions: 2, consumers: 2 }
  expect(run(plan)).toEqual(run(plan))
})

test('a plan that is too small never catches up, and says so', () => {
  // A batch of 10,000 takes 1.1 s.
  expect(run({ perSecond: 11_000, partitions: 1, consumers: 1 }).recoveredMs).toBe(Infinity)
  expect(run({ perSecond: 2_000, partitions: 1, consumers: 1 }).recoveredMs).toBeLessThan(120_000)
})

test('the partitions of a killed consumer wait for the end of its session', () => {
  const { recoveredMs, p95Ms } = run({ perSecond: 1_000, partitions: 2, consumers: 2 })
  expect(recoveredMs).toBeGreaterThan(25_000)
  // Until the next fetch, and then for the batch.
  expect(p95Ms).toBeLessThan(400 + 100 + 100)
})

test('a consumer of many partitions is busy with small batches', () => {
  const one = run({ perSecond: 1_000, partitions: 1, consumers: 1 })
  const many = run({ perSecond: 1_000, partitions: 8, consumers: 1 })
  expect(one.busy).toBeLessThan(0.6)
  expect(many.busy).toBeGreaterThan(0.9)
  expect(many.batchesPerSecond).toBeGreaterThan(3 * one.batchesPerSecond)
})
