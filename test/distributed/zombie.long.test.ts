/** A consumer that was stopped, and goes on after its work has gone to another: its late writes must not count twice. */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMetric, type Child } from '../support/processes/child.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { pickLong } from '../support/thorough.ts'
import { until } from '../support/wait.ts'
import { openHarness, type Harness } from './harness.ts'

const broker = await findBroker()
const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())

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

  const tables = process.env.ROLLCALL_FAULT_TABLES?.split(',') ?? pickLong(['open_versions', 'log_positions'], 2)

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
        const { acknowledged } = await harness.ledger()
        return isDeepStrictEqual(stored, expected) && acknowledged === harness.sent.length
      }).catch(() => 'what differs is said below')
      await stop(zombie)
      await stop(healthy)
      const { stored, expected } = await harness.compare()
      expect(stored).toEqual(expected)
      expect(await harness.ledger()).toEqual({ acknowledged: harness.sent.length, difference: 0 })
    },
  )
})
