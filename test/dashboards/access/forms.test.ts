/** Forms answer with a redirect, so that loading the page again repeats nothing; a secret is shown once, to who made it. */
import { request } from 'node:http'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { createFlash } from '../../../dashboards/http/flash.ts'
import { limitBody } from '../../../dashboards/http/read-form.ts'
import { runAs, stranger } from '../../../services/access/visitor.ts'
import { listen } from '../../../services/runtime/http/listen.ts'
import { follow } from '../../support/network/follow.ts'
import { manager, openCompany, password } from './company.ts'

let nowMs = Date.now()
const company = await openCompany({ clock: () => (nowMs += 1) })
await company.addPassword('olga@example.com', password, 'owner')
await company.addPassword('other.owner@example.com', password, 'owner')
await company.addPassword(manager.email, password, 'manager')
afterAll(() => company.close())

const olga = await company.signIn('olga@example.com')
const mona = await company.signIn(manager.email)

const get = (path: string, cookie: string) => company.app.request(path, { headers: { cookie } })
const flashOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((each) => each.startsWith('rollcall_flash='))
    ?.split(';')[0] ?? ''

const secret = /rollcall_[\w-]{20,}/
const makeToken = (name: string) =>
  company.post('/access/tokens', olga, { do: 'create', name, role: 'analyst', days: '3' })

test('shows a token exactly once after the redirect, and only to its maker', async () => {
  const made = await makeToken('nightly')
  expect([made.status, await made.text()]).toEqual([303, ''])
  const flash = flashOf(made)
  expect(flash).not.toMatch(secret)
  const page = made.headers.get('location') ?? ''
  // Another page of the browser leaves it; somebody else who has the cookie reads nothing.
  expect(await (await get('/help', `${olga}; ${flash}`)).text()).not.toMatch(secret)
  const otherOwner = await company.signIn('other.owner@example.com')
  expect(await (await get(page, `${otherOwner}; ${flash}`)).text()).not.toMatch(secret)
  const shown = await follow(made, get, olga)
  const text = await shown.text()
  expect([shown.status, secret.test(text)]).toEqual([200, true])
  // The bar of the page is the one of any page.
  expect(text).toContain('id="menu-account"')
  expect(shown.headers.getSetCookie().join()).toMatch(/rollcall_flash=;.*Max-Age=0/)
  expect(await (await get(page, `${olga}; ${flash}`)).text()).not.toMatch(secret)
})

test('what was left for a page is gone after two minutes', async () => {
  const made = await makeToken('weekly')
  nowMs += 3 * 60_000
  expect(await (await follow(made, get, olga)).text()).not.toMatch(secret)
})

test('what is left for a page fits into the cookie of a browser, in whatever letters', async () => {
  const flash = createFlash(company.entrance, () => nowMs)
  const app = new Hono().post('/', (c) =>
    runAs(stranger, async () => {
      await flash.leave(c, '/', { says: 'ü'.repeat(2_500) })
      return c.text('')
    }),
  )
  const answer = await app.request('/', { method: 'POST' })
  expect(flashOf(answer).length).toBeLessThan(4_096)
})

test('a refused test mail is told after a redirect, and loading that page sends none', async () => {
  const answer = await company.post('/digest/test', mona)
  if (answer.status !== 303) return expect(answer.status).toBe(400)
  expect(answer.headers.get('location')).toBe('/digest')
  const shown = await (await follow(answer, get, mona)).text()
  expect(shown).toContain('role="alert"')
  const second = await company.post('/digest/test', mona)
  expect(await (await follow(second, get, mona)).text()).toContain('less than a minute ago')
})

test('a time zone that nobody knows is refused in the language of its reader', async () => {
  const form = { ...filled['/digest'], time_zone: 'Mars/Olympus' }
  const answer = await company.post('/digest', `${mona}; rollcall_language=de`, form)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('Schreiben Sie die Zeitzone wie in der tz-Datenbank')
})

