/** Passwords, sessions and tokens, in one process and in another over the same store. */
import { afterAll, expect, test } from 'vitest'
import { follow } from '../../support/network/follow.ts'
import { manager, openCompany, password, reports } from './company.ts'

/** A decision of one process is active in the others after this. */
const followsMs = 3_001
/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
const company = await openCompany({ clock: () => ++nowMs, env: { DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/16' } })
const other = await company.openAnother()
await company.addPassword(manager.email, password, 'manager')
await company.addPassword('olga@example.com', password, 'owner')
afterAll(() => company.close())

const { ask } = company
const send = (login: string, given = password, from = '10.1.1.1', headers = {}) =>
  ask('/sign-in', { fields: { login, password: given, back: '/assignments' }, from, headers })
const statusOf = async (cookie: string, app = company.app) =>
  (await ask('/api/metrics', { cookie, app })).status

test('offers a stranger nothing that leads back to signing in', async () => {
  const page = await (await ask('/sign-in')).text()
  expect(page).not.toMatch(/data-search|href="\/(help|search|learners)|popovertarget="pages"|type="email"/)
})

test('the right password opens what the role may see; a refusal names owners to people only', async () => {
  const response = await send(manager.email.toUpperCase())
  expect([response.status, response.headers.get('location')]).toEqual([303, '/assignments'])
  expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  for (const app of [company.app, other])
    expect(await (await ask('/api/metrics', { cookie, app })).json()).toMatchObject({
      metrics: { assigned: { value: reports.length } },
    })
  const refused = await ask('/access', { cookie })
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('Ask an owner (olga@example.com) for access.')
  const toToken = await (await ask('/access', { headers: await company.as('analyst') })).text()
  expect(toToken).toContain('Ask an owner of this Rollcall for access.')
})

test('a wrong password, an unknown login and a login without a password get the same answer', async () => {
  const person = { role: 'owner', names: false, userId: '', by: 'test', address: '' }
  await company.changes.setPerson({ login: 'noword@example.com', ...person })
  const pages = []
  for (const login of [manager.email, 'nobody@example.com', 'noword@example.com']) {
    const response = await send(login, 'a wrong password', '10.1.1.2')
    expect([login, response.status, response.headers.get('set-cookie')]).toEqual([login, 401, null])
    pages.push((await response.text()).replaceAll(login, 'LOGIN'))
  }
  expect(new Set(pages).size).toBe(1)
})

test.each([
  // The sender is who the trusted proxy says; a sender that is no proxy may write anything.
  { from: '10.9.0.1', says: '203.0.113.9', elsewhere: '198.51.100.7' },
  { from: '10.3.0.1', says: '203.0.113.9', isForged: true },
])('ten wrong tries block a login for their sender only: %j', async ({ from, says, elsewhere, isForged }) => {
  const by = (sender: string) => ({ 'x-forwarded-for': sender })
  for (const login of ['olga@example.com', 'nobody-else@example.com']) {
    const found = []
    for (let tries = 0; tries < 11; tries++)
      found.push((await send(login, 'wrong', from, by(isForged ? `203.0.113.${tries}` : says))).status)
    expect(found).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  }
  expect((await send('olga@example.com', password, from, by(says))).status).toBe(429)
  // Entries that the sender writes before the proxy's own are not believed.
  expect((await send('olga@example.com', password, from, by(`198.51.100.7, ${says}`))).status).toBe(429)
  if (elsewhere !== undefined)
    expect((await send('olga@example.com', password, from, by(elsewhere))).status).toBe(303)
  nowMs += 16 * 60_000
  expect((await send('olga@example.com', password, from, by(says))).status).toBe(303)
})

test.each([
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\r\n//evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['/%2e//evil.example', '/'],
  [`/${'x'.repeat(5_000)}`, '/'],
  ['javascript:alert(1)', '/'],
  ['/sign-out', '/'],
  ['/te\0ams', '/te%00ams'],
  ['/teams?team=Ärger', '/teams?team=%C3%84rger'],
])('a form with the way back %j leads to %s', async (back, to) => {
  const fields = { login: manager.email, password, back, theme: 'dark', language: 'en' }
  for (const form of back === '/sign-out' ? ['/sign-in'] : ['/sign-in', '/theme', '/language']) {
    const response = await ask(form, { fields, from: '10.5.0.1' })
    expect([form, response.status, response.headers.get('location')]).toEqual([form, 303, to])
  }
})

test('a changed, a foreign and an old cookie are no session', async () => {
  const cookie = await company.signIn(manager.email)
  expect(await statusOf(cookie)).toBe(200)
  // Not the last letter: it has bits that mean nothing.
  const changed = `${cookie.slice(0, -2)}${cookie.at(-2) === 'x' ? 'y' : 'x'}${cookie.at(-1)}`
  for (const wrong of [changed, 'rollcall_session=', 'rollcall_session=a.b.c.d.e'])
    expect(await statusOf(wrong)).toBe(401)
  nowMs += 13 * 3_600_000
  expect(await statusOf(cookie)).toBe(401)
})

const by = { by: 'test', address: '' }
const given = { login: manager.email, names: false, userId: '', ...by }
test.each<[string, (cookie: string) => Promise<unknown>]>([
  ['a sign-out', (cookie) => ask('/sign-out', { cookie, fields: {} })],
  ['"sign out everywhere"', () => company.changes.signOutEverywhere(given)],
  ['a new password', () => company.addPassword(manager.email, `new ${password}`, 'manager')],
  ['blocking', () => company.changes.setPerson({ ...given, role: 'nobody' })],
  ['a removal', () => company.changes.removePerson(given)],
])('%s ends a session here at once, and in another process within seconds', async (way, end) => {
  const cookie = await company.signIn(manager.email)
  expect([await statusOf(cookie), await statusOf(cookie, other)]).toEqual([200, 200])
  await end(cookie)
  expect(await statusOf(cookie)).toBe(401)
  nowMs += followsMs
  expect(await statusOf(cookie, other)).toBe(401)
  const isOut = !way.includes('sign')
  for (const app of isOut ? [company.app, other] : [])
    expect((await ask('/sign-in', { fields: { login: manager.email, password }, app })).status).toBe(401)
  await company.addPassword(manager.email, password, 'manager')
  nowMs += followsMs
})

test('a password that is changed while the old one is checked ends the session that this begins', async () => {
  const { store } = company.access
  const { readPerson } = store
  store.readPerson = async (login) => {
    store.readPerson = readPerson
    const person = await readPerson(login)
    await company.addPassword(manager.email, `new ${password}`, 'manager')
    return person
  }
  nowMs += followsMs
  const cookie = await company.signIn(manager.email)
  expect([store.readPerson === readPerson, await statusOf(cookie)]).toEqual([true, 401])
  await company.addPassword(manager.email, password, 'manager')
})

test('a form of an ended session does nothing and says how to continue', async () => {
  const cookie = await company.signIn(manager.email)
  await ask('/sign-out', { cookie, fields: {} })
  const fields = { page: '/', name: 'Mine' }
  const headers = { accept: 'text/html', host: 'localhost', referer: 'http://localhost/views?page=%2F' }
  const refused = await ask('/views', { cookie, fields, headers })
  const text = await refused.text()
  expect([refused.status, text.includes('Nothing was done')]).toEqual([401, true])
  expect(text).toContain(`/sign-in?back=${encodeURIComponent('/views?page=%2F')}`)
  const toProgram = await ask('/views', { cookie, fields })
  expect(toProgram.headers.get('content-type')).toContain('json')
  expect(await company.store.rows(`SELECT key FROM rollcall.records WHERE kind = 'view'`)).toEqual([])
})

test('an owner adds a person and a token, and finds both in the audit; a token expires', async () => {
  const cookie = await company.signIn('olga@example.com')
  const vera = { login: 'Vera@Example.com', role: 'analyst' }
  const added = { do: 'add', ...vera, user_id: '4711' }
  expect((await ask('/access/people', { cookie, fields: added })).status).toBe(303)
  // The command line without --user-id keeps it.
  await company.changes.setPerson({ ...vera, names: false, by: 'command line', address: '' })
  expect(await company.access.store.readPerson('vera@example.com')).toMatchObject({ user_id: '4711' })
  const fields = { do: 'create', name: 'nightly', role: 'analyst', days: '3' }
  const answer = await ask('/access/tokens', { cookie, fields })
  const made = await (await follow(answer, (path, own) => ask(path, { cookie: own }), cookie)).text()
  const token = /rollcall_[\w-]+/.exec(made)?.[0] ?? ''
  const headers = { authorization: `Bearer ${token}` }
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await ask(path, { headers })).status))
  expect(await statuses('/api/metrics', '/access')).toEqual([200, 403])
  await ask('/api/assignments?format=csv', { cookie })
  await send('vera@example.com', 'wrong', '10.7.0.1')
  const page = await (await ask('/access', { cookie })).text()
  for (const shown of ['vera@example.com: analyst', 'nightly', 'token change', 'sign in', 'export'])
    expect(page).toContain(shown)
  expect(page).toContain('/api/assignments?format=csv')
  expect(page).not.toContain(token)
  expect(page).toMatch(/sign in refused[^]{0,200}password vera@example\.com/)
  // What removes a person is shown after a first press only.
  const atOnce = page.replaceAll(/<details class="confirm">[^]*?<\/details>/g, '')
  expect([page, atOnce].map((each) => each.includes('value="remove"'))).toEqual([true, false])
  const stored = `SELECT kind FROM rollcall.records WHERE position(value, '${token}') > 0`
  expect(await company.store.rows(stored)).toEqual([])
  const lastUse = async () =>
    (await company.access.store.readTokens()).find(({ name }) => name === 'nightly')?.used_at_ms ?? 0
  expect(nowMs - (await lastUse())).toBeLessThan(60_000)
  nowMs += 86_400_000
  expect(await statuses('/api/metrics')).toEqual([200])
  expect(nowMs - (await lastUse())).toBeLessThan(60_000)
  nowMs += 4 * 86_400_000
  expect(await statuses('/api/metrics')).toEqual([401])
})

test('of two owners who change one person, the second gets 409 with both values', async () => {
  const login = 'pat@example.com'
  await company.addPassword(login, password, 'analyst')
  const cookie = await company.signIn('olga@example.com')
  const page = await (await ask('/access', { cookie })).text()
  const form = new RegExp(`name="login" value="${login}".*?name="version" value="(\\d+)"`, 's')
  const version = form.exec(page)?.[1] ?? ''
  const change = (app: typeof other, fields: Record<string, string>) =>
    ask('/access/people', { cookie, app, fields: { login, version, user_id: '', ...fields } })
  expect((await change(company.app, { do: 'set', role: 'manager', user_id: '12' })).status).toBe(303)
  const second = await change(other, { do: 'set', role: 'analyst', names: 'granted' })
  expect(second.status).toBe(409)
  expect(await second.text()).toContain('Now: manager, 12. Yours: analyst, sees names.')
  expect((await change(other, { do: 'remove' })).status).toBe(409)
  expect(await company.access.store.readPerson(login)).toMatchObject({ role: 'manager', user_id: '12' })
})

test('the audit keeps what is not older than it is kept', async () => {
  const entry = { action: 'export', detail: '', address: '' } as const
  const { store } = company.access
  const day = 86_400_000
  await store.writeAudit({ ...entry, login: 'kept', nowMs: Date.now(), keepMs: 60 * day })
  await store.writeAudit({ ...entry, login: 'gone', nowMs: Date.now() - 60_000, keepMs: 1_000 })
  // By the engine's clock, which drops nothing in other tests.
  for (const query of ['SYSTEM START TTL MERGES', 'OPTIMIZE TABLE', 'SYSTEM STOP TTL MERGES'])
    await company.store.writer.command({
      query: `${query} rollcall.access_audit${query.startsWith('OPTIMIZE') ? ' FINAL' : ''}`,
    })
  const kept = `SELECT login FROM rollcall.access_audit WHERE login IN ('kept', 'gone')`
  expect(await company.store.rows(kept)).toEqual([{ login: 'kept' }])
})

test('gives nothing to the page of another site, and is reached by its links', async () => {
  const cookie = await company.signIn('olga@example.com')
  for (const [mode, status] of Object.entries({ 'no-cors': 403, cors: 403, navigate: 200 })) {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode }
    for (const path of ['/grading', '/api/metrics'])
      expect([mode, path, (await ask(path, { cookie, headers })).status]).toEqual([mode, path, status])
  }
})

test('the page of data says how to connect with a token, at the outside address', async () => {
  const app = await company.openAnother({ DASHBOARD_URL: 'https://rollcall.example' })
  const headers = await company.as('analyst')
  const page = await (await ask('http://localhost/data', { headers, app })).text()
  const connect = page.split('id="connect"')[1]?.split('</section>')[0]?.replaceAll('&#39;', "'")
  expect(connect).toContain(
    `curl 'https://rollcall.example/api/sql' -H 'Authorization: Bearer ••••••••' --data`,
  )
  expect(connect).toContain(`port=443, secure=True, password='••••••••'`)
  expect(connect).not.toMatch(/http:|no user/)
})
