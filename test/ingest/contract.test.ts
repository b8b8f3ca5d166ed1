import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { hashToken } from '../../services/config/token.ts'
import { event, openRaw, openTestIngest, otherToken, token, type IngestUnderTest } from './ingest.ts'
import { until } from '../support/wait.ts'
import { isLong, pick } from '../support/tiers.ts'

let ingest: IngestUnderTest
const open = async (...options: Parameters<typeof openTestIngest>) =>
  (ingest = await openTestIngest(...options))
let shared: IngestUnderTest
/** For tests that neither set nor count anything. Each sees what was kept since it began. */
async function share(): Promise<void> {
  shared ??= await openTestIngest()
  const before = (await shared.kept()).length
  ingest = {
    ...shared,
    kept: async () => (await shared.kept()).slice(before),
    dispose: () => Promise.resolve(),
  }
}
afterEach(() => ingest.dispose())
afterAll(() => shared?.dispose())

const idOf = (body: string | Uint8Array) => createHash('sha256').update(body).digest('hex').slice(0, 32)

describe.skipIf(isLong)('a delivery', () => {
  test('that can be used is answered with its receipt, and is in the log by then', async () => {
    await share()
    const body = JSON.stringify(event())
    const before = Date.now()
    const answer = await ingest.post(body)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ receipt: idOf(body), status: 'accepted' })
    const [record, ...others] = await ingest.kept()
    expect(others).toEqual([])
    expect(record).toMatchObject({ key: 'a-1', eventId: idOf(body), source: 'lms' })
    expect(Buffer.from(record?.body as Uint8Array).toString()).toBe(body)
    expect(record?.receivedAt).toBeGreaterThanOrEqual(before)
  })

  test('of another family is accepted and kept', async () => {
    await share()
    const answer = await ingest.post(
      JSON.stringify({ eventType: 'userCreated', timestamp: 1_760_000_000_000, user: { id: 9 } }),
    )
    expect(answer.status).toBe(200)
    expect(await ingest.kept()).toHaveLength(1)
  })

  test('that deviates where it can be used all the same is accepted, and the deviation counted by field', async () => {
    await open()
    const answer = await ingest.post(JSON.stringify(event({}, { isCompleted: 'yes', calculatedGrade: 'A' })))
    expect(answer.status).toBe(200)
    const metrics = await ingest.metrics()
    expect(metrics).toContain('rollcall_ingest_drift_total{field="challengeAssignment.isCompleted"} 1')
    expect(metrics).toContain('rollcall_ingest_drift_total{field="challengeAssignment.calculatedGrade"} 1')
  })

  test.each([
    ['no JSON', '{"eventType":', 400, ['not_json']],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, ['not_json']],
    ['empty', '', 400, ['not_json']],
    ['a list', '[]', 422, ['not_an_object']],
    ['without what it cannot be used without', '{}', 422, ['no_event_type', 'no_timestamp']],
    [
      'without its assignment',
      JSON.stringify(event({ timestamp: 'soon', challengeAssignment: null })),
      422,
      ['no_timestamp', 'no_assignment_id'],
    ],
  ])('that is %s lists every problem and is kept, with a receipt', async (_, body, status, reasons) => {
    await open()
    const answer = await ingest.post(body as string)
    const said = (await answer.json()) as {
      receipt: string
      status: string
      problems: { reason: string; message: string }[]
    }
    expect(answer.status).toBe(status)
    expect(said).toMatchObject({ receipt: idOf(body), status: 'failed' })
    expect(said.problems.map(({ reason }) => reason)).toEqual(reasons)
    expect(said.problems.every(({ message }) => message.length > 10)).toBe(true)
    const [record] = await ingest.kept()
    expect(record?.eventId).toBe(idOf(body))
    expect(Buffer.compare(record?.body as Uint8Array, Buffer.from(body))).toBe(0)
    for (const reason of reasons)
      expect(await ingest.metrics()).toContain(`rollcall_ingest_failed_events_total{reason="${reason}"} 1`)
  })
})