test('the language can be changed after a refused form', async () => {
  const backsOf = async (path: string, fields: Record<string, string>, referer?: string) => {
    const answer = await company.app.request(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie: olga, ...(referer !== undefined && { referer }) },
    })
    expect([path, answer.status]).toEqual([path, 400])
    return new Set(
      [...(await answer.text()).matchAll(/name="back" value="([^"]*)"/g)].map(([, back]) => back),
    )
  }
  const targets = { completion_rate: 'many' }
  const from = (path: string) => `http://localhost${path}`
  expect(await backsOf('/setup/targets', targets, from('/setup'))).toEqual(new Set(['/setup']))
  expect(await backsOf('/access/people', { do: 'set', login: '' }, from('/access?x=1'))).toEqual(
    new Set(['/access?x=1']),
  )
  // Refused a second time, from another site, and by a browser that tells nothing.
  for (const referer of [from('/setup/targets'), 'https://example.com/setup', undefined])
    expect(await backsOf('/setup/targets', targets, referer)).toEqual(new Set(['/']))
  // These have a page at their own address.
  expect(await backsOf('/digest', { frequency: 'never' }, from('/'))).toEqual(new Set(['/digest']))
})

test('a damaged cookie shows nothing and breaks nothing', async () => {
  for (const value of ['', 'x', '%00', 'a.b.c.d.e', 'x'.repeat(5_000)]) {
    const page = await get('/access', `${olga}; rollcall_flash=${value}`)
    expect([page.status, (await page.text()).includes('made-link')]).toEqual([200, false])
  }
})

/** Forms whose answer is a page: their action may be done again. So may trying a replay, which this company has not. */
const answersThemselves = new Set([
  // A statement that only reads.
  'POST /data',
])
/** The values of a form of this route, so that it is not refused. */
const filled: Record<string, Record<string, string>> = {
  '/theme': { theme: 'dark', back: '/' },
  '/language': { language: 'de', back: '/' },
  '/views': { page: '/overdue', name: 'Overdue' },
  '/notes': { do: 'add', day: '2026-02-01', text: 'New price training' },
  '/setup/targets': { completion_rate: '90', on_time_rate: '', grading_turnaround: '' },
  '/access/people': { do: 'set', login: 'forms@example.com', role: 'analyst' },
  '/access/tokens': { do: 'create', name: 'forms', role: 'analyst', days: '3' },
  '/digest': { frequency: 'daily', weekday: '1', hour: '7' },
  '/setup/registration': { do: 'check', url: 'https://rollcall.example.com/webhooks/x' },
  '/health/replay': { which: 'all', dry_run: 'yes' },
  '/data': { sql: 'SELECT 1' },
  '/sign-in': { login: 'olga@example.com', password },
  '/sign-in/forgot': { login: 'olga@example.com' },
}

test('no form is answered with a page, so that loading it again sends nothing', async () => {
  const routes = company.app.routes.filter(
    ({ method, path }) => method === 'POST' && !path.startsWith('/api'),
  )
  expect(routes.length).toBeGreaterThan(20)
  const answered = new Set<string>()
  const redirected = new Set<string>()
  let cookie = olga
  for (const { path } of routes) {
    // Some of them sign out.
    if ((await get('/access', cookie)).status !== 200) cookie = await company.signIn('olga@example.com')
    const answer = await company.post(path.replaceAll(/:\w+/g, 'x'), cookie, filled[path])
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
    if (answer.status === 200 && isPage) answered.add(`POST ${path}`)
    if (answer.status === 303) redirected.add(path)
  }
  expect([...answered]).toEqual([...answersThemselves])
  // They were filled in well enough to do something.
  for (const path of Object.keys(filled)) {
    if (path !== '/data' && path !== '/setup/registration' && path !== '/health/replay')
      expect([path, redirected.has(path)]).toEqual([path, true])
  }
})

