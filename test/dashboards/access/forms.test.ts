/** Forms: what each answers to whom. After a redirect, loading the page again repeats nothing; a secret is shown once, to its maker. */
import { request } from 'node:http'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { createFlash } from '../../../dashboards/http/flash.ts'
import { runAs, stranger } from '../../../services/access/visitor.ts'
import { listen } from '../../../services/runtime/http/listen.ts'
import { follow } from '../../support/network/follow.ts'
import { manager, openCompany, password } from './company.ts'

let nowMs = Date.now()
const company = await openCompany({ clock: () => (nowMs += 1) })
const { ask } = company
for (const [login, role] of [
  ['olga@example.com', 'owner'],
  ['other.owner@example.com', 'owner'],
  ['anna@example.com', 'analyst'],
  [manager.email, 'manager'],
] as const)
  await company.addPassword(login, password, role)
afterAll(() => company.close())

const cookies = {
  olga: await company.signIn('olga@example.com'),
  anna: await company.signIn('anna@example.com'),
  mona: await company.signIn(manager.email),
  nobody: '',
}
const token = await company.as('owner')
const olga = cookies.olga
const get = (path: string, cookie: string) => ask(path, { cookie })

type Fields = Record<string, string>
const day = new Date(nowMs).toISOString().slice(0, 10)
const note = { do: 'add', day, team: '', text: 'New price training' }
const targets = { completion_rate: '90', on_time_rate: '', grading_turnaround: '' }
const digest = { frequency: 'daily', weekday: '1', hour: '7' }
const person = { do: 'set', login: 'forms@example.com', role: 'analyst' }
const access = { do: 'create', name: 'forms', role: 'analyst', days: '3' }
const teamsOnly = 'Only people who see a whole team'

/** Who sends it, to where, what, the status, and words of the page. */
test.each<[keyof typeof cookies | 'a token', string, Fields, number, string]>([
  ['olga', '/access/people', { ...person, do: 'add', login: manager.email }, 400, 'exists already'],
  ['olga', '/access/people', { ...person, role: 'king' }, 400, 'role="alert"'],
  ['olga', '/access/people', { ...person, login: '' }, 400, 'role="alert"'],
  ['olga', '/access/people', { do: 'invite', login: 'unknown@example.com' }, 400, 'role="alert"'],
  ['mona', '/access/people', person, 403, 'You do not have access'],
  ['olga', '/access/tokens', { ...access, days: '0' }, 400, 'role="alert"'],
  ['olga', '/access/tokens', { ...access, role: 'manager' }, 400, 'role="alert"'],
  ['anna', '/access/tokens', access, 403, 'You do not have access'],
  ...['101', '-1', '0', '1.5', 'NaN', '1e9', '9'.repeat(400), '<script>'].map(
    (value) =>
      ['olga', '/setup/targets', { ...targets, on_time_rate: value }, 400, 'A target is a whole number'] as [
        'olga',
        string,
        Fields,
        number,
        string,
      ],
  ),
  ['mona', '/setup/targets', targets, 403, 'You do not have access'],
  ['mona', '/digest', { ...digest, time_zone: 'Mars/Olympus' }, 400, 'role="alert"'],
  ['olga', '/notes', { ...note, day: '2026-02-30' }, 400, 'value="New price training"'],
  ['olga', '/notes', { ...note, text: '  ' }, 400, 'role="alert"'],
  ['olga', '/notes', { ...note, text: 'x'.repeat(201) }, 400, 'role="alert"'],
  ['olga', '/notes', { ...note, text: 'a\u202eb' }, 400, 'role="alert"'],
  ['olga', '/notes', { ...note, team: 'nobody-has-this' }, 400, teamsOnly],
  ['mona', '/notes', note, 400, teamsOnly],
  ['mona', '/notes', { ...note, team: 'team-foreign' }, 400, teamsOnly],
  ['mona', '/notes', { ...note, team: 'nobody-has-this' }, 400, teamsOnly],
  ['anna', '/notes', note, 403, 'You do not have access'],
  ['a token', '/notes', note, 403, 'not to tokens'],
  ['a token', '/views', { page: '/', name: 'x' }, 403, 'not to tokens'],
  ['olga', '/remind', { user: '102' }, 403, ''],
  [
    'nobody',
    '/sign-in',
    { login: 'olga@example.com', password: 'wrong' },
    401,
    'Email or password is wrong.',
  ],
])('%s at %s with %j: %i', async (who, path, fields, status, words) => {
  const as = who === 'a token' ? { headers: token } : { cookie: cookies[who] }
  const answer = await ask(path, { fields, ...as })
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(words)])
})

