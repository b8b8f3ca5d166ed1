/** Apart, while ClickHouse is away or answers in halves: memory does not grow, and no cut answer looks complete. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Hono } from 'hono'
import { toCsvChunks } from '../../reporting/exports/csv.ts'
import { toXlsxStream } from '../../reporting/exports/xlsx.ts'
import { listen, toListener } from '../../services/runtime/http/listen.ts'
import { createOracle } from '../chaos/oracle.ts'
import { endAndJudge, findFailures } from '../chaos/run.ts'
import { startSenders } from '../chaos/senders.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { readMetric } from '../support/processes/child.ts'
import { openProduct } from '../support/processes/product.ts'
import { isComplete } from '../support/tiers.ts'
import { until } from '../support/wait.ts'

const broker = await findBroker()
const deliveries = isComplete ? 15_000 : 3_000
const looks = 21

describe.skipIf(broker === undefined)('the product run apart', () => {
  /** With a load that has begun to be stored. */
  async function start(hasDashboards: boolean) {
    const product = await openProduct('distributed', { broker, hasDashboards })
    onTestFinished(() => product.dispose())
    const oracle = createOracle()
    const senders = startSenders(product.ingestUrl, 'outages', oracle)
    await until(async () => Number(await product.metric('rollcall_consumer_deliveries_total')) > 60)
    return { product, oracle, senders, proxies: product.servers!.proxies }
  }

  test('while ClickHouse is away the lag grows, and not the memory of the consumer', async () => {
    const { product, oracle, senders, proxies } = await start(false)
    const [consumer] = product.consumers
    const before = oracle.acknowledged()
    await proxies[0]?.refuse()
    const memory: number[] = []
    for (let look = 1; look <= looks; look++) {
      await until(oracle.acknowledged, (count) => count >= before + (look * deliveries) / looks)
      const read = () => readMetric(consumer!, 'process_resident_memory_bytes')
      memory.push((await until(read, (bytes) => bytes > 0)) / 1024 ** 2)
    }
    await until(product.waiting, (waiting) => Number(waiting) > deliveries * 0.9)
    expect((await fetch(`${consumer?.adminUrl}/health/live`)).status).toBe(200)
    const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length
    const third = Math.floor(looks / 3)
    // The end of the outage is as the middle, while the backlog has doubled.
    expect(mean(memory.slice(-third)) - mean(memory.slice(third, 2 * third))).toBeLessThan(60)
    await proxies[0]?.accept()
    expect(findFailures(await endAndJudge(product, senders, oracle))).toEqual([])
  })

  test('every read answers 503 with a sentence if half of each answer of ClickHouse arrives', async () => {
    const { product, oracle, senders, proxies } = await start(true)
    const paths = ['/', '/learners', '/api/metrics', '/api/assignments?format=csv', '/teams.xlsx']
    for (const cut of ['broken', 'ended'] as const) {
      proxies[1]!.onAnswer = () => cut
      for (const path of paths) {
        const answer = await fetch(`${product.dashboardUrl}${path}`)
        expect({ path, status: answer.status }).toEqual({ path, status: 503 })
        expect(answer.headers.get('content-disposition')).toBeNull()
        expect(await answer.text()).toMatch(/not available right now|could not be read just now/)
      }
    }
    proxies[1]!.onAnswer = () => undefined
    for (const path of paths) await until(async () => (await fetch(`${product.dashboardUrl}${path}`)).ok)
    expect(findFailures(await endAndJudge(product, senders, oracle))).toEqual([])
  })
})

/** A store that ends within its answer, after the first rows of a file have been read. */
async function* cutAfter<Rows>(first: Rows) {
  yield first
  await sleep(100)
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

test.each(['csv', 'xlsx'])(
  'breaks the connection of a %s file that fails after its first rows',
  async (format) => {
    const file =
      format === 'csv'
        ? ReadableStream.from(toCsvChunks(cutAfter([['id'], ['1']])))
        : toXlsxStream(cutAfter(['1']), { name: 'file', columns: [{ header: 'id' }] })
    const handler = toListener(new Hono().get('/file', (c) => c.body(file)))
    const server = await listen({ handler, host: '127.0.0.1', port: 0, portVariable: 'the port' })
    onTestFinished(() => server.close(0))
    const answer = await fetch(`http://127.0.0.1:${server.port}/file`)
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
  },
)
