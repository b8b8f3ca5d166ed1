/** A proxy cuts or resets the answers of ClickHouse. No cut answer looks complete, and nothing is stored twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Hono } from 'hono'
import { toCsvChunks } from '../../reporting/exports/csv.ts'
import { toXlsxStream } from '../../reporting/exports/xlsx.ts'
import { createRandom, integer } from '../../sample-platform/random.ts'
import { listen, toListener } from '../../services/runtime/http/listen.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { monday, toBody } from '../support/data/records.ts'
import { openProxy, type Proxy } from '../support/network/proxy.ts'
import { deliver } from '../support/processes/embedded.ts'
import { until } from '../support/wait.ts'
import { toLogRecord } from './deliveries.ts'
import { noSessionEnds, openHarness, type Harness } from './harness.ts'

const broker = await findBroker()
const seed = process.env.ROLLCALL_FAULT_SEED ?? String(Date.now())
const reads = [
  '/',
  '/assignments',
  '/learners',
  '/api/metrics',
  '/api/assignments',
  '/api/assignments?format=csv',
  '/api/assignments?format=xlsx',
  '/learners.csv',
  '/teams.xlsx',
]

describe.skipIf(broker === undefined)('cut answers of ClickHouse', () => {
  let harness: Harness
  let proxy: Proxy
  let url: string

  beforeAll(async () => {
    harness = await openHarness(broker!, 'cut answers', noSessionEnds)
    proxy = await openProxy(harness.clickhouseUrl)
    await harness.startConsumer({ CLICKHOUSE_URL: proxy.url })
    await harness.startIngest()
    await harness.send(60)
    await harness.untilStored()
    ;({ url } = await harness.startDashboards({ CLICKHOUSE_URL: proxy.url }))
  })
  afterAll(async () => {
    await harness.dispose()
    await proxy.close()
  })
  beforeEach(() => {
    proxy.onAnswer = () => undefined
  })

  test.each(['broken', 'ended'] as const)(
    'every read answers 503 with a sentence if half of each answer arrives (%s)',
    async (cut) => {
      proxy.onAnswer = () => cut
      for (const path of reads) {
        const answer = await fetch(`${url}${path}`)
        expect({ path, status: answer.status }).toEqual({ path, status: 503 })
        expect(answer.headers.get('content-disposition')).toBeNull()
        expect(await answer.text()).toMatch(/not available right now|could not be read just now/)
      }
    },
  )

  test('stores 60 deliveries once each, and reads answer 200, while 3 of 10 answers are always reset', async () => {
    const resets = pickResets()
    console.log(
      `seed ${seed} (ROLLCALL_FAULT_SEED): of each ten answers, these are reset: ${[...resets].join(' ')}`,
    )
    let answers = 0
    proxy.onAnswer = () => (resets.has(answers++ % 10) ? 'reset' : undefined)
    const bodies = Array.from({ length: 60 }, (_, count) =>
      toBody('Created', `reset${count}`, monday + count),
    )
    const received = await Promise.all(bodies.map((body) => deliver(harness.ingestUrl, body)))
    expect(new Set(received.map(({ status }) => status))).toEqual(new Set([200]))
    harness.sent.push(...bodies.map(toLogRecord))
    for (const path of reads) {
      // A busy machine may answer two pings too late: pages then answer 503 for a moment.
      const read = async () => {
        const answer = await fetch(`${url}${path}`)
        await answer.arrayBuffer()
        return `${path} ${answer.status}`
      }
      await until(read, (answer) => answer === `${path} 200`)
    }
    await harness.untilStored()
    console.log(`${answers} answers`)
    await until(harness.ledger, ({ given }) => given >= harness.sent.length)
    const { stored, expected } = await harness.compare()
    expect(stored).toEqual(expected)
    expect(await harness.ledger()).toEqual({ given: harness.sent.length, difference: 0 })
  })
})

/** Three of the numbers 0 to 9. */
function pickResets(): Set<number> {
  const random = createRandom(seed)
  const resets = new Set<number>()
  while (resets.size < 3) resets.add(integer(random, 0, 9))
  return resets
}

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
