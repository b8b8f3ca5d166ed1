/** Signing in at a real OpenID provider, in a real browser. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Hono } from 'hono'
import { Provider } from 'oidc-provider'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
import { listen, type Listening } from '../../../services/runtime/http/listen.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { findFreePorts } from '../../support/processes/ports.ts'
import { foreignTeam, manager, openCompany, type Company } from './company.ts'
import { test, testLong } from '../../support/thorough.ts'

const hour = 3_600_000
let company: Company
let dashboards: Listening
let provider: { server: Server; url: string }
let browser: Browser
let base: string
/** How far the dashboards' clock is ahead of the provider's. */
let aheadMs = 0

beforeAll(async () => {
  const [ownPort = 0, providerPort = 0] = await findFreePorts(2)
  base = `http://127.0.0.1:${ownPort}`
  provider = await startProvider(providerPort)
  company = await openCompany({
    clock: () => Date.now() + aheadMs,
    env: {
      DASHBOARD_AUTH: 'oidc',
      DASHBOARD_URL: base,
      DASHBOARD_OWNERS: 'olga@example.com',
      DASHBOARD_ROLES: 'analyst=readers,viewer=watchers,manager=managers',
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: 'rollcall',
      OIDC_CLIENT_SECRET: 'a secret of the test: with odd /+ characters',
    },
  })
  const other = await company.openAnother()
  const dispatch = new Hono()
  // As behind a balancer: the provider may send people back to another process than the one that sent them there.
  dispatch.all('/sign-in/callback', (c) => other.fetch(c.req.raw, c.env))
  dispatch.mount('/', (request, env: object) => company.app.fetch(request, env))
  dashboards = await listen({
    handler: dispatch,
    host: '127.0.0.1',
    port: ownPort,
    portVariable: 'DASHBOARD_PORT',
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await dashboards?.close(1_000)
  provider?.server.closeAllConnections()
  provider?.server.close()
  await company?.close()
})
beforeEach(() => {
  aheadMs = 0
})

/** Its log-in form takes any name: the name is the e-mail. */
async function startProvider(port: number): Promise<typeof provider> {
  const url = `http://127.0.0.1:${port}`
  const redirect_uris = [`${base}/sign-in/callback`]
  const post_logout_redirect_uris = [`${base}/sign-in`]
  const client = {
    redirect_uris,
    post_logout_redirect_uris,
    grant_types: ['authorization_code'],
    response_types: ['code' as const],
  }
  const oidc = new Provider(url, {
    clients: [
      { ...client, client_id: 'rollcall', client_secret: 'a secret of the test: with odd /+ characters' },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'], profile: ['name'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: id,
        email_verified: !id.startsWith('unverified'),
        groups: groupsOf(id),
      }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['keys of the test'] },
  })
  const answer = oidc.callback()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url, server }
}

function groupsOf(id: string): string[] {
  if (id === manager.email) return ['managers']
  if (id.startsWith('wanda')) return ['managers', 'watchers']
  return id.startsWith('rita') ? ['watchers', 'readers'] : []
}

