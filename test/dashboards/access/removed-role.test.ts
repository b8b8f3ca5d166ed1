/** The role viewer was removed: its people, tokens and rules have no access, and get no other role in its place. */
import { afterAll, describe, expect, test } from 'vitest'
import { runChecks } from '../../../services/cli/doctor/check.ts'
import { storeChecks } from '../../../services/cli/doctor/checks-of-store.ts'
import { hashToken } from '../../../services/config/token.ts'
import { toRuledRole, type RoleRule } from '../../../services/config/values/roles.ts'
import { configure, manager, openCompany, password } from './company.ts'

const told = 'You have none of the roles that there are: owner, analyst, manager'
const toldPrograms = 'you have none of the roles owner, analyst, manager'
const by = { by: 'test', address: '' }
/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
const clock = () => ++nowMs

const company = await openCompany({
  clock,
  env: {
    DASHBOARD_AUTH: 'proxy',
    DASHBOARD_TRUSTED_PROXIES: '10.9.0.0/24',
    DASHBOARD_ROLES: 'analyst=readers,viewer=watchers,manager=*',
  },
})
const withPasswords = await company.openAnother({ DASHBOARD_AUTH: 'password', DASHBOARD_ROLES: '' })
afterAll(() => company.close())

type Answer = { status: number; text: string; cookie: string | undefined }

async function toAnswer(response: Response): Promise<Answer> {
  const cookie = response.headers.get('set-cookie')?.split(';')[0]
  return { status: response.status, text: await response.text(), cookie }
}

async function throughProxy(login: string, groups: string, path = '/'): Promise<Answer> {
  const headers = { 'x-forwarded-email': login, 'x-forwarded-groups': groups }
  return toAnswer(
    await company.app.request(path, { headers }, { incoming: { socket: { remoteAddress: '10.9.0.7' } } }),
  )
}

async function post(path: string, fields: Record<string, string>, cookie = ''): Promise<Answer> {
  // Another process follows a change within seconds.
  nowMs += 60_000
  const body = new URLSearchParams(fields)
  return toAnswer(await withPasswords.request(path, { method: 'POST', body, headers: { cookie } }))
}

const signIn = (login: string, given = password) => post('/sign-in', { login, password: given, back: '/' })
const read = async (path: string, cookie = '') =>
  toAnswer(await withPasswords.request(path, { headers: { cookie } }))

/** As an installation of before has them. */
async function storeViewer(login: string, userId = ''): Promise<void> {
  const person = await company.access.store.readPerson(login)
  const { names = true, user_id = userId, password = '' } = person ?? {}
  await company.access.store.writePerson({ login, names, user_id, password, role: 'viewer' })
  company.access.state.forget()
}

test.each<[rules: string, groups: string[], role: string | null]>([
  ['viewer=a,manager=b', ['a', 'b'], null],
  ['viewer=a,manager=b', ['b', 'a'], null],
  ['manager=b,viewer=a', ['a', 'b'], 'manager'],
  ['manager=b,viewer=a', ['b', 'a'], 'manager'],
  ['viewer=*,owner=a', ['a'], null],
  ['viewer=a,analyst=*', ['b'], 'analyst'],
])('the rules %s give people in the groups %s the role %s', (text, groups, role) => {
  const rules = text.split(',').map((rule) => {
    const [of, group] = rule.split('=')
    return { role: of, group } as RoleRule
  })
  expect(toRuledRole(rules, groups)).toBe(role)
})

