/** Deliveries from some networks only, with and without a proxy in between. */
import { afterEach, describe, expect, test } from 'vitest'
import { networkList } from '../../services/config/networks.ts'
import { createAllowList } from '../../services/runtime/http/allow-list.ts'
import { event, openTestIngest, type IngestUnderTest } from '../ingest/ingest.ts'

let ingest: IngestUnderTest | undefined
const open = async (settings: Parameters<typeof openTestIngest>[0]) =>
  (ingest = await openTestIngest(settings))
afterEach(async () => {
  await ingest?.dispose()
  ingest = undefined
})

describe('where only some networks may send', () => {
  const body = JSON.stringify(event())
  const networks = (text: string) => networkList.parse(text)
  const send = async (forwarded?: string) =>
    (await ingest?.post(body, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }))?.status

  test('others get 403, and the owner sees why; what they say of themselves does not count', async () => {
    await open({ allowedNetworks: networks('203.0.113.0/24, 2001:db8::/32') })
    expect([await send(), await send('203.0.113.9')]).toEqual([403, 403])
    expect(ingest?.refusals()[0]).toMatchObject({
      status: 403,
      message: 'This address may not send events here.',
    })
    expect(await ingest?.metrics()).toMatch(
      /rollcall_ingest_requests_total\{[^}]*outcome="wrong_network"[^}]*\} 2/,
    )
    expect(await ingest?.kept()).toEqual([])
  })

  test('without a token nobody learns that some may', async () => {
    await open({ allowedNetworks: networks('203.0.113.0/24') })
    expect((await ingest?.post(body, {}, `${ingest?.url}/webhooks/${'x'.repeat(24)}`))?.status).toBe(404)
  })

  test('this one may when it is listed, by IPv4 and as IPv6 writes it', async () => {
    await open({ allowedNetworks: networks('127.0.0.0/8') })
    expect(await send()).toBe(200)
    const isAllowed = createAllowList({ allowed: networks('127.0.0.0/8'), trustedProxies: [] })
    expect(isAllowed?.('::ffff:127.0.0.1', {})).toBe(true)
    expect(isAllowed?.(undefined, {})).toBe(false)
  })

  test('a proxy that is trusted says who sent: the last address that none of the proxies has', async () => {
    await open({
      allowedNetworks: networks('203.0.113.0/24,2001:db8::/32'),
      trustedProxies: networks('127.0.0.1,10.0.0.0/8'),
    })
    expect(await send('203.0.113.9')).toBe(200)
    expect(await send('198.51.100.1, 203.0.113.9, 10.1.2.3')).toBe(200)
    expect(await send('[2001:db8::1]:4711')).toBe(200)
    expect(await send('203.0.113.9:4711')).toBe(200)
    // The sender wrote the first one; the proxy saw the second.
    expect(await send('203.0.113.9, 198.51.100.1')).toBe(403)
    for (const nothing of ['', 'unknown', '203.0.113.9, nonsense', '10.1.2.3'])
      expect(await send(nothing)).toBe(403)
    expect(await send()).toBe(403)
  })
})

test.each(['203.0.113.0/33', '2001:db8::/129', 'example.com', '10.0.0.0/8/8', '10.0.0/8'])(
  '%j is no network',
  (text) => expect(networkList.safeParse(text).success).toBe(false),
)
