/** The consumer dies between every two of its steps; the tables must be as if it had not been disturbed. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroker } from '../support/kafka/broker.ts'
import { openProxy, type Cut, type Proxy } from '../support/network/proxy.ts'
import { pickLong } from '../support/thorough.ts'
import { until } from '../support/wait.ts'
import { noSessionEnds, openHarness, type Harness } from './harness.ts'

const broker = await findBroker()
const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())

/** The writes of a batch, in about this order, the position last of all. */
const steps = [
  'event_rows',
  'event_bodies',
  'failed_event_rows',
  'names',
  'user_observations',
  'user_versions',
  'link_versions',
  'closed_versions',
  'open_versions',
  'log_positions',
]

describe.skipIf(broker === undefined)('a consumer that is killed at any of its steps', () => {
  let harness: Harness
  let proxy: Proxy
  beforeAll(async () => {
    harness = await openHarness(broker!, seed)
    proxy = await openProxy(harness.clickhouseUrl)
  })
  afterAll(async () => {
    await proxy?.close()
    await harness?.dispose()
  })

  test('leaves tables that the next one makes whole: the same as without any fault', async () => {
    console.log(`seed ${seed} (ROLLCALL_FAULT_SEED)`)
    const cuts = steps.flatMap((table) => [
      { table, cut: 'before' as const },
      { table, cut: 'after' as const },
    ])
    for (const { table, cut } of pickLong(cuts, 3)) {
      await harness.send(120)
      let isKilled = false
      proxy.onInsert = (at): Cut => (at === table ? cut : undefined)
      const consumer = await harness.spawnConsumer({ CLICKHOUSE_URL: proxy.url })
      proxy.onCut = () => {
        proxy.onInsert = () => undefined
        consumer.process.kill('SIGKILL')
        isKilled = true
      }
      const ended = once(consumer.process, 'exit').then(() => {
        if (consumer.process.signalCode !== 'SIGKILL') throw new Error(consumer.output())
      })
      await until(() => isKilled, Boolean, { describe: () => `no insert into ${table}:\n${consumer.output()}` })
      await ended
    }
    const consumer = await harness.startConsumer(noSessionEnds)
    await harness.untilStored()
    expect(await consumer.stop(), consumer.output()).toBe(0)

    const { stored, expected } = await harness.compare()
    expect(expected.open_versions.length).toBeGreaterThan(100)
    expect(stored).toEqual(expected)
    expect(await harness.ledger()).toEqual({ acknowledged: harness.sent.length, difference: 0 })
  })
})
