/** A proxy that signs people in, and no sign-in at all. */
import { afterAll, expect, test } from 'vitest'
import { checkSignIn } from '../../../dashboards/access/entrance.ts'
import { configure, manager, openCompany, reports, strangers } from './company.ts'

/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
const company = await openCompany({
  clock: () => ++nowMs,
  env: {
    DASHBOARD_AUTH: 'proxy',
    DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/24',
    DASHBOARD_ROLES: 'owner=admins,manager=*',
  },
})
afterAll(() => company.close())
const { authorization: token = '' } = await company.as('owner')

const proxy = '10.9.0.7'
const mona = { 'x-forwarded-email': manager.email }
const olga = { 'x-forwarded-email': 'olga@example.com', 'x-forwarded-groups': 'staff,admins' }
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`${manager.email}:${password}`).toString('base64')}`,
})
const all = reports.length + strangers.length + 1

/** How many assignments the sender sees; `null`: not signed in. */
test.each<[string, string, Record<string, string>, number | null]>([
  ['the email of its header is the login', proxy, mona, reports.length],
  ['its groups decide the role', `::ffff:${proxy}`, olga, all],
  [
    'a manager that the platform does not know sees no one',
    proxy,
    { 'x-forwarded-email': 'new@x.example' },
    0,
  ],
  ['a foreign password in Authorization means nothing', proxy, { ...mona, ...basic('p') }, reports.length],
  ['a foreign bearer means nothing', proxy, { ...mona, authorization: 'Bearer eyJ.J.x' }, reports.length],
  ['a token of ours counts', proxy, { ...mona, authorization: token }, all],
  ['a token of ours as a password counts', proxy, { ...mona, ...basic(token.slice('Bearer '.length)) }, all],
  ['a wrong token is refused', proxy, { ...mona, authorization: 'Bearer rollcall_of-nobody' }, null],
  ['another address is not believed', '10.9.1.1', olga, null],
  ['this machine is not believed', '127.0.0.1', olga, null],
  ['a forwarded address is not believed', '203.0.113.9', { ...olga, 'x-forwarded-for': proxy }, null],
  ['two names are none', proxy, { 'x-forwarded-email': 'a@example.com, olga@example.com' }, null],
  ['no name is none', proxy, {}, null],
])('%s', async (_, from, headers, assigned) => {
  const answer = await company.ask('/api/metrics', { from, headers })
  if (assigned === null) return expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ metrics: { assigned: { value: assigned } } })
})

test('SQL on the page of data runs with the rights of the user that the proxy names', async () => {
  const fields = { sql: 'SELECT count() + 41000 AS n FROM assignments' }
  const page = await company.ask('/data', { fields, headers: olga, from: proxy })
  expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/41,?007/)])
  expect((await company.ask('/data', { fields, headers: mona, from: proxy })).status).toBe(403)
})

test('a manager that the platform does not know is told so', async () => {
  const page = await company.ask('/', { from: proxy, headers: { 'x-forwarded-email': 'new@x.example' } })
  expect(await page.text()).toContain('no one at the platform has your email')
})

test('without sign-in it starts on loopback only, unless told so in words', () => {
  const check = (env: Record<string, string>) => () => checkSignIn(configure(env))
  for (const HOST of ['127.0.0.1', 'localhost', '::1']) expect(check({ HOST })).not.toThrow()
  for (const HOST of ['0.0.0.0', '::', '192.168.1.2']) {
    expect(check({ HOST })).toThrow(/DASHBOARD_AUTH/)
    expect(check({ HOST, DASHBOARD_AUTH: 'none-and-i-know' })).not.toThrow()
    expect(check({ HOST, DASHBOARD_AUTH: 'password' })).not.toThrow()
  }
})

test('without sign-in every page says so, and an owner can enter people', async () => {
  const app = await company.openAnother({ DASHBOARD_AUTH: 'none', DASHBOARD_ROLES: '' })
  const page = await (await app.request('/')).text()
  for (const words of ['No sign-in.', 'DASHBOARD_AUTH', '"/access"']) expect(page).toContain(words)
})
