import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { event, openRaw, openTestIngest, otherToken, token, type IngestUnderTest } from './ingest.ts'
import { until } from '../support/wait.ts'

let ingest: IngestUnderTest
const open = async (...options: Parameters<typeof openTestIngest>) =>
  (ingest = await openTestIngest(...options))
afterEach(() => ingest.dispose())

const idOf = (body: string | Uint8Array) => createHash('sha256').update(body).digest('hex').slice(0, 32)
const usable = JSON.stringify(event())
const path = `/webhooks/${token}`
const json = 'Content-Type: application/json'

type Request = { line?: string; headers?: string[]; body?: string | Uint8Array }

/** One request, byte for byte, on a connection of its own. */
async function send({ line = `POST ${path}`, headers = [json], body = usable }: Request): Promise<string> {
  const raw = await openRaw(ingest.port)
  const start = / HTTP\/1\.\d$/.test(line) ? line : `${line} HTTP/1.1`
  const hasHost = start.endsWith('1.0') || headers.some((header) => header.startsWith('Host'))
  const all = [...(hasHost ? [] : ['Host: x']), ...headers, `Content-Length: ${Buffer.byteLength(body)}`]
  raw.write([start, ...all, 'Connection: close', '', ''].join('\r\n'))
  raw.write(body)
  await until(() => raw.isClosed())
  return raw.received()
}

const ofType = (type: string, body = usable): Request => ({ headers: [`Content-Type: ${type}`], body })
const at = (line: string): Request => ({ line })
const kept = (says: RegExp, oddRequest?: string) => ({ says, oddRequest })
const accepted = (oddRequest?: string) => kept(/"status":"accepted"/, oddRequest)
const failed = (reasons: string[]) =>
  kept(new RegExp(`"status":"failed".*${reasons.map((reason) => `"reason":"${reason}".*`).join('')}`))
const says = (text: string) => new RegExp(text)
const noAssignment = JSON.stringify(event({ timestamp: 'soon', challengeAssignment: null }))

