/** ClickHouse is away while deliveries go on: they wait in the log, not in memory, and are stored by themselves afterwards. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroker } from '../support/kafka/broker.ts'
import { readMetric } from '../support/processes/child.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { isComplete } from '../support/thorough.ts'
import { until } from '../support/wait.ts'
import { noSessionEnds, openHarness, type Harness } from './harness.ts'

const broker = await findBroker()
const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())
const deliveries = Number(process.env.ROLLCALL_FAULT_DELIVERIES ?? (isComplete ? 15_000 : 3_000))
const looksAtMemory = 21

describe.skipIf(broker === undefined)('a consumer whose ClickHouse is away', () => {
  let harness: Harness
  let proxy: Proxy
  beforeAll(async () => {
    harness = await openHarness(broker!, seed, noSessionEnds)
    proxy = await openProxy(harness.clickhouseUrl)
  })
  afterAll(async () => {
    await proxy?.close()
    await harness?.dispose()
  })

  test('lets the lag grow but not its memory, and catches up afterwards', async () => {
    console.log(`seed ${seed}, ${deliveries} deliveries (ROLLCALL_FAULT_DELIVERIES)`)
    const consumer = await harness.startConsumer({ CLICKHOUSE_URL: proxy.url })
    await harness.send(500)
    await harness.untilStored()
    const before = harness.sent.length

    await proxy.refuse()
    const load = harness.sendSteadily(1_500)
    const memory: number[] = []
    for (let look = 1; look <= looksAtMemory; look++) {
      const enough = before + (look * deliveries) / looksAtMemory
      await until(
        () => harness.sent.length,
        (count) => count >= enough,
      )
      memory.push((await readMetric(consumer, 'process_resident_memory_bytes')) / 1024 ** 2)
    }
    await load.stop()
    const waiting = harness.sent.length - before
    await until(
      () => readMetric(consumer, 'rollcall_consumer_lag_records'),
      (lag) => lag > waiting * 0.9,
    )
    expect((await fetch(`${consumer.adminUrl}/health/live`)).status).toBe(200)
    const third = Math.floor(memory.length / 3)
    const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length
    console.log(`memory in MB over the outage: ${memory.map(Math.round).join(' ')}; ${waiting} deliveries wait`)
    // The waiting deliveries are not a part of it: the end of the outage is as the middle, while the backlog has doubled.
    expect(mean(memory.slice(-third)) - mean(memory.slice(third, 2 * third))).toBeLessThan(60)

    await proxy.accept()
    const backAt = Date.now()
    await harness.untilStored().catch((error: unknown) => {
      throw new Error(`${String(error)}\n${consumer.output().slice(-5_000)}`)
    })
    console.log(`caught up ${Date.now() - backAt} ms after ClickHouse was back`)
    expect(await consumer.stop(), consumer.output()).toBe(0)
    const { stored, expected } = await harness.compare()
    expect(stored).toEqual(expected)
    expect(await harness.ledger()).toEqual({ acknowledged: harness.sent.length, difference: 0 })
  })
})