describe('the token', () => {
  test('is checked first: unknown, cut, malformed or missing always gets the same answer', async () => {
    await share()
    const paths = [
      `/webhooks/${token.slice(0, -1)}`,
      `/webhooks/${token}x`,
      `/webhooks/${token}//`,
      `/webhooks/${'a'.repeat(5_000)}`,
      '/webhooks/%00%ff',
      '/webhooks/',
      '/webhooks',
      '/',
    ]
    const answers = new Set<string>()
    for (const path of paths) {
      for (const [method, type] of [
        ['POST', 'application/json'],
        ['POST', 'text/plain'],
        ['PUT', 'text/plain'],
        ['GET', 'text/plain'],
      ]) {
        const body = method === 'GET' ? null : '{'
        const answer = await fetch(`${ingest.url}${path}`, {
          method: method as string,
          headers: { 'content-type': type as string },
          body,
        })
        answers.add(`${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`)
      }
    }
    expect([...answers]).toEqual([expect.stringMatching(/^404 /)])
    expect(await ingest.kept()).toEqual([])
  })

  test.runIf(isLong)('that has been proved proves no other, however alike', async () => {
    await share()
    expect((await ingest.post(JSON.stringify(event()))).status).toBe(200)
    const last = token.at(-1) === 'a' ? 'b' : 'a'
    const alike = [
      `${token.slice(0, -1)}${last}`,
      `${last}${token.slice(1)}`,
      token.slice(0, -1),
      `${token}x`,
      `${token}\u00ff`,
      '',
    ]
    for (const path of alike) {
      const answer = await ingest.post(JSON.stringify(event()), {}, `${ingest.url}/webhooks/${path}`)
      expect(answer.status).toBe(404)
    }
    expect((await ingest.post(JSON.stringify(event()))).status).toBe(200)
    expect((await ingest.kept()).map(({ source }) => source)).toEqual(['lms', 'lms'])
  })

  test('is judged before the body has come', async () => {
    await share()
    const raw = await openRaw(ingest.port)
    raw.write(
      'POST /webhooks/wrong HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n',
    )
    await until(() => raw.received().includes('404 Not Found'))
    raw.close()
  })

  test.runIf(isLong)('is never in an answer, also not in a page that a browser makes of it', async () => {
    await share()
    for (const method of ['GET', 'POST', 'PUT']) {
      const answer = await fetch(ingest.address, { method, ...(method !== 'GET' && { body: '{' }) })
      expect(await answer.text()).not.toContain(token)
      expect(JSON.stringify([...answer.headers])).not.toContain(token)
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('names the source, and several live at once; a query after it does not matter', async () => {
    await share()
    await ingest.post(JSON.stringify(event()), {}, `${ingest.url}/webhooks/${otherToken}?from=there`)
    await ingest.post(JSON.stringify(event()))
    expect((await ingest.kept()).map(({ source }) => source)).toEqual(['other', 'lms'])
  })
})

describe('a request that is no delivery', () => {
  test('by a person is answered in words', async () => {
    await share()
    const answer = await fetch(ingest.address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await answer.text()).toMatch(/ready.*POST/s)
    expect((await fetch(ingest.address, { method: 'HEAD' })).status).toBe(200)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/json, text/plain',
    "application/json; charset='latin1'",
  ])('of type "%s" is 415', async (type) => {
    await share()
    expect((await ingest.post(Buffer.from('{}'), { 'content-type': type })).status).toBe(415)
    expect(await ingest.kept()).toEqual([])
  })

  test.each(
    pick(
      ['application/json;charset=UTF-8', 'Application/JSON', 'application/cloudevents+json; charset="utf-8"'],
      3,
    ),
  )('but of type "%s" is one', async (type) => {
    await share()
    expect((await ingest.post(JSON.stringify(event()), { 'content-type': type })).status).toBe(200)
  })

  describe.skipIf(isLong)('but what was plainly meant for us is taken, and counted as drift', () => {
    const json = JSON.stringify(event())
    test.each([
      'text/json',
      'application/json, application/json',
      'application/json; charset=utf-8, application/json; charset=utf-8',
      "application/json; charset='utf-8'",
      '',
    ])('of type "%s"', async (type) => {
      await open()
      const send = (body: string) => ingest.post(body, { 'content-type': type })
      expect((await send(json)).status).toBe(200)
      expect(await ingest.metrics()).toContain('rollcall_ingest_drift_total{field="(content-type)"} 1')
    })

    test('without a type', async () => {
      await open()
      const raw = await openRaw(ingest.port)
      raw.write(
        `POST /webhooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
      )
      await until(() => raw.received().includes('"status":"accepted"'))
      raw.close()
      expect(await ingest.metrics()).toContain('rollcall_ingest_drift_total{field="(content-type)"} 1')
    })

    test('with one slash at the end of the address, and no other path', async () => {
      await open()
      expect((await ingest.post(json, { 'content-type': 'text/json' }, `${ingest.address}/`)).status).toBe(
        200,
      )
      expect((await ingest.kept()).map(({ oddRequest }) => oddRequest)).toEqual(['(address) (content-type)'])
      expect(await ingest.metrics()).toContain('rollcall_ingest_drift_total{field="(address)"} 1')
      for (const more of ['//', '/x', '/./x'])
        expect((await ingest.post(json, {}, `${ingest.address}${more}`)).status).toBe(404)
    })

    test('with a byte order mark, and through a proxy that forwards a port', async () => {
      await open()
      expect((await ingest.post(`\uFEFF${json}`, { 'x-forwarded-for': '10.1.2.3:4711' })).status).toBe(200)
    })
  })

  test('in an encoding is 415 and told to send none', async () => {
    await share()
    const answer = await ingest.post(gzipSync(JSON.stringify(event())), { 'content-encoding': 'gzip' })
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity'])
  })
})

describe('a request as no client of ours would send it', () => {
  const body = JSON.stringify(event())
  const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

  async function send(text: string): Promise<string> {
    const raw = await openRaw(ingest.port)
    raw.write(text)
    await until(() => /\r\n\r\n[^]+/.test(raw.received()) || raw.isClosed())
    raw.close()
    return raw.received()
  }
  const notFound = /^HTTP\/1\.1 404 [^]*nosniff[^]*\r\n\r\n\{"error":"unknown_token"/

  test.each([
    ['HTTP/1.0 without a Host', `POST /webhooks/${token} HTTP/1.0\r\n${rest}`],
    [
      'a whole URL as its target',
      `POST http://elsewhere.example/webhooks/${token} HTTP/1.1\r\nHost: x\r\n${rest}`,
    ],
    [
      'a Host with underscores and a port',
      `POST /webhooks/${token} HTTP/1.1\r\nHost: roll_call:80\r\n${rest}`,
    ],
    ['a part of the token escaped', `POST /webhooks/%71${token.slice(1)} HTTP/1.1\r\nHost: x\r\n${rest}`],
  ])('is a delivery with %s', async (_, text) => {
    await share()
    expect(await send(text)).toContain('"status":"accepted"')
    expect(await ingest.kept()).toHaveLength(1)
  })

  test.each([
    ['an impossible Host', `POST /webhooks/${token} HTTP/1.1\r\nHost: a b/c\r\n${rest}`],
    ['a backslash', `POST /webhooks\\${token} HTTP/1.1\r\nHost: x\r\n${rest}`],
    ['a broken escape', `POST /webhooks/%zz HTTP/1.1\r\nHost: x\r\n${rest}`],
    ['a target of its own kind', `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a step up in its path', `POST /webhooks/../${token} HTTP/1.1\r\nHost: x\r\n${rest}`],
    ['a rare method and no known token', `PROPFIND /webhooks/wrong HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('is not found with %s', async (_, text) => {
    await share()
    expect(await send(text)).toMatch(notFound)
    expect(await ingest.kept()).toEqual([])
  })

  test.each(pick(['PROPFIND', 'TRACE', 'QUERY', 'M-SEARCH'], 4))(
    'is told by %s which methods there are',
    async (method) => {
      await share()
      const answer = await send(`${method} /webhooks/${token} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 405 /)
      expect(answer).toMatch(/\r\nallow: GET, HEAD, POST\r\n/i)
    },
  )

  test.runIf(isLong)(
    'may bring a large body to no address of ours: it is answered, and not read for long',
    async () => {
      await share()
      const raw = await openRaw(ingest.port)
      raw.write('POST /elsewhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      const endless = setInterval(() => raw.write(`400\r\n${'x'.repeat(1_024)}\r\n`), 5)
      await until(() => raw.isClosed())
      clearInterval(endless)
      expect(raw.received()).toMatch(notFound)
    },
  )
})

describe('a body over the limit', () => {
  const head = `POST /webhooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`

  test('is 413 by its stated length, before it is sent, and the connection ends properly', async () => {
    await open({ maxBodyBytes: 1_000 })
    const raw = await openRaw(ingest.port)
    raw.write(`${head}Content-Length: 100000000\r\n\r\n`)
    await until(() => raw.received().includes('HTTP/1.1 413'))
    expect(raw.received().toLowerCase()).toContain('connection: close')
    await until(() => raw.isClosed())
  })

  test('is 413 when it comes in chunks without a length: read no further, and seen by a sender that is still sending', async () => {
    await open({ maxBodyBytes: 1_000, lingerMs: 600_000 })
    const raw = await openRaw(ingest.port)
    raw.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    const sendChunk = () => raw.write(`400\r\n${'x'.repeat(1_024)}\r\n`)
    await until(() => sendChunk() && raw.received().includes('larger than'))
    for (let count = 0; count < 50; count++) sendChunk()
    raw.write('0\r\n\r\n')
    await until(() => raw.isClosed())
    expect(raw.received()).toMatch(/^HTTP\/1\.1 413 /)
    expect(raw.received()).toContain('larger than 1000 bytes')
    expect(raw.wasReset()).toBe(false)
    expect(await ingest.kept()).toEqual([])
  })

  test.runIf(isLong)('does not hold the connection for ever when the sender never stops', async () => {
    await open({ maxBodyBytes: 1_000 })
    const raw = await openRaw(ingest.port)
    raw.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    const endless = setInterval(() => raw.write(`400\r\n${'x'.repeat(1_024)}\r\n`), 5)
    await until(() => raw.isClosed())
    clearInterval(endless)
  })

  test('exactly at the limit is taken', async () => {
    const body = JSON.stringify(event())
    await open({ maxBodyBytes: Buffer.byteLength(body) })
    expect((await ingest.post(body)).status).toBe(200)
    expect((await ingest.post(`${body} `)).status).toBe(413)
  })

  test('is not asked for by a sender that waits for leave', async () => {
    await open({ maxBodyBytes: 1_000 })
    const raw = await openRaw(ingest.port)
    raw.write(`${head}Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n`)
    await until(() => raw.received().includes(' 413 '))
    expect(raw.received()).not.toContain('100 Continue')
    raw.close()
    const body = JSON.stringify(event())
    const polite = await openRaw(ingest.port)
    polite.write(`${head}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
    await until(() => polite.received().includes('100 Continue'))
    polite.write(body)
    await until(() => polite.received().includes('"status":"accepted"'))
    polite.close()
  })
})

describe.skipIf(isLong)('a signature', () => {
  const secret = Buffer.from('a secret of 24 bytes ...')
  const body = JSON.stringify(event())
  const now = 1_800_000_000_000

  const standard = (id: string, seconds: number, key = secret) => ({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,bm9uc2Vuc2U= v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  })

  test('by Standard Webhooks must be there, right and fresh', async () => {
    await open({ signatureSecrets: [{ source: 'lms', scheme: 'standard', secret }] }, {}, { now: () => now })
    expect((await ingest.post(body)).status).toBe(401)
    expect((await ingest.post(body, standard('m1', now / 1_000))).status).toBe(200)
    expect(
      (await ingest.post(body, standard('m1', now / 1_000, Buffer.from('another secret......')))).status,
    ).toBe(401)
    expect((await ingest.post(body, { ...standard('m1', now / 1_000), 'webhook-id': 'm2' })).status).toBe(401)
    const stale = await ingest.post(body, standard('m1', now / 1_000 - 301))
    expect([stale.status, await stale.text()]).toEqual([401, expect.stringContaining('stale')])
    expect(await ingest.kept()).toHaveLength(1)
  })

  test('by the library of Standard Webhooks itself is taken, and refused when anything was changed on the way', async () => {
    const signer = new Webhook(`whsec_${secret.toString('base64')}`)
    await open({ signatureSecrets: [{ source: 'lms', scheme: 'standard', secret }] }, {}, { now: () => now })
    const sign = (id: string, sentAt: number, payload = body) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt / 1_000)),
      'webhook-signature': signer.sign(id, new Date(sentAt), payload),
    })
    expect((await ingest.post(body, sign('msg_1', now))).status).toBe(200)
    // Its secrets during a change of secrets: one signature each.
    const signed = sign('msg_2', now)
    const both = `${new Webhook('whsec_b2xkZXIgc2VjcmV0IG9mIHRoZSBzZW5kZXI=').sign('msg_2', new Date(now), body)} ${signed['webhook-signature']}`
    expect((await ingest.post(body, { ...signed, 'webhook-signature': both })).status).toBe(200)
    for (const changed of [
      { ...sign('msg_3', now), 'webhook-id': 'msg_4' },
      { ...sign('msg_3', now), 'webhook-timestamp': String(now / 1_000 + 1) },
      { ...sign('msg_3', now), 'webhook-signature': `v1a,${signed['webhook-signature'].slice(3)}` },
      sign('msg_3', now, `${body} `),
      sign('msg_3', now - 301_000),
      sign('msg_3', now + 301_000),
    ]) {
      expect((await ingest.post(body, changed)).status).toBe(401)
    }
  })

  test('by the older headers of Standard Webhooks is checked likewise, and counted as drift', async () => {
    await open({ signatureSecrets: [{ source: 'lms', scheme: 'standard', secret }] }, {}, { now: () => now })
    const older = (headers: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
      )
    expect((await ingest.post(body, older(standard('m1', now / 1_000)))).status).toBe(200)
    expect((await ingest.post(body, { ...older(standard('m1', now / 1_000)), 'svix-id': 'm2' })).status).toBe(
      401,
    )
    expect(await ingest.metrics()).toContain('rollcall_ingest_drift_total{field="(signature)"} 1')
  })

  test('of the plain kind is checked over the bytes as they came; any secret of the source will do, others need none', async () => {
    const older = Buffer.from('the secret before this one')
    await open({
      signatureSecrets: [
        { source: 'lms', scheme: 'workramp', secret },
        { source: 'lms', scheme: 'workramp', secret: older },
      ],
    })
    const sign = (key: Buffer, text = body) => ({
      'x-workramp-signature': createHmac('sha256', key).update(text).digest('hex'),
    })
    expect((await ingest.post(body, sign(secret))).status).toBe(200)
    expect((await ingest.post(body, sign(older))).status).toBe(200)
    expect((await ingest.post(`${body} `, sign(secret))).status).toBe(401)
    expect((await ingest.post(body, { 'x-workramp-signature': 'nonsense' })).status).toBe(401)
    expect((await ingest.post(body, {}, `${ingest.url}/webhooks/${otherToken}`)).status).toBe(200)
  })
})

describe('load and failure', () => {
  const othersAddress = () => `${ingest.url}/webhooks/${otherToken}`

  test('over the rate of its source a delivery is 429 with a time to wait; another source has its own', async () => {
    let now = Date.now()
    await open({ rateLimitPerSecond: 3 }, {}, { now: () => now })
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) statuses.push((await ingest.post(JSON.stringify(event()))).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const answer = await ingest.post(JSON.stringify(event()))
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await ingest.post(JSON.stringify(event()), {}, othersAddress())).status).toBe(200)
    now += 1_000
    expect((await ingest.post(JSON.stringify(event()))).status).toBe(200)
    const metrics = await ingest.metrics()
    expect(metrics).toContain('rollcall_ingest_requests_total{source="lms",outcome="rate_limited"} 2')
    expect(metrics).not.toContain('source="other",outcome="rate_limited"')
    expect(ingest.refusals()[0]).toMatchObject({ source: 'lms', status: 429 })
  })

  test.runIf(isLong)('two tokens of one source share its rate', async () => {
    const second = 'w5Rb2LqNz8TfYc1HkVx9JmUd'
    const tokens = [
      { source: 'lms', sha256: hashToken(token) },
      { source: 'lms', sha256: hashToken(second) },
      { source: 'other', sha256: hashToken(otherToken) },
    ]
    await open({ tokens, rateLimitPerSecond: 2 }, {}, { now: () => 1_000 })
    const send = async (url: string) => (await ingest.post(JSON.stringify(event()), {}, url)).status
    expect([await send(ingest.address), await send(`${ingest.url}/webhooks/${second}`)]).toEqual([200, 200])
    expect([await send(ingest.address), await send(`${ingest.url}/webhooks/${second}`)]).toEqual([429, 429])
    expect(await send(othersAddress())).toBe(200)
  })

  test('what cannot be stored is 503 with a time to wait, never acknowledged, and readiness says why', async () => {
    await open({}, { maxBytes: 2_000 })
    const statuses: number[] = []
    let answer = await ingest.post(JSON.stringify(event()))
    for (let count = 0; count < 50 && answer.status === 200; count++) {
      statuses.push(answer.status)
      answer = await ingest.post(JSON.stringify(event({ timestamp: 1_760_000_000_000 + count })))
    }
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await ingest.post('{')).status).toBe(503)
    const ready = await fetch(`${ingest.url}/health/ready`)
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('LOG_MAX_BYTES')])
    expect((await fetch(`${ingest.url}/health/live`)).status).toBe(200)
    expect(await ingest.kept()).toHaveLength(statuses.length)
  })

  test('a sender that goes away in the middle leaves nothing behind', async () => {
    await open()
    const raw = await openRaw(ingest.port)
    raw.write(
      `POST /webhooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"event`,
    )
    raw.close()
    await until(
      () => ingest.metrics(),
      (metrics) => metrics.includes('rollcall_ingest_requests_total{source="lms",outcome="aborted"} 1'),
    )
    expect(await ingest.kept()).toEqual([])
  })

  test('a sender that dribbles is cut off', async () => {
    await open({ headersTimeoutMs: 300, requestTimeoutMs: 600 })
    const slowHead = await openRaw(ingest.port)
    slowHead.write('POST /webhooks/x HTTP/1.1\r\n')
    const slowBody = await openRaw(ingest.port)
    slowBody.write(
      `POST /webhooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{`,
    )
    await until(() => slowHead.isClosed() && slowBody.isClosed())
    expect(slowHead.received()).toMatch(/^HTTP\/1\.1 408/)
  })

  test('every outcome is counted, never a token', async () => {
    await open()
    await ingest.post(JSON.stringify(event()))
    await ingest.post('{')
    await ingest.post('{', {}, `${ingest.url}/webhooks/wrong`)
    const metrics = await ingest.metrics()
    expect(metrics).toContain('rollcall_ingest_requests_total{source="lms",outcome="accepted"} 1')
    expect(metrics).toContain('rollcall_ingest_requests_total{source="lms",outcome="failed"} 1')
    expect(metrics).toContain('rollcall_ingest_requests_total{source="",outcome="unknown_token"} 1')
    expect(metrics).toContain('rollcall_ingest_append_seconds_count 2')
    expect(metrics).not.toContain(token)
    expect((await fetch(`${ingest.url}/metrics`)).status).toBe(404)
  })

  test('a stop finishes running requests, refuses new ones, and then closes the port', async () => {
    await open()
    const body = JSON.stringify(event())
    const head = `POST /webhooks/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const underWay = await openRaw(ingest.port)
    underWay.write(`${head}Expect: 100-continue\r\n\r\n`)
    await until(() => underWay.received().includes('100 Continue'))
    // One write: once the first request is answered, the second has begun.
    const late = await openRaw(ingest.port)
    late.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n${head}`)
    await until(() => late.received().includes('"live"'))

    const closed = ingest.close(60_000)
    expect(ingest.isReady()).toEqual({ ok: false, reason: 'stopping' })
    late.write(`\r\n${body}`)
    await until(() => late.isClosed())
    expect(late.received()).toMatch(/HTTP\/1\.1 503 [^]*\r\nretry-after: 5\r\n/)
    underWay.write(body)
    await until(() => underWay.received().includes('"status":"accepted"'))
    await closed
    await expect(ingest.post(body)).rejects.toThrow()
    expect(await ingest.kept()).toHaveLength(1)
  })
})
