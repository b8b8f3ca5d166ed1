/** A proxy that signs people in, and no sign-in at all. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSignIn } from '../../../dashboards/access/entrance.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { visit } from '../../support/browser/visit.ts'
import { listen } from '../ui/serve.ts'
import { configure, manager, openCompany, reports, strangers, type Company } from './company.ts'
import { isLong } from '../../support/tiers.ts'

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

describe.skipIf(isLong)('behind a proxy', () => {
  let proxied: Company
  /** Today: the store drops rows that have ended long ago. */
  let nowMs = Date.now()
  beforeAll(async () => {
    proxied = await openCompany({
      clock: () => ++nowMs,
      env: {
        DASHBOARD_AUTH: 'proxy',
        DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/24',
        DASHBOARD_ROLES: 'owner=admins,manager=*',
      },
    })
  })
  afterAll(() => proxied?.close())

  const get = (address: string, headers: Record<string, string>) =>
    Promise.resolve(proxied.app.request('/api/metrics', { headers }, from(address)))

  test('its header says who it is, and its groups which role', async () => {
    const asManager = await get('10.9.0.7', { 'x-forwarded-email': manager.email })
    expect(await asManager.json()).toMatchObject({ metrics: { assigned: { value: 2 } } })
    const asOwner = await get('::ffff:10.9.0.7', {
      'x-forwarded-email': 'olga@example.com',
      'x-forwarded-groups': 'staff,admins',
    })
    expect(await asOwner.json()).toMatchObject({ metrics: { assigned: { value: 3 + strangers.length } } })
  })

  test('an Authorization that it passes on says nothing, unless it is a token of ours', async () => {
    const user = { 'x-forwarded-email': manager.email }
    const basic = (password: string) =>
      `Basic ${Buffer.from(`${manager.email}:${password}`).toString('base64')}`
    for (const authorization of [
      basic('her password there'),
      basic(''),
      'Bearer eyJhbGciOi.J.x',
      'Negotiate YII',
    ]) {
      expect([authorization, (await get('10.9.0.7', { ...user, authorization })).status]).toEqual([
        authorization,
        200,
      ])
      expect((await get('10.9.1.1', { ...user, authorization })).status).toBe(401)
    }
    const { authorization = '' } = await proxied.as('owner')
    for (const [text, status] of [
      [authorization, 200],
      [basic(authorization.replace('Bearer ', '')), 200],
      ['Bearer rollcall_of-nobody', 401],
    ] as const) {
      const answer = await get('10.9.0.7', { ...user, authorization: text })
      expect(answer.status).toBe(status)
      if (status === 200)
        expect(await answer.json()).toMatchObject({ metrics: { assigned: { value: 3 + strangers.length } } })
    }
  })

  test('from any other address, or with two names, the header says nothing', async () => {
    const headers = { 'x-forwarded-email': 'olga@example.com', 'x-forwarded-groups': 'admins' }
    for (const address of ['10.9.1.1', '127.0.0.1', ''])
      expect((await get(address, headers)).status).toBe(401)
    const forwarded = { ...headers, 'x-forwarded-for': '10.9.0.7' }
    expect((await get('203.0.113.9', forwarded)).status).toBe(401)
    expect((await get('10.9.0.7', { 'x-forwarded-email': 'a@example.com, olga@example.com' })).status).toBe(
      401,
    )
    expect((await get('10.9.0.7', {})).status).toBe(401)
  })

  test('SQL on the page of data runs with the rights of the user that the proxy names', async () => {
    const ask = (email: string, groups: string) =>
      proxied.app.request(
        '/data',
        {
          method: 'POST',
          body: new URLSearchParams({ sql: 'SELECT count() + 41000 AS n FROM assignments' }),
          headers: { 'x-forwarded-email': email, 'x-forwarded-groups': groups },
        },
        from('10.9.0.7'),
      )
    const page = await ask('olga@example.com', 'admins')
    expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/41,?007/)])
    expect((await ask(manager.email, 'staff')).status).toBe(403)
  })

  test('a manager that the platform does not know sees nobody, and is told so', async () => {
    const answer = await get('10.9.0.7', { 'x-forwarded-email': 'new@example.com' })
    expect(await answer.json()).toMatchObject({ metrics: { assigned: { value: 0 } } })
    const page = await proxied.app.request(
      '/',
      { headers: { 'x-forwarded-email': 'new@example.com' } },
      from('10.9.0.7'),
    )
    expect(await page.text()).toContain('nobody at the platform has your e-mail')
  })
})

/** Asks `origin` as the user that it has signed in, like a proxy before the dashboards. */
async function openProxy(origin: string, email: string): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(origin)
  const server = createServer((from, to) => {
    const { method, url: path, headers } = from
    const asked = request(
      { hostname, port, method, path, headers: { ...headers, 'x-forwarded-email': email } },
      (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(to)
      },
    )
    asked.on('error', () => to.destroy())
    from.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

test.runIf(isLong)('in a browser behind a proxy a manager is in at once, and sees her people', async () => {
  const env = {
    DASHBOARD_AUTH: 'proxy',
    DASHBOARD_TRUSTED_PROXIES: '127.0.0.1',
    DASHBOARD_ROLES: 'manager=*',
  }
  const company = await openCompany({ env })
  const { url, stop } = await listen({ app: company.app, close: async () => {} })
  const proxy = await openProxy(url, manager.email)
  const browser = await openBrowser()
  try {
    await visit(browser, `${proxy.url}/learners`, {}, async (page) => {
      const shown = await page.locator('main').innerText()
      for (const { name } of reports) expect(shown).toContain(name)
      for (const { name } of strangers) expect(shown).not.toContain(name)
    })
  } finally {
    await browser.close()
    proxy.stop()
    await stop()
    await company.close()
  }
})

describe.skipIf(isLong)('without sign-in', () => {
  test('starts on loopback only, unless told so in words', () => {
    const check = (env: Record<string, string>) => () => checkSignIn(configure(env))
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) expect(check({ HOST })).not.toThrow()
    for (const HOST of ['0.0.0.0', '::', '192.168.1.2']) {
      expect(check({ HOST })).toThrow(/DASHBOARD_AUTH/)
      expect(check({ HOST, DASHBOARD_AUTH: 'none-and-i-know' })).not.toThrow()
      expect(check({ HOST, DASHBOARD_AUTH: 'password' })).not.toThrow()
    }
  })

  test('every page says so in a strip', async () => {
    const open = await openCompany({ env: { DASHBOARD_AUTH: 'none' } })
    const page = await (await open.app.request('/')).text()
    expect(page).toContain('No sign-in.')
    expect(page).toContain('DASHBOARD_AUTH')
    // An owner enters people before turning sign-in on.
    expect(page).toContain('"/access"')
    await open.close()
  })
})