describe('a stored person with the role', () => {
  test('is refused at the sign-in with the roles that there are, and a wrong password says nothing of it', async () => {
    await company.addPassword('vera@example.com', password, 'manager')
    const { cookie } = await signIn('vera@example.com')
    expect((await read('/', cookie)).status).toBe(200)
    await storeViewer('vera@example.com')
    const answer = await signIn('vera@example.com')
    expect([answer.status, answer.cookie, answer.text.includes(told)]).toEqual([403, undefined, true])
    const wrong = await signIn('vera@example.com', 'wrong')
    expect([wrong.status, wrong.text.includes(told)]).toEqual([401, false])
    // A session of before stays one without access.
    const page = await read('/', cookie)
    expect([page.status, page.text.includes(told)]).toEqual([403, true])
  })

  test('gets no role by groups instead, and none from a cookie of before', async () => {
    await storeViewer('victor@example.com')
    for (const groups of ['readers', 'watchers', 'staff']) {
      const { status, text } = await throughProxy('victor@example.com', groups)
      expect([groups, status, text.includes(told)]).toEqual([groups, 403, true])
    }
    const session = await company.access.newSession({
      login: 'v@example.com',
      email: '',
      role: null,
      userId: '',
    })
    const cookie = await company.access.seal({ ...session, role: 'viewer' as never })
    expect(await company.access.fromCookie(cookie)).toBeNull()
  })

  test('is shown to the owner, whose form gives nobody more by itself', async () => {
    await storeViewer('victor@example.com')
    await company.addPassword('olga@example.com', password, 'owner')
    const { cookie } = await signIn('olga@example.com')
    const [, line = ''] = (await read('/access', cookie)).text.split('>victor@example.com<')
    expect(line.slice(0, 200)).toContain('viewer, which was removed: no access')
    expect(/<select name="role">.*?<\/select>/s.exec(line)?.[0]).toContain(
      '<option value="nobody" selected="">',
    )
    const person = { do: 'add', login: 'x@example.com', role: 'viewer' }
    expect((await post('/access/people', person, cookie)).status).toBe(400)
    const token = { do: 'create', name: 'x', role: 'viewer', days: '3' }
    expect((await post('/access/tokens', token, cookie)).status).toBe(400)
  })
})

test('a token with the role is refused everywhere with the roles that there are', async () => {
  const token = `rollcall_${'v'.repeat(43)}`
  await company.access.store.writeToken({
    id: 'viewer',
    name: 'nightly',
    sha256: hashToken(token).toString('hex'),
    role: 'viewer',
    names: true,
    user_id: manager.id,
    created_at_ms: nowMs,
    expires_at_ms: nowMs + 86_400_000,
  })
  company.access.state.forget()
  const headers = { authorization: `Bearer ${token}` }
  for (const path of ['/api/metrics', '/api/openapi.json', '/api/sql', '/mcp']) {
    const answer = await company.app.request(path, { headers })
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      403,
      expect.stringContaining(toldPrograms),
    ])
  }
  expect((await company.changes.revokeToken({ idOrName: 'nightly', ...by })).ok).toBe(true)
})

test('a group with the role has no access behind a proxy, whatever later rules say; an earlier rule still counts', async () => {
  for (const path of ['/', '/assignments', '/help']) {
    const { status, text } = await throughProxy('wanda@example.com', 'watchers', path)
    expect([path, status, text.includes(told)]).toEqual([path, 403, true])
  }
  expect((await throughProxy('wanda@example.com', 'watchers', '/api/metrics')).text).toContain(toldPrograms)
  expect((await throughProxy('rita@example.com', 'watchers,readers')).status).toBe(200)
  expect((await throughProxy(manager.email, 'staff')).status).toBe(200)
})

test('the doctor lists people and tokens with the role, and how to go on', async () => {
  await storeViewer('victor@example.com')
  const token = { id: 'v2', name: 'weekly', sha256: 'x', role: 'viewer', names: false, user_id: '' } as const
  const times = { created_at_ms: nowMs, expires_at_ms: nowMs + 86_400_000 }
  await company.access.store.writeToken({ ...token, ...times })
  const findings = await runChecks(storeChecks, {
    config: configure({}),
    client: company.store.reader,
    now: clock(),
  })
  const found = findings.find(({ code }) => code === 'removed_role')
  expect(found?.what).toMatch(/viewer, which was removed: .*victor@example\.com.*token weekly \(v2\)/)
  expect(found?.todo).toContain('owner, analyst, manager')
})
