/** Traces of the running product, in both ways to run, as an OTLP collector receives them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver, testToken } from '../support/processes/embedded.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { findMarker, marker } from '../support/data/markers.ts'
import { openOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/network/otlp-receiver.ts'
import { startDistributedProduct, startEmbeddedProduct, type Product } from '../support/processes/product.ts'
import { monday, toBody } from '../support/data/records.ts'
import { isComplete } from '../support/tiers.ts'
import { until } from '../support/wait.ts'

const broker = await findBroker()

/** Prints a line for each package of the SDK that any thread loads. */
const tellTale = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (/^@opentelemetry\\/(sdk|exporter|resources)/.test(name)) process.stderr.write('LOADED ' + name + '\\n')
  return next(name, context)
} })`
const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(tellTale).toString('base64')}`

/** The closed list of the attributes of a span. */
const known = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'db.system.name',
  'db.operation.name',
  'db.collection.name',
  'db.query.summary',
  'error.type',
  'rollcall.source',
  'rollcall.receipt',
  'rollcall.outcome',
  'rollcall.partition',
  'rollcall.records',
  'rollcall.visible_after_ms',
])

const marked = toBody(
  'Created',
  'traced',
  monday,
  {},
  { id: 'person-77', name: marker.name, email: marker.email, groups: [{ id: 'g', name: marker.title }] },
)

async function send(product: Product, body: Uint8Array): Promise<string> {
  const answer = await deliver(product.ingestUrl, body)
  return ((await answer.json()) as { receipt: string }).receipt
}

describeTraces('embedded', startEmbeddedProduct)
describe.skipIf(broker === undefined)('with Kafka', () => {
  describeTraces('distributed', (env) => startDistributedProduct(broker?.brokers ?? [], env))
})

function describeTraces(mode: string, start: (env: Record<string, string>) => Promise<Product>): void {
  describe(`traces, ${mode}`, () => {
    let receiver: OtlpReceiver
    let product: Product
    beforeAll(async () => {
      receiver = await openOtlpReceiver()
      product = await start({
        NODE_OPTIONS,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '50',
        SQL_PEOPLE: 'granted',
      })
    })
    afterAll(async () => {
      await product?.dispose()
      receiver?.close()
    })

    const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId)
    const named = (spans: readonly ReceivedSpan[], name: string) => spans.find((span) => span.name === name)

    test('lead from the request of a delivery to the moment when readers see it, under the receipt', async () => {
      const receipt = await send(product, marked)
      const stored = await until(
        () => named(spansOf(receipt), 'store delivery'),
        (span) => span !== undefined,
        { describe: () => product.output().slice(-2_000) },
      )
      const request = await until(() => named(spansOf(receipt), 'POST /webhooks/:token'))
      const append = named(spansOf(receipt), 'append')
      expect(request).toMatchObject({
        parentSpanId: '',
        attributes: {
          'http.response.status_code': 200,
          'rollcall.outcome': 'accepted',
          'rollcall.source': 'main',
        },
      })
      expect(append).toMatchObject({ parentSpanId: request?.spanId })
      expect(stored).toMatchObject({
        parentSpanId: append?.spanId,
        attributes: { 'rollcall.receipt': receipt, 'rollcall.source': 'main' },
      })
      expect((request?.start ?? 0n) <= (append?.start ?? 0n)).toBe(true)
      expect((append?.start ?? 0n) < (stored?.end ?? 0n)).toBe(true)

      const [batchTrace = ''] = stored?.links ?? []
      const batch = await until(() => named(spansOf(batchTrace), 'store batch'))
      const inserts = spansOf(batchTrace).filter(({ name }) => name.startsWith('INSERT '))
      expect(inserts.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['INSERT rollcall.event_rows', 'INSERT rollcall.log_positions']),
      )
      for (const insert of inserts) expect(insert.parentSpanId).toBe(batch?.spanId)
    })

    test('of a delivery that cannot be used say that it failed, and a repeat is in the same trace', async () => {
      const receipt = await send(product, Buffer.from(`{"not": "${marker.name}"`))
      expect(await send(product, Buffer.from(`{"not": "${marker.name}"`))).toBe(receipt)
      await until(() => spansOf(receipt).filter(({ name }) => name === 'store delivery').length === 2)
      // Of another thread or process, which sends its spans at times of its own.
      const requests = await until(
        () => spansOf(receipt).filter(({ name }) => name === 'POST /webhooks/:token'),
        ({ length }) => length === 2,
      )
      expect(requests.map(({ attributes }) => attributes['rollcall.outcome'])).toEqual(['failed', 'failed'])
    })

    test('of pages and the API name the route and the statements, and nothing that was asked', async () => {
      const asked = [
        `/search?q=${encodeURIComponent(marker.name)}`,
        '/api/assignments/traced',
        `/nothing-here/${encodeURIComponent(marker.email)}`,
      ]
      // The page is there once the store has the person.
      await send(product, marked)
      const learner = () => fetch(`${product.dashboardUrl}/learners/person-77`)
      await until(async () => (await learner()).status === 200)
      for (const path of asked) await fetch(`${product.dashboardUrl}${path}`)
      await fetch(`${product.dashboardUrl}/api/sql`, {
        method: 'POST',
        body: `SELECT '${marker.name}' FROM rollcall.people`,
      })
      const page = await until(() =>
        receiver.spans.find(
          ({ name, attributes }) =>
            name === 'GET /learners/:id' && attributes['http.response.status_code'] === 200,
        ),
      )
      expect(page?.attributes).toMatchObject({ 'http.route': '/learners/:id' })
      const statements = spansOf(page?.traceId ?? '').filter(
        ({ parentSpanId }) => parentSpanId === page?.spanId,
      )
      expect(statements.map(({ name }) => name)).toContain('SELECT person')
      await until(() => named(receiver.spans, 'GET /api/assignments/:id'))
    })

    test.runIf(mode === 'embedded')(
      'of a batch have what the next page would ask, asked ahead of it',
      async () => {
        await fetch(product.dashboardUrl)
        await send(product, toBody('Created', 'ahead', monday))
        const isOfBatch = ({ traceId }: ReceivedSpan) => named(spansOf(traceId), 'store batch') !== undefined
        await until(() => receiver.spans.find((span) => span.name === 'SELECT positions' && isOfBatch(span)))
      },
    )

    test('hold no person, no token and no body, in any span of this whole run', async () => {
      expect(receiver.spans.length).toBeGreaterThan(20)
      const everything = Buffer.concat(receiver.bodies).toString('latin1')
      expect(findMarker(everything)).toBeUndefined()
      expect(everything).not.toContain(testToken)
      expect(everything).not.toContain('person-77')
      const said = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)))
      expect([...said].filter((name) => !known.has(name))).toEqual([])
    })

    test('are what loads the SDK', () => {
      expect(product.output()).toContain('LOADED @opentelemetry/sdk-trace-base')
    })
  })

  const testOfOneMode = mode === 'embedded' ? test : test.runIf(isComplete)
  testOfOneMode(`without an endpoint nothing of the SDK is loaded, ${mode}`, async () => {
    const product = await start({ NODE_OPTIONS })
    try {
      await send(product, marked)
      await fetch(`${product.dashboardUrl}/`)
      expect(product.output()).not.toContain('LOADED')
    } finally {
      await product.dispose()
    }
  })
}