test('after a refused form the language can be changed on a page', async () => {
  const backsOf = async (referer: string) => {
    const headers = { referer }
    const answer = await ask('/setup/targets', { cookie: olga, fields: { completion_rate: 'x' }, headers })
    return new Set([...(await answer.text()).matchAll(/name="back" value="([^"]*)"/g)].map(([, to]) => to))
  }
  expect(await backsOf('http://localhost/setup?x=1')).toEqual(new Set(['/setup?x=1']))
  for (const referer of ['http://localhost/setup/targets', 'https://example.com/setup', ''])
    expect(await backsOf(referer)).toEqual(new Set(['/']))
})

const flashOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .find((each) => each.startsWith('rollcall_flash='))
    ?.split(';')[0] ?? ''
const secret = /rollcall_[\w-]{20,}/

test('shows a token once after the redirect, to its maker only, for two minutes', async () => {
  const make = (name: string) => ask('/access/tokens', { cookie: olga, fields: { ...access, name } })
  const made = await make('nightly')
  expect([made.status, await made.text()]).toEqual([303, ''])
  const flash = flashOf(made)
  expect(flash).not.toMatch(secret)
  const page = made.headers.get('location') ?? ''
  // Another page of the browser leaves it; another person with the cookie reads nothing.
  expect(await (await get('/help', `${olga}; ${flash}`)).text()).not.toMatch(secret)
  const otherOwner = await company.signIn('other.owner@example.com')
  expect(await (await get(page, `${otherOwner}; ${flash}`)).text()).not.toMatch(secret)
  const shown = await follow(made, get, olga)
  expect([shown.status, secret.test(await shown.text())]).toEqual([200, true])
  expect(shown.headers.getSetCookie().join()).toMatch(/rollcall_flash=;.*Max-Age=0/)
  expect(await (await get(page, `${olga}; ${flash}`)).text()).not.toMatch(secret)
  const late = await make('weekly')
  nowMs += 3 * 60_000
  expect(await (await follow(late, get, olga)).text()).not.toMatch(secret)
  for (const value of ['', 'x', '%00', 'a.b.c.d.e', 'x'.repeat(5_000)])
    expect((await get('/access', `${olga}; rollcall_flash=${value}`)).status).toBe(200)
})

test('what is left for a page fits into the cookie of a browser, in whatever letters', async () => {
  const flash = createFlash(company.entrance, () => nowMs)
  const app = new Hono().post('/', (c) =>
    runAs(stranger, () => flash.done(c, '/', {}, { says: 'ü'.repeat(2_500) })),
  )
  expect(flashOf(await app.request('/', { method: 'POST' })).length).toBeLessThan(4_096)
})

/** The values of a form of this route, so that it is not refused. */
const filled: Record<string, Fields> = {
  '/theme': { theme: 'dark', back: '/' },
  '/language': { language: 'de', back: '/' },
  '/views': { page: '/overdue', name: 'Overdue' },
  '/notes': note,
  '/setup/targets': targets,
  '/access/people': person,
  '/access/tokens': access,
  '/digest': digest,
  '/data': { sql: 'SELECT 1' },
  '/sign-in': { login: 'olga@example.com', password },
  '/sign-in/forgot': { login: 'olga@example.com' },
}

test('no form is answered with a page, so that loading it again sends nothing', async () => {
  const paths = company.app.routes
    .filter(({ method, path }) => method === 'POST' && !path.startsWith('/api'))
    .map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(20)
  const answers = new Map<string, number>()
  for (const path of paths) {
    // Some of them sign out.
    const cookie = await company.signIn('olga@example.com')
    const answer = await ask(path.replaceAll(/:\w+/g, 'x'), { cookie, fields: filled[path] ?? {} })
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
    if (answer.status === 303 || (answer.status === 200 && isPage)) answers.set(path, answer.status)
  }
  // A statement that only reads.
  expect([...answers].filter(([, status]) => status === 200)).toEqual([['/data', 200]])
  expect([...answers.keys()]).toEqual(expect.arrayContaining(Object.keys(filled)))
})

test('a body is read whether or not the request says its length, and a large one is refused', async () => {
  const { app } = company
  const server = await listen({ handler: app, host: '127.0.0.1', port: 0, portVariable: 'DASHBOARD_PORT' })
  const chunked = {
    'transfer-encoding': 'chunked',
    'content-type': 'application/x-www-form-urlencoded',
  }
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
    const form = new URLSearchParams({ login: 'olga@example.com', password }).toString()
    expect(await send('/sign-in', chunked, form)).toBe(303)
    const large = `${form}&more=${'x'.repeat(1_000_000)}`
    for (const path of ['/sign-in', '/theme', '/mcp'])
      for (const headers of [chunked, { 'content-length': String(large.length) }])
        expect([path, await send(path, { ...headers, cookie: olga }, large)]).toEqual([path, 413])
    for (const path of ['/data', '/setup/registration', '/health/replay']) {
      const larger = await ask(path, { cookie: olga, fields: { more: 'x'.repeat(5_000_000) } })
      expect([path, larger.status]).toEqual([path, 413])
    }
    const failed = []
    for (const { path } of app.routes.filter(({ method }) => method === 'POST')) {
      // Some of them sign out.
      const cookie = await company.signIn('olga@example.com')
      for (const body of [undefined, 'x=y']) {
        const headers = body === undefined ? { cookie } : { ...chunked, cookie }
        const status = await send(path.replaceAll(/:\w+/g, 'x'), headers, body)
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

test('where reminders are off no one has one sent, and the page has one text and all addresses', async () => {
  const text = await (await get('/remind', olga)).text()
  expect(text).toContain('<code>REMIND=on</code>')
  expect(text).toMatch(
    /href="mailto:\?bcc=[^"]*rae@example\.com[^"]*&amp;subject=Overdue%20assignments&amp;body=Hello/,
  )
  expect(text).not.toContain('type="hidden" name="user"')
  expect(await (await get('/remind', cookies.mona)).text()).toContain(
    'To let Rollcall send reminders, ask an owner.',
  )
})
