/** A consumer that is killed, that has no ClickHouse for a while, and that is stopped beyond its session and goes on. */
import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findBroker } from '../support/kafka/broker.ts'
import { openProxy, type Cut, type Proxy } from '../support/network/proxy.ts'
import { isComplete, pick } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { noSessionEnds, openHarness, type Harness } from './harness.ts'
import { readMetric, type Child } from '../support/processes/child.ts'

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

/** Between every two of its steps; the tables must be as if it had not been disturbed. */
test.skipIf(broker === undefined)(
  'a consumer killed at any step leaves what the next one makes whole',
  async () => {
    const harness = await openHarness(broker!, seed)
    onTestFinished(() => harness.dispose())
    const proxy = await openProxy(harness.clickhouseUrl)
    onTestFinished(() => proxy.close())
    console.log(`seed ${seed} (ROLLCALL_FAULT_SEED)`)
    const cuts = steps.flatMap((table) => [
      { table, cut: 'before' as const },
      { table, cut: 'after' as const },
    ])
    for (const { table, cut } of pick(cuts, 3)) {
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
      await until(() => isKilled, Boolean, {
        describe: () => `no insert into ${table}:\n${consumer.output()}`,
      })
      await ended
    }
    const consumer = await harness.startConsumer(noSessionEnds)
    await harness.untilStored()
    expect(await consumer.stop(), consumer.output()).toBe(0)

    const { stored, expected } = await harness.compare()
    expect(expected.open_versions.length).toBeGreaterThan(100)
    expect(stored).toEqual(expected)
    expect(await harness.ledger()).toEqual({ given: harness.sent.length, difference: 0 })
  },
)

const deliveries = Number(process.env.ROLLCALL_FAULT_DELIVERIES ?? (isComplete ? 15_000 : 3_000))
const looksAtMemory = 21

/** Deliveries go on: they wait in the log, and are stored by themselves afterwards. */
test.skipIf(broker === undefined)('while ClickHouse is away the lag grows, and not the memory', async () => {
  const harness = await openHarness(broker!, seed, noSessionEnds)
  onTestFinished(() => harness.dispose())
  const proxy = await openProxy(harness.clickhouseUrl)
  onTestFinished(() => proxy.close())
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
  expect(await harness.ledger()).toEqual({ given: harness.sent.length, difference: 0 })
})

/** A consumer that was stopped, and goes on after its work has gone to another: its late writes must not count twice. */
describe.skipIf(broker === undefined)('a consumer that is stopped beyond its session and goes on', () => {
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

  /** It may be on the way into the group at that moment, which it does not leave in a hurry. */
  async function stop(consumer: Child): Promise<void> {
    consumer.process.kill('SIGCONT')
    await consumer.kill()
  }

  const tables = process.env.ROLLCALL_FAULT_TABLES?.split(',') ?? pick(['open_versions', 'log_positions'], 2)

  test.each(tables)(
    'leaves nothing double by an insert into %s that arrives after another has done its work',
    async (table) => {
      console.log(`seed ${seed} (ROLLCALL_FAULT_SEED)`)
      // It alone has everything, and is stopped with this insert on its way.
      await harness.send(200)
      const onItsWay = Promise.withResolvers<void>()
      const arrives = Promise.withResolvers<void>()
      proxy.onInsert = async (at) => {
        if (at !== table) return undefined
        proxy.onInsert = () => undefined
        onItsWay.resolve()
        await arrives.promise
        return undefined
      }
      const zombie = await harness.startConsumer({ CLICKHOUSE_URL: proxy.url })
      await onItsWay.promise
      zombie.process.kill('SIGSTOP')

      // More has arrived meanwhile, so that the other's batches have other ends.
      await harness.send(150)
      const healthy = await harness.startConsumer({ KAFKA_SESSION_TIMEOUT_MS: '6000' })
      await harness.untilStored()
      let hasArrived = false
      proxy.onInsertDone = (at) => (hasArrived ||= at === table)
      arrives.resolve()
      await until(() => hasArrived)
      zombie.process.kill('SIGCONT')
      // It runs again: it answers.
      await until(() => readMetric(zombie, 'process_resident_memory_bytes'))
      await harness.send(100)
      await harness.untilStored().catch((error: unknown) => {
        throw new Error(`${String(error)}\nstopped:\n${zombie.output()}\nother:\n${healthy.output()}`)
      })

      // Its leftovers are looked at again a while after; from then on it is as if nothing had been.
      await until(async () => {
        const { stored, expected } = await harness.compare()
        const { given: acknowledged } = await harness.ledger()
        return isDeepStrictEqual(stored, expected) && acknowledged === harness.sent.length
      }).catch(() => 'what differs is said below')
      await stop(zombie)
      await stop(healthy)
      const { stored, expected } = await harness.compare()
      expect(stored).toEqual(expected)
      expect(await harness.ledger()).toEqual({ given: harness.sent.length, difference: 0 })
    },
  )
})
