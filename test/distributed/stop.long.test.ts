/** Processes stop while servers do not answer. They exit by themselves, and unstored deliveries wait in log and spool. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { canOpenOwnBroker, findBroker, openOwnBroker, type OwnBroker } from '../support/kafka/broker.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { readMetric, type Child } from '../support/processes/child.ts'
import { pick } from '../support/tiers.ts'
import { until } from '../support/wait.ts'
import { createDeliveries, toLogRecord } from './deliveries.ts'
import { noSessionEnds, openHarness, type Harness } from './harness.ts'
import { deliver } from '../support/processes/embedded.ts'

// The work that is waited for has a third of this.
const stopEnv = { SHUTDOWN_TIMEOUT_MS: '24000', LOG_LEVEL: 'warn' }

async function expectCleanEnd(child: Child): Promise<void> {
  expect(await child.stop(), child.output()).toBe(0)
  expect(child.output()).not.toContain('The stop took too long')
}

const broker = await findBroker()

describe.skipIf(broker === undefined)('a stopped consumer', () => {
  let harness: Harness
  let proxy: Proxy
  beforeAll(async () => {
    harness = await openHarness(broker!, 'stop', noSessionEnds)
    proxy = await openProxy(harness.clickhouseUrl)
  })
  afterAll(async () => {
    await proxy?.close()
    await harness?.dispose()
  })

  test.each(pick(['refuses connections', 'is silent'], 2))(
    'exits cleanly and loses nothing while ClickHouse %s',
    async (how) => {
      const asked = Promise.withResolvers<void>()
      const consumer = await harness.startConsumer({ CLICKHOUSE_URL: proxy.url, ...stopEnv })
      proxy.onInsert = (table) => {
        if (table !== 'event_rows') return undefined
        asked.resolve()
        return how === 'is silent' ? new Promise(() => {}) : 'before'
      }
      await harness.send(200)
      await asked.promise
      if (how === 'refuses connections') await proxy.refuse()
      await expectCleanEnd(consumer)

      if (how === 'refuses connections') await proxy.accept()
      proxy.onInsert = () => undefined
      const next = await harness.startConsumer({ CLICKHOUSE_URL: proxy.url })
      await harness.untilStored()
      expect(await next.stop(), next.output()).toBe(0)
      const { stored, expected } = await harness.compare()
      expect(stored).toEqual(expected)
    },
  )
})

describe.skipIf(!canOpenOwnBroker())('without Kafka and ClickHouse', () => {
  let broker: OwnBroker
  let harness: Harness
  beforeAll(async () => {
    broker = await openOwnBroker()
    harness = await openHarness(broker, 'stop-all', stopEnv)
  })
  afterAll(async () => {
    await harness?.dispose()
    await broker?.dispose()
  })

  const ends = [
    ['in the middle of a batch', 'refuses connections'],
    ['in the middle of a batch', 'is silent'],
    ['while idle', 'refuses connections'],
  ] as const
  test.each(pick(ends, 3, 1))(
    'consumer and ingest, stopped %s while ClickHouse %s, exit cleanly and lose nothing',
    async (when, how) => {
      const proxy = await openProxy(harness.clickhouseUrl)
      onTestFinished(() => proxy.close())
      const consumer = await harness.startConsumer({ CLICKHOUSE_URL: proxy.url })
      const ingest = await harness.startIngest()
      await harness.send(200)
      await harness.untilStored(await harness.readLogEnd())
      if (when === 'in the middle of a batch') {
        const asked = Promise.withResolvers<void>()
        proxy.onInsert = (table) => {
          if (table !== 'event_rows') return undefined
          asked.resolve()
          return how === 'is silent' ? new Promise(() => {}) : 'before'
        }
        await harness.send(200)
        await asked.promise
      }
      await broker.kill()
      if (how === 'refuses connections') await proxy.refuse()

      // Ingest continues with its spool.
      const deliveries = createDeliveries(`stop-all ${when} ${how}`)
      for (let left = 40; left > 0; left--) {
        const body = deliveries.next()
        const answer = await deliver(harness.ingestUrl, body)
        // A delivery that cannot be used is refused and kept.
        expect([200, 400]).toContain(answer.status)
        harness.sent.push(toLogRecord(body))
        await answer.arrayBuffer()
      }
      await until(async () => (await readMetric(ingest, 'rollcall_spool_records')) > 0)
      await Promise.all([expectCleanEnd(consumer), expectCleanEnd(ingest)])

      await proxy.close()
      await broker.startAgain()
      const [nextConsumer, nextIngest] = [await harness.startConsumer(), await harness.startIngest()]
      await until(
        () => readMetric(nextIngest, 'rollcall_spool_records'),
        (records) => records === 0,
      )
      await harness.untilStored(await harness.readLogEnd())
      expect(await nextIngest.stop(), nextIngest.output()).toBe(0)
      expect(await nextConsumer.stop(), nextConsumer.output()).toBe(0)
      const tables = await harness.compare()
      expect(tables.stored).toEqual(tables.expected)
    },
  )
})
