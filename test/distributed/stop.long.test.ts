/** A consumer is told to end while ClickHouse does not answer: it ends by itself, and what it had not stored waits in the log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroker } from '../support/kafka/broker.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { openHarness, type Harness } from './harness.ts'

const broker = await findBroker()

describe.skipIf(broker === undefined)('a consumer that is told to end', () => {
  let harness: Harness
  let proxy: Proxy
  beforeAll(async () => {
    harness = await openHarness(broker!, 'stop')
    proxy = await openProxy(harness.clickhouseUrl)
  })
  afterAll(async () => {
    await proxy?.close()
    await harness?.dispose()
  })

  test.each(['refuses connections', 'is silent'])('while ClickHouse %s ends cleanly and loses nothing', async (how) => {
    const asked = Promise.withResolvers<void>()
    // What is waited for has a third of this.
    const env = { CLICKHOUSE_URL: proxy.url, SHUTDOWN_TIMEOUT_MS: '24000', LOG_LEVEL: 'warn' }
    const consumer = await harness.startConsumer(env)
    proxy.onInsert = (table) => {
      if (table !== 'event_rows') return undefined
      asked.resolve()
      return how === 'is silent' ? new Promise(() => {}) : 'before'
    }
    await harness.send(500)
    await asked.promise
    if (how === 'refuses connections') await proxy.refuse()
    expect(await consumer.stop(), consumer.output()).toBe(0)
    expect(consumer.output()).not.toContain('The stop took too long')

    if (how === 'refuses connections') await proxy.accept()
    proxy.onInsert = () => undefined
    const next = await harness.startConsumer({ CLICKHOUSE_URL: proxy.url })
    await harness.untilStored()
    expect(await next.stop(), next.output()).toBe(0)
    const { stored, expected } = await harness.compare()
    expect(stored).toEqual(expected)
  })
})