/** What is asked, the status, what the answer says, and whether it is in the log by then. */
const requests: Record<string, [Request, number, RegExp | ReturnType<typeof kept>]> = {
  'a usable delivery': [{}, 200, accepted()],
  'another family': [{ body: '{"eventType":"userCreated","timestamp":1760000000000}' }, 200, accepted()],
  'a field that cannot be read': [
    { body: JSON.stringify(event({}, { isCompleted: 'yes' })) },
    200,
    accepted(),
  ],
  'a byte order mark': [{ body: `\uFEFF${usable}` }, 200, accepted()],
  'no JSON': [{ body: '{"eventType":' }, 400, failed(['not_json'])],
  'no UTF-8': [{ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) }, 400, failed(['not_json'])],
  'an empty body': [{ body: '' }, 400, failed(['not_json'])],
  'a list': [{ body: '[]' }, 422, failed(['not_an_object'])],
  'an empty object': [{ body: '{}' }, 422, failed(['no_event_type', 'no_timestamp'])],
  'no assignment': [{ body: noAssignment }, 422, failed(['no_timestamp', 'no_assignment_id'])],

  'a charset': [ofType('application/json;charset=UTF-8'), 200, accepted()],
  capitals: [ofType('Application/JSON'), 200, accepted()],
  'a kind of JSON': [ofType('application/cloudevents+json; charset="utf-8"'), 200, accepted()],
  'JSON as text': [ofType('text/json'), 200, accepted('(content-type)')],
  'a type twice': [ofType('application/json, application/json'), 200, accepted('(content-type)')],
  'single quotes': [ofType("application/json; charset='utf-8'"), 200, accepted('(content-type)')],
  'an empty type': [ofType(''), 200, accepted('(content-type)')],
  'no type': [{ headers: [] }, 200, accepted('(content-type)')],
  'plain text': [ofType('text/plain'), 415, says('application/json')],
  'a form': [ofType('application/x-www-form-urlencoded'), 415, says('application/json')],
  'another charset': [ofType('application/json; charset=latin1'), 415, says('UTF-8')],
  'a quoted other charset': [ofType("application/json; charset='latin1'"), 415, says('UTF-8')],
  'no kind of JSON': [ofType('application/jsonp'), 415, says('application/json')],
  'two types': [ofType('application/json, text/plain'), 415, says('application/json')],
  'an encoding': [
    { headers: [json, 'Content-Encoding: gzip'], body: gzipSync(usable) },
    415,
    /accept-encoding: identity/,
  ],

  'one slash at the end': [at(`POST ${path}/`), 200, accepted('(address)')],
  'a query': [at(`POST ${path}?from=there`), 200, accepted()],
  'a part escaped': [at(`POST /webhooks/%71${token.slice(1)}`), 200, accepted()],
  'HTTP/1.0 without a Host': [at(`POST ${path} HTTP/1.0`), 200, accepted()],
  'a whole URL': [at(`POST http://elsewhere.example${path}`), 200, accepted()],
  'a proxy that forwards a port': [{ headers: [json, 'X-Forwarded-For: 10.1.2.3:47'] }, 200, accepted()],
  'an odd Host': [{ headers: [json, 'Host: roll_call:80'] }, 200, accepted()],
  'an impossible Host': [{ headers: [json, 'Host: a b/c'] }, 404, says('unknown_token')],
  ...Object.fromEntries(
    [
      `POST ${path.slice(0, -1)}`,
      `POST ${path}x`,
      `POST ${path}//`,
      `POST ${path}/x`,
      `POST /webhooks/${'a'.repeat(5_000)}`,
      'POST /webhooks/%00%ff',
      'POST /webhooks/%zz',
      'POST /webhooks/',
      'POST /',
      `POST /webhooks/../${token}`,
      `POST /webhooks\\${token}`,
      'OPTIONS *',
      'PUT /webhooks/wrong',
      'GET /webhooks/wrong',
      'PROPFIND /webhooks/wrong',
    ].map((line) => [`${line.slice(0, 40)} is not found`, [at(line), 404, says('unknown_token')]]),
  ),
  ...Object.fromEntries(
    ['PUT', 'PROPFIND', 'TRACE', 'QUERY'].map((method) => [
      method,
      [at(`${method} ${path}`), 405, /\r\nallow: GET, HEAD, POST\r\n/i],
    ]),
  ),
  'a person': [{ line: `GET ${path}`, body: '' }, 200, /text\/plain[^]*ready[^]*POST/],
  'a health check': [{ line: 'GET /health/live', body: '' }, 200, says('live')],
  'metrics on this port': [{ line: 'GET /metrics', body: '' }, 404, says('unknown_token')],
  'a stated length over the limit': [{ body: 'x'.repeat(100_001) }, 413, says('larger than 100000 bytes')],
}

test('each request is answered by the contract, never with the token, and kept where it has a receipt', async () => {
  await open()
  const expected: unknown[] = []
  const answers: unknown[] = []
  const notFound = new Set<string>()
  for (const [name, [request, status, outcome]] of Object.entries(requests)) {
    const answer = await send(request)
    const pattern = outcome instanceof RegExp ? outcome : outcome.says
    expected.push([name, status, expect.stringMatching(pattern)])
    answers.push([name, Number(answer.split(' ')[1]), answer])
    expect(answer, name).not.toContain(token)
    for (const header of [
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
    ])
      expect(answer.toLowerCase(), name).toContain(header)
    if (!(outcome instanceof RegExp)) expect(answer, name).toContain(idOf(request.body ?? usable))
    if (status === 404) notFound.add(answer.slice(answer.indexOf('\r\n\r\n')))
  }
  expect(answers).toEqual(expected)
  expect(notFound.size).toBe(1)
  const inLog = Object.values(requests).filter(([, , outcome]) => !(outcome instanceof RegExp))
  expect(
    (await ingest.kept()).map(({ eventId, source, oddRequest }) => [eventId, source, oddRequest]),
  ).toEqual(
    inLog.map(([{ body = usable }, , outcome]) => [
      idOf(body),
      'lms',
      'oddRequest' in outcome ? outcome.oddRequest : undefined,
    ]),
  )
})

test('the token names the source', async () => {
  await open()
  await ingest.post(usable, {}, `${ingest.url}/webhooks/${otherToken}`)
  await ingest.post(usable)
  expect((await ingest.kept()).map(({ source }) => source)).toEqual(['other', 'lms'])
})

