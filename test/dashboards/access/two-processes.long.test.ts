/** Several dashboards processes over one store, as behind a balancer: what one of them decides holds at the others, too. */
import { afterAll, expect, test } from 'vitest'
import { manager, openCompany, password, reports } from './company.ts'

/** A decision of one process holds at the others after this. */
const followsMs = 3_001

/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
const company = await openCompany({ clock: () => nowMs })
const apps = [company.app, await company.openAnother()]
await company.addPassword(manager.email, password, 'manager')
await company.addPassword('olga@example.com', password, 'owner')
nowMs += followsMs
afterAll(() => company.close())

function send(app: number, login: string, given: string, address = '10.1.1.1'): Promise<Response> {
  const body = new URLSearchParams({ login, password: given, back: '/' })
  const from = { incoming: { socket: { remoteAddress: address } } }
  return Promise.resolve(apps[app]?.request('/sign-in', { method: 'POST', body }, from) as Response)
}

async function signIn(app: number, login: string): Promise<string> {
  const response = await send(app, login, password)
  expect(response.status).toBe(303)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

async function ask(
  app: number,
  path: string,
  headers: Record<string, string>,
  fields?: Record<string, string>,
) {
  const change = fields && { method: 'POST', body: new URLSearchParams(fields) }
  const response = await apps[app]?.request(path, { ...change, headers })
  if (response === undefined) throw new Error('there are two processes')
  return response
}

const statusOf = async (app: number, cookie: string) => (await ask(app, '/api/metrics', { cookie })).status

test('a session that one began is one at the other, with the same people', async () => {
  const cookie = await signIn(0, manager.email)
  for (const app of [0, 1]) {
    const answer = await ask(app, '/api/metrics', { cookie })
    expect(await answer.json()).toMatchObject({ metrics: { assigned: { value: reports.length } } })
  }
})

test('signing out at one ends it at the other, and so do "everywhere", a new password, being barred and a removal', async () => {
  const by = { by: 'test', address: '' }
  const set = (role: string) =>
    company.changes.setPerson({ login: manager.email, role, names: false, userId: '', ...by })
  const ways: [string, (cookie: string) => Promise<unknown>][] = [
    ['sign out', (cookie) => ask(0, '/sign-out', { cookie }, {})],
    ['everywhere', (cookie) => ask(0, '/sign-out/everywhere', { cookie }, {})],
    ['password', () => company.addPassword(manager.email, password, 'manager')],
    ['barred', () => set('nobody')],
    ['removal', () => company.changes.removePerson({ login: manager.email, ...by })],
  ]
  for (const [way, end] of ways) {
    const cookie = await signIn(1, manager.email)
    expect([way, await statusOf(1, cookie)]).toEqual([way, 200])
    await end(cookie)
    nowMs += followsMs
    expect([way, await statusOf(1, cookie)]).toEqual([way, 401])
    if (way === 'barred') await company.addPassword(manager.email, password, 'manager')
    nowMs += followsMs
  }
  await company.addPassword(manager.email, password, 'manager')
  nowMs += followsMs
})

test('an old password opens none of them from the moment on in which one has set a new one', async () => {
  await signIn(1, manager.email)
  await company.addPassword(manager.email, `new ${password}`, 'manager')
  for (const app of [0, 1]) expect((await send(app, manager.email, password)).status).toBe(401)
  await company.addPassword(manager.email, password, 'manager')
  nowMs += followsMs
})

test('a token that one made opens at the other, and no more once it was revoked at one', async () => {
  const made = await company.changes.createToken({
    name: 'script',
    role: 'analyst',
    names: false,
    userId: '',
    days: 1,
    by: 'test',
    address: '',
  })
  if (!made.ok) throw new Error(made.problem.code)
  const headers = { authorization: `Bearer ${made.value.token}` }
  nowMs += followsMs
  expect((await ask(1, '/api/metrics', headers)).status).toBe(200)
  await company.changes.revokeToken({ idOrName: 'script', by: 'test', address: '' })
  nowMs += followsMs
  expect((await ask(1, '/api/metrics', headers)).status).toBe(401)
})

/** docs/access.md says so: tries are counted in each process. */
test('tries with wrong passwords are counted by each process', async () => {
  const status = async (app: number, count: number) => {
    const found = new Set<number>()
    for (let tries = 0; tries < count; tries++)
      found.add((await send(app, 'olga@example.com', 'wrong', `10.9.${app}.${tries}`)).status)
    return [...found]
  }
  expect(await status(0, 10)).toEqual([401])
  expect(await status(0, 1)).toEqual([429])
  expect(await status(1, 10)).toEqual([401])
  expect(await status(1, 1)).toEqual([429])
  // In whatever order the tests run, others sign her in.
  nowMs += 16 * 60_000
})

test('of two owners who change one person, the second gets 409 with both values, and the first change stays', async () => {
  const login = 'pat@example.com'
  await company.addPassword(login, password, 'analyst')
  const cookie = await signIn(0, 'olga@example.com')
  const page = await (await ask(0, '/access', { cookie })).text()
  const version = new RegExp(`name="login" value="${login}".*?name="version" value="(\\d+)"`, 's').exec(
    page,
  )?.[1]
  const change = (app: number, fields: Record<string, string>) =>
    ask(app, '/access/people', { cookie }, { login, version: version ?? '', user_id: '', ...fields })
  expect((await change(0, { do: 'set', role: 'manager', user_id: '12' })).status).toBe(303)
  const second = await change(1, { do: 'set', role: 'analyst', names: 'granted' })
  expect(second.status).toBe(409)
  expect(await second.text()).toContain('Now: manager, 12. Yours: analyst, sees names.')
  expect((await change(1, { do: 'remove' })).status).toBe(409)
  expect(await company.access.store.readPerson(login)).toMatchObject({ role: 'manager', user_id: '12' })
})
