/** Traces of the running product, in both ways to run, as an OTLP collector receives them. */
import { expect, onTestFinished, test } from 'vitest'
import { deliver, testToken } from '../support/processes/embedded.ts'
import { findBroker } from '../support/kafka/broker.ts'
import { findMarker, marker } from '../support/data/markers.ts'
import { openOtlpReceiver, type ReceivedSpan } from '../support/network/otlp-receiver.ts'
import { openProduct } from '../support/processes/product.ts'
import { monday, toBody } from '../support/data/records.ts'
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
  'rollcall.source',
  'rollcall.receipt',
  'rollcall.outcome',
  'rollcall.visible_after_ms',
])

const marked = toBody(
  'Created',
  'traced',
  monday,
  {},
  { id: 'person-77', name: marker.name, email: marker.email, groups: [{ id: 'g', name: marker.title }] },
)

test.for(['embedded', 'distributed'] as const)(
  'traces, %s: lead from a delivery to its readers, and hold no person, no token and no body',
  async (mode, { skip }) => {
    skip(mode === 'distributed' && broker === undefined, 'it needs a broker')
    const receiver = await openOtlpReceiver()
    onTestFinished(() => receiver.close())
    const product = await openProduct(mode, {
      broker,
      env: { NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
    })
    onTestFinished(() => product.dispose())
    const { ingestUrl } = product
    const send = async (body: Uint8Array) =>
      ((await (await deliver(ingestUrl, body)).json()) as { receipt: string }).receipt
    const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId)
    const allNamed = (traceId: string, name: string) => spansOf(traceId).filter((span) => span.name === name)
    const untilNamed = async (traceId: string, name: string) =>
      (await until(() => allNamed(traceId, name)[0], Boolean, { describe: product.output })) as ReceivedSpan
    // From the request of a delivery to the moment when readers see it, under the receipt.
    const receipt = await send(marked)
    const stored = await untilNamed(receipt, 'store delivery')
    const request = await untilNamed(receipt, 'POST /webhooks/:token')
    expect(request).toMatchObject({
      attributes: {
        'http.response.status_code': 200,
        'rollcall.outcome': 'accepted',
        'rollcall.source': 'main',
      },
    })
    expect(stored).toMatchObject({ attributes: { 'rollcall.receipt': receipt, 'rollcall.source': 'main' } })
    expect(request.start < stored.end).toBe(true)

    // A delivery that cannot be used failed, and its repeat is in the same trace.
    const unusable = Buffer.from(`{"not": "${marker.name}"`)
    const failed = await send(unusable)
    expect(await send(unusable)).toBe(failed)
    await until(() => allNamed(failed, 'store delivery').length === 2)
    // Of another thread or process, which sends its spans at times of its own.
    const requests = await until(
      () => allNamed(failed, 'POST /webhooks/:token'),
      ({ length }) => length === 2,
    )
    expect(requests.map(({ attributes }) => attributes['rollcall.outcome'])).toEqual(['failed', 'failed'])

    const everything = Buffer.concat(receiver.bodies).toString('latin1')
    expect(findMarker(everything)).toBeUndefined()
    expect(everything).not.toContain(testToken)
    expect(everything).not.toContain('person-77')
    const said = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...said].filter((name) => !known.has(name))).toEqual([])
    expect(product.output()).toContain('LOADED @opentelemetry/sdk-trace-base')
  },
)

test('without an endpoint nothing of the SDK is loaded', async () => {
  const product = await openProduct('embedded', { env: { NODE_OPTIONS } })
  onTestFinished(() => product.dispose())
  await deliver(product.ingestUrl, marked)
  await fetch(product.dashboardUrl)
  expect(product.output()).not.toContain('LOADED')
})