test('the token is judged before the body has come', async () => {
  await open()
  const raw = await openRaw(ingest.port)
  raw.write(`POST /webhooks/wrong HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 50000\r\n\r\n`)
  await until(() => raw.received().includes('404 Not Found'))
  raw.close()
})

describe('a body over the limit', () => {
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${json}\r\n`
  const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`

  test('is 413 by its stated length, before it is sent, and the connection ends properly', async () => {
    await open({ maxBodyBytes: Buffer.byteLength(usable) })
    expect((await ingest.post(usable)).status).toBe(200)
    const raw = await openRaw(ingest.port)
    raw.write(`${head}Content-Length: 100000000\r\n\r\n`)
    await until(() => raw.received().includes('HTTP/1.1 413'))
    expect(raw.received().toLowerCase()).toContain('connection: close')
    await until(() => raw.isClosed())
  })

  test('is 413 when it comes in chunks without a length, seen by a sender that is still sending', async () => {
    await open({ maxBodyBytes: 1_000, lingerMs: 600_000 })
    const raw = await openRaw(ingest.port)
    raw.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    await until(() => raw.write(chunk) && raw.received().includes('larger than'))
    for (let count = 0; count < 50; count++) raw.write(chunk)
    raw.write('0\r\n\r\n')
    await until(() => raw.isClosed())
    expect(raw.received()).toMatch(/^HTTP\/1\.1 413 /)
    expect(raw.wasReset()).toBe(false)
    expect(await ingest.kept()).toEqual([])
  })

  test.each([path, '/elsewhere'])('that never ends does not hold a connection to %s', async (address) => {
    await open({ maxBodyBytes: 1_000 })
    const raw = await openRaw(ingest.port)
    raw.write(`POST ${address} HTTP/1.1\r\nHost: x\r\n${json}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const endless = setInterval(() => raw.write(chunk), 5)
    await until(() => raw.isClosed())
    clearInterval(endless)
  })
})

describe('a signature', () => {
  const secret = Buffer.from('a secret of 24 bytes ...')
  const older = Buffer.from('the secret before this one')
  const now = 1_800_000_000_000

  /** By the library of Standard Webhooks itself. */
  const sign = (key = secret, sentAt = now, payload = usable) => ({
    'webhook-id': 'm1',
    'webhook-timestamp': String(Math.floor(sentAt / 1_000)),
    'webhook-signature': new Webhook(`whsec_${key.toString('base64')}`).sign('m1', new Date(sentAt), payload),
  })
  const signed = sign()
  const ofOlderNames = (headers: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
    )
  const both = `${sign(older)['webhook-signature']} ${signed['webhook-signature']}`

  test.each<[string, Record<string, string>, number]>([
    ['none', {}, 401],
    ['a right one', signed, 200],
    ['one of several', { ...signed, 'webhook-signature': both }, 200],
    ['by the older headers', ofOlderNames(signed), 200],
    ['by the older headers, and wrong', { ...ofOlderNames(signed), 'svix-id': 'm2' }, 401],
    ['of another secret', sign(older), 401],
    ['of another id', { ...signed, 'webhook-id': 'm2' }, 401],
    ['of another time', { ...signed, 'webhook-timestamp': String(now / 1_000 + 1) }, 401],
    [
      'of another version',
      { ...signed, 'webhook-signature': `v1a,${signed['webhook-signature'].slice(3)}` },
      401,
    ],
    ['of another body', sign(secret, now, `${usable} `), 401],
    ['too old', sign(secret, now - 301_000), 401],
    ['ahead of time', sign(secret, now + 301_000), 401],
  ])('by Standard Webhooks: %s', async (_, headers, status) => {
    await open({ signatureSecrets: [{ source: 'lms', scheme: 'standard', secret }] }, {}, { now: () => now })
    expect((await ingest.post(usable, headers)).status).toBe(status)
    const odd = 'svix-signature' in headers ? '(signature)' : undefined
    expect((await ingest.kept()).map(({ oddRequest }) => oddRequest)).toEqual(status === 200 ? [odd] : [])
  })

  test('of the plain kind is checked over the bytes; any secret of the source will do, others need none', async () => {
    const secrets = [secret, older].map((key) => ({
      source: 'lms',
      scheme: 'workramp' as const,
      secret: key,
    }))
    await open({ signatureSecrets: secrets })
    const plain = (key: Buffer) => createHmac('sha256', key).update(usable).digest('hex')
    const ask = async (body: string, signature: string) =>
      (await ingest.post(body, { 'x-workramp-signature': signature })).status
    expect([
      await ask(usable, plain(secret)),
      await ask(usable, plain(older)),
      await ask(`${usable} `, plain(secret)),
      await ask(usable, 'nonsense'),
      (await ingest.post(usable, {}, `${ingest.url}/webhooks/${otherToken}`)).status,
    ]).toEqual([200, 200, 401, 401, 200])
  })
})

describe('load and failure', () => {
  test('over the rate of its source a delivery is 429 with a time to wait; another source has its own', async () => {
    let now = Date.now()
    await open({ rateLimitPerSecond: 3 }, {}, { now: () => now })
    const ask = async (url = ingest.address) => (await ingest.post(usable, {}, url)).status
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
    expect(Number((await ingest.post(usable)).headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await ask(`${ingest.url}/webhooks/${otherToken}`)).toBe(200)
    now += 1_000
    expect(await ask()).toBe(200)
    expect(ingest.refusals()[0]).toMatchObject({ source: 'lms', status: 429 })
  })

  test('what cannot be stored is 503 with a time to wait, never acknowledged, and readiness says why', async () => {
    await open({}, { maxBytes: 2_000 })
    let stored = 0
    let answer = await ingest.post(usable)
    for (; answer.status === 200; stored++) answer = await ingest.post(usable)
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await ingest.post('{')).status).toBe(503)
    const ready = await fetch(`${ingest.url}/health/ready`)
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('LOG_MAX_BYTES')])
    expect(await ingest.kept()).toHaveLength(stored)
  })

  test('a sender that goes away in the middle leaves nothing behind, and one that dribbles is cut off', async () => {
    await open({ headersTimeoutMs: 300, requestTimeoutMs: 600 })
    const begun = `POST ${path} HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: 500\r\n\r\n{"event`
    const [gone, slowHead, slowBody] = [
      await openRaw(ingest.port),
      await openRaw(ingest.port),
      await openRaw(ingest.port),
    ]
    gone.write(begun)
    gone.close()
    slowHead.write('POST /webhooks/x HTTP/1.1\r\n')
    slowBody.write(begun)
    await until(() => slowHead.isClosed() && slowBody.isClosed())
    expect(slowHead.received()).toMatch(/^HTTP\/1\.1 408/)
    await until(ingest.metrics, (metrics) => metrics.includes('source="lms",outcome="aborted"} 2'))
    expect(await ingest.kept()).toEqual([])
  })

  test('outcomes and reasons are counted, never a token', async () => {
    await open()
    await ingest.post(usable)
    await ingest.post('{')
    await ingest.post('{', {}, `${ingest.url}/webhooks/wrong`)
    const metrics = await ingest.metrics()
    for (const line of [
      'rollcall_ingest_requests_total{source="lms",outcome="accepted"} 1',
      'rollcall_ingest_requests_total{source="lms",outcome="failed"} 1',
      'rollcall_ingest_requests_total{source="",outcome="unknown_token"} 1',
      'rollcall_ingest_failed_events_total{reason="not_json"} 1',
      'rollcall_ingest_append_seconds_count 2',
    ])
      expect(metrics).toContain(line)
    expect(metrics).not.toContain(token)
  })

  test('a stop finishes running requests, refuses new ones, and then closes the port', async () => {
    await open()
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${json}\r\nContent-Length: ${usable.length}\r\n`
    const underWay = await openRaw(ingest.port)
    underWay.write(`${head}Expect: 100-continue\r\n\r\n`)
    await until(() => underWay.received().includes('100 Continue'))
    // One write: once the first request is answered, the second has begun.
    const late = await openRaw(ingest.port)
    late.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n${head}`)
    await until(() => late.received().includes('"live"'))

    const closed = ingest.close(60_000)
    expect(ingest.isReady()).toEqual({ ok: false, reason: 'stopping' })
    late.write(`\r\n${usable}`)
    await until(() => late.isClosed())
    expect(late.received()).toMatch(/HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n/)
    underWay.write(usable)
    await until(() => underWay.received().includes('"status":"accepted"'))
    await closed
    await expect(ingest.post(usable)).rejects.toThrow()
    expect(await ingest.kept()).toHaveLength(1)
  })
})
