/** Passwords, roles and tokens. */
import { costs, isPassword } from '../../../services/access/passwords.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
import { manager, openCompany, password } from './company.ts'
import { follow } from '../../support/network/follow.ts'

/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
const company = await openCompany({ clock: () => ++nowMs, env: { DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/16' } })
await company.addPassword(manager.email, password, 'manager')
await company.addPassword('olga@example.com', password, 'owner')
afterAll(() => company.close())

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

const send = async (
  login: string,
  given: string,
  address = '10.1.1.1',
  headers: Record<string, string> = {},
) => {
  const body = new URLSearchParams({ login, password: given, back: '/assignments' })
  return company.app.request('/sign-in', { method: 'POST', body, headers }, from(address))
}

type Init = { method?: string; body?: URLSearchParams; headers?: Record<string, string> }

const ask = (path: string, cookie: string, init: Init = {}) =>
  Promise.resolve(company.app.request(path, { ...init, headers: { cookie, ...init.headers } }))

describe('with passwords', () => {
  test('who has not signed in is offered nothing that leads back to signing in', async () => {
    const page = await (await company.app.request('/sign-in')).text()
    expect(page).not.toMatch(/data-search|href="\/(help|search|learners)/)
    // Nor a menu of no pages, where the screen is narrow.
    expect(page).not.toContain('popovertarget="pages"')
    // Logins need not be e-mails.
    expect(page).not.toContain('type="email"')
  })

  test('the right one opens what the role may see, and the form leads back', async () => {
    const response = await send(manager.email.toUpperCase(), password)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/assignments'])
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await (await ask('/api/metrics', cookie)).json()).toMatchObject({
      metrics: { assigned: { value: 2 } },
    })
    const refused = await ask('/access', cookie)
    const page = await refused.text()
    expect([refused.status, page.includes('Ask an owner (olga@example.com) for access.')]).toEqual([
      403,
      true,
    ])
    const token = await company.as('analyst')
    const toToken = await (await company.app.request('/access', { headers: token })).text()
    expect(toToken).toContain('Ask an owner of this Rollcall for access.')
    expect(toToken).not.toContain('olga')
  })

  test('a wrong password, nobody, and somebody without a password are told the same', async () => {
    await company.changes.setPerson({
      login: 'noword@example.com',
      role: 'owner',
      names: false,
      userId: '',
      by: 'test',
      address: '',
    })
    const pages = []
    for (const login of [manager.email, 'nobody@example.com', 'noword@example.com']) {
      const response = await send(login, 'a wrong password', '10.1.1.2')
      expect([login, response.status, response.headers.get('set-cookie')]).toEqual([login, 401, null])
      pages.push((await response.text()).replaceAll(login, 'LOGIN'))
    }
    expect(new Set(pages).size).toBe(1)
  })

  test('a login and an address wait after ten tries, whether or not the login exists', async () => {
    for (const login of ['olga@example.com', 'nobody-else@example.com']) {
      const found = []
      for (let tries = 0; tries < 11; tries++)
        found.push((await send(login, 'wrong', `10.2.${tries}.1`)).status)
      expect(found).toEqual([...Array.from({ length: 10 }, () => 401), 429])
      expect((await send(login, password, '10.3.0.1')).status).toBe(429)
    }
    nowMs += 16 * 60_000
    expect((await send('olga@example.com', password, '10.3.0.2')).status).toBe(303)
  })

  test('nobody locks a person out of a browser in which they have signed in before', async () => {
    const signedIn = await send('olga@example.com', password, '10.5.0.1')
    const browser = signedIn.headers.getSetCookie().find((each) => each.startsWith('rollcall_browser='))
    const cookie = { cookie: browser?.split(';')[0] ?? '' }
    for (let tries = 0; tries < 11; tries++) await send('olga@example.com', 'wrong', '10.5.0.1')
    expect((await send('olga@example.com', password, '10.5.0.1')).status).toBe(429)
    expect((await send('olga@example.com', password, '10.5.0.1', cookie)).status).toBe(303)
    // The browser's own tries are counted too, and the cookie is worth nothing for another login.
    for (let tries = 0; tries < 10; tries++) await send('olga@example.com', 'wrong', '10.5.0.1', cookie)
    expect((await send('olga@example.com', password, '10.5.0.1', cookie)).status).toBe(429)
    for (let tries = 0; tries < 11; tries++) await send(manager.email, 'wrong', `10.6.${tries}.1`, cookie)
    expect((await send(manager.email, password, '10.7.0.1', cookie)).status).toBe(429)
    nowMs += 16 * 60_000
  })

  test('who comes while too many passwords wait gets 503 with Retry-After', async () => {
    const cheap = costs.N
    costs.N = 2 ** 16
    const waiting = Array.from({ length: 21 }, () => isPassword('wrong', undefined))
    costs.N = cheap
    const refused = await send('olga@example.com', password, '10.8.0.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.text()).toContain('Too many people are signing in')
    await Promise.all(waiting)
    expect((await send('olga@example.com', password, '10.8.0.1')).status).toBe(303)
  })

  test('all addresses of one IPv6 network count as one', async () => {
    for (let tries = 0; tries < 50; tries++)
      await send(`six-${tries % 9}@example.com`, 'wrong', `2001:db8:0:7::${tries}`)
    expect((await send('someone@example.com', 'wrong', '2001:db8:0:7:ffff:1:2:3')).status).toBe(429)
    expect((await send('someone@example.com', 'wrong', '2001:db8:0:8::1')).status).toBe(401)
    nowMs += 16 * 60_000
  })

  test('wrong tries behind a trusted proxy block the one who sends them, and nobody else', async () => {
    const post = async (login: string, given: string, sender: string, socket = '10.9.0.1') => {
      const body = new URLSearchParams({ login, password: given })
      const headers = { 'x-forwarded-for': sender }
      return (await company.app.request('/sign-in', { method: 'POST', body, headers }, from(socket))).status
    }
    // Five logins with ten tries each, of people whose passwords are checked in no time.
    const logins = Array.from({ length: 10 }, (_, at) => `one-${at}@example.com`)
    for (const login of logins) await company.addPassword(login, password, 'analyst')
    for (let tries = 0; tries < 50; tries++) await post(logins[tries % 5] as string, 'wrong', '203.0.113.9')
    expect(await post('olga@example.com', password, '203.0.113.9')).toBe(429)
    // Entries that the sender writes before the proxy's own are not believed.
    expect(await post('olga@example.com', password, '198.51.100.7, 203.0.113.9')).toBe(429)
    expect(await post('olga@example.com', password, '198.51.100.7')).toBe(303)
    // A sender that is not a proxy may write anything.
    for (let tries = 0; tries < 50; tries++)
      await post(logins[5 + (tries % 5)] as string, 'wrong', `192.0.2.${tries}`, '10.1.0.1')
    expect(await post('olga@example.com', password, '192.0.2.200', '10.1.0.1')).toBe(429)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n//evil.example',
    '\t//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    `/${'x'.repeat(5_000)}`,
    'javascript:alert(1)',
    '/sign-out',
  ])('never leads to another site, and not by %j', async (back) => {
    const body = new URLSearchParams({ login: manager.email, password, back, theme: 'dark', language: 'en' })
    const forms = back === '/sign-out' ? ['/sign-in'] : ['/sign-in', '/theme', '/language']
    for (const form of forms) {
      const response = await company.app.request(form, { method: 'POST', body }, from('10.5.0.1'))
      expect([form, response.status, response.headers.get('location')]).toEqual([form, 303, '/'])
    }
  })

  test('a path with odd bytes leads to itself, in a form that a header can hold', async () => {
    const cookie = await company.signIn(manager.email)
    for (const [back, location] of [
      ['/te\0ams', '/te%00ams'],
      ['/teams?team=Ärger', '/teams?team=%C3%84rger'],
    ] as const) {
      const response = await ask(`/sign-in?${new URLSearchParams({ back }).toString()}`, cookie)
      expect([response.status, response.headers.get('location')]).toEqual([303, location])
    }
  })

  test('a changed, a foreign and an old cookie are no session', async () => {
    const cookie = await company.signIn(manager.email)
    expect((await ask('/api/metrics', cookie)).status).toBe(200)
    // Not the last letter: it has bits that mean nothing.
    const changed = `${cookie.slice(0, -2)}${cookie.at(-2) === 'x' ? 'y' : 'x'}${cookie.at(-1)}`
    for (const wrong of [changed, 'rollcall_session=', 'rollcall_session=a.b.c.d.e']) {
      expect((await ask('/api/metrics', wrong)).status).toBe(401)
    }
    nowMs += 13 * 3_600_000
    expect((await ask('/api/metrics', cookie)).status).toBe(401)
  })

  test('a new password, a removal and "sign out everywhere" end every session', async () => {
    const ways = [
      () => company.addPassword(manager.email, password, 'manager'),
      () => company.changes.signOutEverywhere({ login: manager.email, by: 'test', address: '' }),
      async () => {
        await company.changes.removePerson({ login: manager.email, by: 'test', address: '' })
      },
    ]
    for (const end of ways) {
      const cookie = await company.signIn(manager.email)
      expect((await ask('/api/metrics', cookie)).status).toBe(200)
      await end()
      expect((await ask('/api/metrics', cookie)).status).toBe(401)
      nowMs += 1_000
    }
    expect((await send(manager.email, password)).status).toBe(401)
    await company.addPassword(manager.email, password, 'manager')
  })

  test('a new password that is set while the old one is checked ends the session that this begins', async () => {
    const { store } = company.access
    const { readPerson } = store
    store.readPerson = async (login) => {
      store.readPerson = readPerson
      const person = await readPerson(login)
      await company.addPassword(manager.email, `new ${password}`, 'manager')
      return person
    }
    // Nothing is held any more.
    nowMs += 5_000
    const cookie = await company.signIn(manager.email)
    expect(store.readPerson).toBe(readPerson)
    expect((await ask('/api/metrics', cookie)).status).toBe(401)
    expect((await send(manager.email, password)).status).toBe(401)
    await company.addPassword(manager.email, password, 'manager')
    expect((await ask('/api/metrics', await company.signIn(manager.email))).status).toBe(200)
  })
})

describe('the owner', () => {
  test('gives a role and a token on the page, and finds both in the audit', async () => {
    const cookie = await company.signIn('olga@example.com')
    const form = (path: string, fields: Record<string, string>) => company.post(path, cookie, fields)
    const vera = { login: 'Vera@Example.com', role: 'analyst' }
    expect((await form('/access/people', { do: 'add', ...vera, user_id: '4711' })).status).toBe(303)
    // Somebody who is entered is not changed by the form for new people: it knows nothing of their id and names.
    const again = await form('/access/people', { do: 'add', ...vera, role: 'manager' })
    expect([again.status, await again.text()]).toEqual([
      400,
      expect.stringContaining('This person exists already'),
    ])
    // The command line without --user-id keeps it.
    const set = await company.changes.setPerson({ ...vera, names: false, by: 'command line', address: '' })
    expect(set.ok).toBe(true)
    expect(await (await ask('/access', cookie)).text()).toMatch(
      /value="vera@example.com"[\s\S]{0,900}value="4711"/,
    )
    expect(
      (await form('/access/people', { do: 'set', login: 'Vera@Example.com', role: 'king' })).status,
    ).toBe(400)
    const answer = await form('/access/tokens', { do: 'create', name: 'nightly', role: 'analyst', days: '3' })
    const made = await (await follow(answer, (path, own) => ask(path, own), cookie)).text()
    const token = /rollcall_[\w-]+/.exec(made)?.[0] ?? ''
    const as = { headers: { authorization: `Bearer ${token}` } }
    expect((await company.app.request('/api/metrics', as)).status).toBe(200)
    expect((await company.app.request('/access', as)).status).toBe(403)
    await ask('/api/assignments?format=csv', cookie)
    const page = await (await ask('/access', cookie)).text()
    for (const shown of [
      'vera@example.com: analyst',
      'nightly',
      'token change',
      'sign in',
      'export',
      '/api/assignments?format=csv',
    ]) {
      expect(page).toContain(shown)
    }
    expect(page).not.toContain(token)
    expect(
      await company.store.rows(`SELECT kind FROM rollcall.records WHERE position(value, '${token}') > 0`),
    ).toEqual([])
    // Its last use stands beside it; the first one was just now.
    const lastUse = async () =>
      (await company.access.store.readTokens()).find(({ name }) => name === 'nightly')?.used_at_ms ?? 0
    const firstUse = await lastUse()
    expect(nowMs - firstUse).toBeLessThan(60_000)
    nowMs += 86_400_000
    await company.app.request('/api/metrics', as)
    expect((await lastUse()) - firstUse).toBeGreaterThanOrEqual(86_400_000)
    nowMs += 4 * 86_400_000
    expect((await company.app.request('/api/metrics', as)).status).toBe(401)
  })

  test('reads in the audit what is not older than it is kept', async () => {
    const entry = { login: 'kept@example.com', action: 'export', detail: '', address: '' } as const
    const { store } = company.access
    await store.writeAudit({ ...entry, nowMs: Date.now(), keepMs: 60 * 86_400_000 })
    await store.writeAudit({ ...entry, login: 'gone@example.com', nowMs: Date.now() - 60_000, keepMs: 1_000 })
    // By the engine's clock, which drops nothing in other tests.
    for (const query of [
      'SYSTEM START TTL MERGES rollcall.access_audit',
      'OPTIMIZE TABLE rollcall.access_audit FINAL',
      'SYSTEM STOP TTL MERGES rollcall.access_audit',
    ])
      await company.store.writer.command({ query })
    const rows = await company.store.rows(
      `SELECT login FROM rollcall.access_audit WHERE login IN ('kept@example.com', 'gone@example.com')`,
    )
    expect(rows).toEqual([{ login: 'kept@example.com' }])
  })

  test('gives nothing to the page of another site, and is reached by its links', async () => {
    const cookie = await company.signIn('olga@example.com')
    for (const [mode, status] of Object.entries({ 'no-cors': 403, cors: 403, navigate: 200 })) {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode }
      for (const path of ['/grading', '/api/metrics'])
        expect([mode, path, (await ask(path, cookie, { headers })).status]).toEqual([mode, path, status])
    }
  })
})

test('the page of data says how to connect with a token, at the outside address', async () => {
  const headers = await company.as('analyst')
  const app = await company.openAnother({ DASHBOARD_URL: 'https://rollcall.example' })
  const page = await (await app.request('http://localhost/data', { headers })).text()
  const connect = page.split('id="connect"')[1]?.split('</section>')[0]?.replaceAll('&#39;', "'")
  expect(connect).toContain(
    `curl 'https://rollcall.example/api/sql' -H 'Authorization: Bearer ••••••••' --data`,
  )
  expect(connect).toContain(`port=443, secure=True, password='••••••••'`)
  expect(connect).not.toMatch(/http:|no user/)
})

test('an erasure takes the person out of what lets people in, and out of the audit', async () => {
  await company.addPassword('rae@example.com', password, 'analyst')
  await company.signIn('rae@example.com')
  const byRae = { by: 'rae@example.com', address: '' }
  const given = { role: 'analyst', names: false, userId: '' }
  await company.changes.setPerson({ login: 'new@example.com', ...given, ...byRae })
  await company.changes.createToken({ name: 'made by her', ...given, days: 7, ...byRae })
  await forgetAccess(company.store.writer, '102', ['Rae@example.com'])
  const tables = ['records', 'access_audit']
  for (const table of tables) {
    expect(
      await company.store.rows(`SELECT * FROM rollcall.${table} WHERE toString(tuple(*)) LIKE '%rae@%'`),
    ).toEqual([])
  }
  expect(
    await company.store.rows(`SELECT count() > 0 AS kept FROM rollcall.access_audit WHERE login = 'erased'`),
  ).toEqual([{ kept: 1 }])
  // The facts that decide are held for three seconds.
  nowMs += 5_000
  expect((await send('rae@example.com', password)).status).toBe(401)
})