test('a body is read whether or not the request says its length, and a large one is refused', async () => {
  const server = await listen({
    handler: company.app,
    host: '127.0.0.1',
    port: 0,
    portVariable: 'DASHBOARD_PORT',
  })
  const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const chunked = { 'transfer-encoding': 'chunked', ...urlEncoded }
  const send = (path: string, headers: Record<string, string>, body?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(`${server.url}${path}`, { method: 'POST', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end(body)
    })
  try {
    // Another test signs out.
    let cookie = await company.signIn('olga@example.com')
    const form = new URLSearchParams({ login: 'olga@example.com', password }).toString()
    expect(await send('/sign-in', chunked, form)).toBe(303)
    const large = `${form}&more=${'x'.repeat(1_000_000)}`
    for (const path of ['/sign-in', '/theme', '/mcp']) {
      expect([path, await send(path, { ...chunked, cookie }, large)]).toEqual([path, 413])
      const length = { 'content-length': String(large.length), cookie }
      expect([path, await send(path, length, large)]).toEqual([path, 413])
    }
    const larger = {
      method: 'POST',
      body: `${form}&more=${'x'.repeat(5_000_000)}`,
      headers: { cookie, ...urlEncoded },
    }
    for (const path of ['/data', '/setup/registration', '/health/replay'])
      expect([path, (await company.app.request(path, larger)).status]).toEqual([path, 413])
    const json = { 'content-type': 'application/json', cookie }
    const body = JSON.stringify({ more: 'x'.repeat(2_000_000) })
    const refused = await company.app.request('/api/failed-events/replay', {
      method: 'POST',
      headers: json,
      body,
    })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('is larger than 1 MiB'),
    ])
    const paths = company.app.routes.filter(({ method }) => method === 'POST').map(({ path }) => path)
    const failed = []
    for (const path of paths.map((each) => each.replaceAll(/:\w+/g, 'x'))) {
      // Some of them sign out.
      cookie = await company.signIn('olga@example.com')
      for (const body of [undefined, 'x=y']) {
        const status = await send(path, body === undefined ? { cookie } : { ...chunked, cookie }, body)
        if (status === undefined || status >= 500) failed.push([path, body, status])
      }
    }
    expect(failed).toEqual([])
  } finally {
    await server.close(100)
  }
})

test('a form as multipart, broken or not, is refused without an error of ours', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const path of ['/sign-in', '/theme', '/language', '/digest/unsubscribe']) {
    const { status } = await company.app.request(path, { method: 'POST', headers, body: '--x\r\nbroken' })
    expect([path, status]).toEqual([path, 415])
  }
})

test('behind the limit of bodies a handler still learns that nobody waits for its answer', async () => {
  const leaving = new AbortController()
  let signal: AbortSignal | undefined
  const app = new Hono().post('/', limitBody(10), (c) => {
    signal = c.req.raw.signal
    return c.text('')
  })
  await app.request('/', { method: 'POST', body: 'x', signal: leaving.signal })
  leaving.abort()
  expect(signal?.aborted).toBe(true)
})

test('where reminders are switched off no one has one sent, and there are one text and all addresses', async () => {
  const [owner, boss] = [await company.signIn('olga@example.com'), await company.signIn(manager.email)]
  const text = await (await get('/remind', owner)).text()
  expect(text).toContain('<code>REMIND=on</code>')
  expect(text).toContain('mailto:rae@example.com')
  expect(text).toMatch(
    /href="mailto:\?bcc=[^"]*rae@example\.com[^"]*&amp;subject=Overdue%20assignments&amp;body=Hello/,
  )
  expect(text).not.toContain('type="hidden" name="user"')
  expect(await (await get('/remind', boss)).text()).toContain('To let Rollcall send reminders, ask an owner.')
  expect((await company.post('/remind', owner, { user: '102' })).status).toBe(403)
})