async function inBrowser(use: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
  const context = await browser.newContext(reader)
  try {
    await use(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

/** A page that asks the store for little: most tests are about who gets in, not about the content. */
const plainPage = '/help'

/** From any page to the end of the sign-in; gives the address to which the provider sent the browser back. */
async function signIn(page: Page, email: string, path = plainPage): Promise<string> {
  await page.goto(`${base}${path}`)
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
  let landing = ''
  page.on('request', (request) => {
    if (request.url().startsWith(`${base}/sign-in/callback`)) landing = request.url()
  })
  await page.locator('input[name=login]').fill(email)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${base}/**`)
  return landing
}

const cookiesOf = async (context: BrowserContext) =>
  (await context.cookies(base)).filter(({ name }) => name === 'rollcall_session')

test('a manager signs in, lands where she wanted to go, sees her people, and signs out', async () => {
  await inBrowser(async (page, context) => {
    await signIn(page, manager.email, '/assignments?status=overdue')
    expect(page.url()).toBe(`${base}/assignments?status=overdue`)
    const [cookie] = await cookiesOf(context)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    await page.goto(base)
    expect(await page.content()).not.toContain(foreignTeam.name)
    const api = await page.request.get(`${base}/api/metrics`)
    expect(await api.json()).toMatchObject({ metrics: { assigned: { value: 2 } } })
    expect((await page.request.get(`${base}/access`)).status()).toBe(403)

    const kept = cookie?.value ?? ''
    await page.locator('#menu-account > summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    // The provider asks, because it was not this page alone that signed in there.
    await page.waitForURL(`${provider.url}/**`)
    expect(await cookiesOf(context)).toEqual([])
    await page.locator('button[name=logout]').first().click()
    await page.waitForURL(`${base}/sign-in`)
    // The session there is over, too: it asks who it is.
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
    await page.locator('input[name=login]').waitFor()
    // The old cookie is worth nothing, also to somebody who copied it.
    await context.addCookies([{ name: 'rollcall_session', value: kept, url: base }])
    await page.goto(base)
    expect(page.url()).toBe(`${base}/sign-in`)
  })
})

testLong(
  'roles come from the list of owners and from groups; a person without any sees nothing',
  async () => {
    await inBrowser(async (page) => {
      await signIn(page, 'olga@example.com')
      expect((await page.request.get(`${base}/access`)).status()).toBe(200)
    })
    await inBrowser(async (page) => {
      await signIn(page, 'rita@example.com')
      expect((await page.request.get(`${base}/api/assignments`)).status()).toBe(200)
      expect((await page.request.get(`${base}/access`)).status()).toBe(403)
    })
    // The rule of a removed role keeps its place: no later rule gives wanda access.
    for (const login of ['nora@example.com', 'wanda@example.com'])
      await inBrowser(async (page) => {
        await signIn(page, login)
        expect(await page.locator('main').innerText()).toContain(
          'none of the roles that there are: owner, analyst, manager',
        )
        expect((await page.request.get(`${base}/api/metrics`)).status()).toBe(403)
      })
  },
)

testLong('an e-mail that the provider has not verified is not believed', async () => {
  await inBrowser(async (page) => {
    await company.changes.setPerson({
      login: 'unverified@example.com',
      role: 'owner',
      names: true,
      userId: '',
      by: 'test',
      address: '',
    })
    await signIn(page, 'unverified@example.com')
    // The subject is the same text here, and is not an e-mail either.
    expect(await page.locator('h1').innerText()).toBe('You have no role here')
    expect((await page.request.get(`${base}/access`)).status()).toBe(403)
  })
})

testLong('a session ends after its hours, and everywhere when an owner says so', async () => {
  await inBrowser(async (page) => {
    await signIn(page, manager.email)
    aheadMs = 11 * hour
    expect((await page.goto(`${base}${plainPage}`))?.url()).toBe(`${base}${plainPage}`)
    aheadMs = 12 * hour + 60_000
    await page.goto(`${base}${plainPage}`)
    expect(page.url()).toBe(`${base}/sign-in?back=${encodeURIComponent(plainPage)}`)
  })
  await inBrowser(async (page) => {
    aheadMs = 0
    await signIn(page, manager.email)
    await company.changes.signOutEverywhere({ login: manager.email, by: 'test', address: '' })
    await page.goto(`${base}${plainPage}`)
    expect(page.url()).toBe(`${base}/sign-in?back=${encodeURIComponent(plainPage)}`)
  })
})

test('the cookie of somebody who was barred and then erased opens nothing', async () => {
  await inBrowser(async (page) => {
    const login = 'rita-gone@example.com'
    await signIn(page, login)
    const read = async () => (await page.request.get(`${base}/api/metrics`)).status()
    expect(await read()).toBe(200)
    const person = { role: 'nobody', names: false, userId: '', by: 'test', address: '' }
    await company.changes.setPerson({ login, ...person })
    expect(await read()).toBe(401)
    await forgetAccess(company.store.writer, 'x-900', [login])
    company.access.state.forget()
    expect(
      await company.store.rows(`SELECT login FROM rollcall.access_people WHERE login = '${login}'`),
    ).toEqual([])
    expect(await read()).toBe(401)
  })
})

testLong('a cookie is sealed again on the way, and the session stays', async () => {
  await inBrowser(async (page, context) => {
    aheadMs = 5_000
    await signIn(page, manager.email)
    const [before] = await cookiesOf(context)
    aheadMs = 16 * 60_000
    await page.goto(`${base}${plainPage}`)
    const [after] = await cookiesOf(context)
    expect(after?.value).not.toBe(before?.value)
    expect(page.url()).toBe(`${base}${plainPage}`)
  })
})

test('a sign-in cannot be replayed: not in the same browser, not in another, not with a copied cookie', async () => {
  await inBrowser(async (page, context) => {
    await page.goto(`${base}/sign-in`)
    const started = page.waitForResponse((response) => response.url().startsWith(`${base}/sign-in/start`))
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
    await started
    const flight = (await context.cookies(base)).filter(({ name }) => name.startsWith('rollcall_flight_'))
    const landing = await signIn(page, manager.email)
    expect(landing).toContain('state=')
    await context.clearCookies()
    await context.addCookies(flight)
    expect((await page.goto(landing))?.status()).toBe(401)
    expect(await page.getByRole('alert').innerText()).toContain('did not succeed')
    expect(await cookiesOf(context)).toEqual([])
    await inBrowser(async (other) => expect((await other.goto(landing))?.status()).toBe(401))
  })
})

test('tabs sign in at the same time, each where it wanted to go, unless no cookie can hold that', async () => {
  const wanted = { '/help': '/help', '/help/api': '/help/api', [`/help?x=${'a'.repeat(3_000)}`]: '/' }
  await inBrowser(async (first, context) => {
    const tabs: Page[] = []
    for (const path of Object.keys(wanted)) {
      const tab = tabs.length === 0 ? first : await context.newPage()
      await tab.goto(`${base}${path}`)
      await tab.getByRole('link', { name: 'Sign in with your organisation' }).click()
      tabs.push(tab)
    }
    const landed: string[] = []
    for (const tab of tabs) {
      await tab.locator('input[name=login]').fill(manager.email)
      await tab.locator('input[name=password]').fill('any')
      await tab.locator('button[type=submit]').click()
      // The provider asks once for consent.
      if (tab === first) await tab.locator('button[type=submit]').click()
      await tab.waitForURL(`${base}/**`)
      landed.push(new URL(tab.url()).pathname)
    }
    expect(landed).toEqual(Object.values(wanted))
    expect((await context.cookies(base)).filter(({ name }) => name.includes('flight'))).toEqual([])
  })
})

testLong('clocks may differ a little, and not by hours', async () => {
  await inBrowser(async (page) => {
    aheadMs = 20_000
    await signIn(page, manager.email)
    expect(page.url()).toBe(`${base}${plainPage}`)
  })
  await inBrowser(async (page, context) => {
    aheadMs = 2 * hour
    await signIn(page, manager.email)
    expect(await page.getByRole('alert').innerText()).toContain('did not succeed')
    expect(await cookiesOf(context)).toEqual([])
  })
})

testLong('while the provider is away, whoever is in stays in, and others are told so', async () => {
  await inBrowser(async (page) => {
    await signIn(page, manager.email)
    provider.server.closeAllConnections()
    await new Promise((resolve) => provider.server.close(resolve))
    expect((await page.goto(`${base}${plainPage}`))?.url()).toBe(`${base}${plainPage}`)
    // The answer of discovery is known for an hour; the provider's own page is the part that is missing then.
    aheadMs = 2 * hour
    await inBrowser(async (other) => {
      const answer = await other.goto(`${base}/sign-in/start`)
      expect(answer?.status()).toBe(503)
      expect(await other.getByRole('alert').innerText()).toContain('does not answer')
    })
  })
  provider.server.listen(Number(new URL(provider.url).port), '127.0.0.1')
  await once(provider.server, 'listening')
})
