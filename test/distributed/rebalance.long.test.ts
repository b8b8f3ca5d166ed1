/** Consumers come, go and die again and again under load: each delivery has its effect exactly once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom, integer, chance } from '../../sample-platform/random.ts'
import type { Child } from '../support/processes/child.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { until } from '../support/wait.ts'
import { openHarness, type Harness } from './harness.ts'

const broker = await findBroker()
const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())
const changes = Number(process.env.ROLLCALL_FAULT_CHANGES ?? '6')

describe.skipIf(broker === undefined)('consumers that share the work', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await openHarness(broker!, seed)
  })
  afterAll(() => harness?.dispose())

  test('store everything once while members join, leave or die', async () => {
    console.log(`seed ${seed} (ROLLCALL_FAULT_SEED), ${changes} changes (ROLLCALL_FAULT_CHANGES)`)
    const random = createRandom(seed)
    // The first one makes the schema; from then on there are always two, and one of them changes.
    const consumers: Child[] = [await harness.startConsumer(), await harness.startConsumer()]
    const load = harness.sendSteadily(400)
    for (let left = changes; left > 0; left--) {
      const enough = harness.sent.length + integer(random, 200, 1_200)
      await until(() => harness.sent.length >= enough)
      const [leaving] = consumers.splice(integer(random, 0, consumers.length - 1), 1)
      const isClean = chance(random, 0.5)
      const gone = isClean ? leaving?.stop() : leaving?.kill()
      const joining = harness.startConsumer()
      expect(await gone, leaving?.output()).toBe(isClean ? 0 : undefined)
      consumers.push(await joining)
    }
    await load.stop()
    await harness.untilStored()
    for (const consumer of consumers) expect(await consumer.stop(), consumer.output()).toBe(0)

    const { stored, expected } = await harness.compare()
    expect(stored).toEqual(expected)
    expect(await harness.ledger()).toEqual({ acknowledged: harness.sent.length, difference: 0 })
  })
})
