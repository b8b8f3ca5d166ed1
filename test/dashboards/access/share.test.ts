/** Links to one page: their content, for whom, for how long, and the pages that nobody gets through them. */
import { afterAll, describe, expect } from 'vitest'
import { routePolicy, toRouteKey } from '../../../dashboards/access/route-policy.ts'
import { onlyToRead } from '../../../dashboards/pages/share/only-to-read.ts'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
import { createAccessState } from '../../../services/access/access-state.ts'
import { createShares, toShareRole } from '../../../services/sharing/shares.ts'
import { foreignTeam, manager, openCompany, ownTeam, password, reports, strangers } from './company.ts'
import { pickCases, test, testBoth, testLong } from '../../support/thorough.ts'
import { follow } from '../../support/network/follow.ts'

/** Today: the store drops rows that have ended long ago. */
let nowMs = Date.now()
let step = 1
const company = await openCompany({ clock: () => (nowMs += step) })
await company.addPassword(manager.email, password, 'manager')
await company.addPassword('olga@example.com', password, 'owner')
await company.addPassword('vera@example.com', password, 'viewer')
afterAll(() => company.close())

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })

let mona = await company.signIn(manager.email)
let olga = await company.signIn('olga@example.com')

/** The path of a new link. */
async function share(cookie: string, page: string, more: Record<string, string> = {}): Promise<string> {
  const response = await company.post('/share', cookie, { page, days: '7', ...more })
  const text = await (
    await follow(response, (to, own) => company.app.request(to, { headers: { cookie: own } }), cookie)
  ).text()
  const [, path = ''] = /http:\/\/localhost(\/s\/[\w-]{43})</.exec(text) ?? []
  expect([page, response.status, path]).toEqual([page, 303, expect.stringMatching(/^\/s\//)])
  return path
}

/** As somebody who has nothing but the link. */
async function open(path: string, address = '10.9.9.9'): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await company.app.request(path, {}, from(address))
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const names = [...reports, manager].flatMap(({ name, email }) => [name, email])
const ofStrangers = [...strangers.flatMap(({ id, name, email }) => [id, name, email]), foreignTeam.name, 'Foreigner']

const pages = [
  '/',
  '/assignments',
  '/assignments/assignment-102',
  '/learners',
  '/learners/102',
  '/overdue',
  '/grading',
  '/guides',
  '/changes?since=week',
  '/challenges',
  '/challenges/c1',
  '/teams',
  `/teams/${ownTeam.id}`,
  '/managers',
  '/managers/102',
]

describe('a link', () => {
  testBoth.each(pickCases(pages, 16, 6))(
    'of a manager to %s shows it with nothing about strangers, and leads nowhere',
    async (page) => {
      const own = await company.app.request(page, { headers: { cookie: mona } })
      expect(await own.text()).toContain('/share?page=')
      for (const as of [{ names: 'yes', files: 'yes' }, {}] as Record<string, string>[]) {
        const path = await share(mona, page, as)
        const { status, text, headers } = await open(path)
        expect(status).toBe(200)
        const withheld = as['names'] === 'yes' ? [] : names
        for (const secret of [...ofStrangers, ...withheld, 'secret-ingest-token'])
          expect(text, secret).not.toContain(secret)
        // Whose numbers it has, in words for a stranger.
        expect(text).toContain('Only the work of 2 people is counted here: the people of the person who shared this')
        expect(text).not.toMatch(/\b[Yy]our\b/)
        const links = [...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href)
        for (const link of links) expect(link).toMatch(as['files'] === 'yes' ? /^#|^\/s\/[\w-]{43}\/[\w.-]+$/ : /^#/)
        expect(text).not.toMatch(/<(form|script|dialog|nav|input)\b/)
        expect(Object.fromEntries(headers)).toMatchObject({
          'cache-control': 'private, no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow',
        })
        expect(headers.get('set-cookie')).toBeNull()
        // Every file that it offers opens, and holds no more.
        for (const link of links.filter((each) => each.startsWith('/s/'))) {
          const file = await open(link)
          expect([link, file.status, file.headers.get('content-disposition')]).toEqual([
            link,
            200,
            expect.stringContaining('attachment'),
          ])
          for (const secret of ofStrangers) expect(file.text, link).not.toContain(secret)
        }
      }
    },
  )

  test('keeps its filters, whatever is added to its address', async () => {
    const path = await share(mona, '/assignments?user=102', { names: 'yes', files: 'yes' })
    step = 0
    const { text } = await open(path)
    expect(text).toContain('Rae Own')
    expect(text).not.toContain('Ron Own')
    for (const more of ['?user=103', '?user=', '?names=yes&page=/&user=x-201', '?include_leavers=true&after=x'])
      expect((await open(`${path}${more}`)).text).toBe(text)
    step = 1
    const file = await open(`${path}/assignments.csv?user=103`)
    expect([file.status, file.text.includes('Rae Own'), file.text.includes('Ron Own')]).toEqual([200, true, false])
  })

  testLong('of one object gives files of this object only', async () => {
    const path = await share(mona, '/managers/102', { files: 'yes', names: 'yes' })
    const { text } = await open(`${path}/assignments.csv`)
    expect([text.includes('assignment-103'), text.includes('assignment-102')]).toEqual([true, false])
  })

  test('of numbers has their files, without the filters of rows that wait on its page', async () => {
    const files = ['by-team.csv', 'assignments.csv']
    const [plain, waiting] = await Promise.all(
      ['/', '/?fact=completed&status=completed'].map(async (page) => {
        const path = await share(olga, page, { files: 'yes', names: 'yes' })
        return Promise.all(files.map(async (file) => (await open(`${path}/${file}`)).text))
      }),
    )
    expect(plain![1]).toMatch(/assignment-/)
    expect(waiting).toEqual(plain)
  })

  test('of a manager has the people of its page in its files, whatever levels its address names', async () => {
    for (const [query, both] of [
      ['manager_depth=2', false],
      ['reports=all&manager_depth=1', true],
    ] as const) {
      const path = await share(olga, `/managers/101?${query}`, { files: 'yes', names: 'yes' })
      const { text } = await open(`${path}/assignments.csv`)
      expect([query, ...reports.map(({ id }) => text.includes(`assignment-${id}`))]).toEqual([query, true, both])
    }
  })

  testLong('offers no file unless it was made with them, and never one of another page', async () => {
    const without = await share(mona, '/overdue')
    const withFiles = await share(mona, '/overdue', { files: 'yes' })
    expect((await open(`${without}/by-team.csv`)).status).toBe(404)
    expect((await open(`${withFiles}/by-team.csv`)).status).toBe(200)
    for (const file of ['assignments.csv', 'overview', '..%2Fassignments', 'trend.csv'])
      expect([file, (await open(`${withFiles}/${file}`)).status]).toEqual([file, 404])
  })

  test('stays at the moment that its form has shown', async () => {
    const form = await (await company.app.request('/share?page=/assignments', { headers: { cookie: olga } })).text()
    const [, moment = ''] = /name="moment_ms" value="(\d+)"/.exec(form) ?? []
    nowMs += 60_000
    await share(olga, '/assignments', { moment: 'fixed', moment_ms: moment })
    await share(olga, '/assignments', { moment: 'fixed', moment_ms: String(nowMs + 3_600_000) })
    const queries = await company.store.rows<{ query: string }>(
      `SELECT query FROM rollcall.access_shares WHERE path = '/assignments' ORDER BY created_at DESC LIMIT 2`,
    )
    const [later, shown] = queries.map(({ query }) => Date.parse(new URLSearchParams(query).get('as_of') ?? ''))
    expect(shown).toBe(Number(moment))
    // A moment to come is none that it has shown.
    expect(later).toBeLessThanOrEqual(nowMs)
  })

  test('stays at its moment, or follows the time', async () => {
    const fixed = await share(olga, '/assignments', { moment: 'fixed' })
    const following = await share(olga, '/assignments', { moment: 'now' })
    const queries = await company.store.rows(
      `SELECT query FROM rollcall.access_shares WHERE path = '/assignments' ORDER BY created_at DESC LIMIT 2`,
    )
    expect(queries).toEqual([{ query: '' }, { query: expect.stringMatching(/^as_of=20/) }])
    expect([(await open(fixed)).status, (await open(following)).status]).toEqual([200, 200])
  })

  testLong('of an owner shows no set-up, no tokens and nothing to do', async () => {
    const { text } = await open(await share(olga, '/learners/102'))
    expect(text).not.toContain('Assign a guide')
    expect(text).not.toContain('Only the work of')
    for (const page of [
      '/setup',
      '/access',
      '/health',
      '/data',
      '/search?q=o',
      '/share',
      '/help',
      '/nowhere',
      '//evil.example/',
      'https://evil.example/',
      '/s/x',
      '/overdue/print',
      '/learners/%E0%A4',
    ])
      expect([page, (await company.post('/share', olga, { page, days: '7' })).status]).toEqual([page, 400])
  })

  testLong('is refused to a token, and to a role that may not open the page itself', async () => {
    const token = await company.as('owner')
    const body = new URLSearchParams({ page: '/', days: '7' })
    const made = await company.app.request('/share', { method: 'POST', body, headers: token })
    expect(made.status).toBe(403)
    const vera = await company.signIn('vera@example.com')
    expect((await company.post('/share', vera, { page: '/overdue', days: '7' })).status).toBe(400)
    const { status, text } = await open(await share(vera, '/', { names: 'yes', files: 'yes' }))
    expect(status).toBe(200)
    for (const name of [...names, ...strangers.map((each) => each.name)]) expect(text).not.toContain(name)
    expect(text).not.toContain('/assignments.csv')
    expect((await company.post('/share', vera, { page: '/?user=102', days: '7' })).status).toBe(303)
  })

  test('has 256 bits, and the store has only its hash', async () => {
    const path = await share(mona, '/')
    const token = path.slice('/s/'.length)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(
      await company.store.rows(`SELECT * FROM rollcall.access_shares WHERE toString(tuple(*)) LIKE '%${token}%'`),
    ).toEqual([])
    for (const days of ['0', '31', '1.5', '', 'x'])
      expect((await company.post('/share', mona, { page: '/', days })).status).toBe(400)
  })
})

test('ways to more of a list are gone, and other links are their words', () => {
  const page =
    '<p class="more"><a href="/overdue?people_of=1">Show all 23 people</a></p><p class="more"><a href="#rows">Rows</a></p>' +
    '<p class="more">The newest 50 are shown. <a href="/assignments">All 70</a></p><p><a href="/managers/1">Mona</a></p>'
  const words = onlyToRead(page, () => false).replaceAll(/<(?!a)[^>]*>/g, '|')
  expect(words).not.toContain('Show all')
  for (const kept of ['<a href="#rows">Rows', 'The newest 50 are shown. |All 70', '|Mona'])
    expect(words).toContain(kept)
})

test('a link alone opens no route but its own page: not as a cookie, a token, a parameter or a path', async () => {
  const path = await share(olga, '/guides', { names: 'yes' })
  const token = path.slice('/s/'.length)
  const keys = [...new Set(company.app.routes.map(toRouteKey))].filter((key) => !key.startsWith('ALL '))
  expect(keys).toContain('GET /learners/:id')
  for (const key of keys) {
    if (routePolicy[key]?.right === 'everyone') continue
    const [method = '', pattern = ''] = key.split(' ')
    const address = pattern.replace(/:file\{.*\}/, 'people.csv').replace(/:\w+/g, 'x-201')
    const ask = (to: string, headers: Record<string, string> = {}) =>
      Promise.resolve(company.app.request(to, { method, headers }))
    const tries = [
      ask(address, { cookie: `rollcall_session=${token}; share=${token}` }),
      ask(address, { authorization: `Bearer ${token}` }),
      ask(`${address}?share=${token}`, { referer: `http://localhost${path}` }),
      ask(`${path}${address === '/' ? '/overview' : address}`),
    ]
    for (const response of await Promise.all(tries)) {
      expect([key, [303, 401, 404].includes(response.status)]).toEqual([key, true])
      const text = await response.text()
      for (const secret of [...ofStrangers.filter((each) => each !== 'x-201'), ...names])
        expect(text, key).not.toContain(secret)
    }
  }
})

describe('who made it', () => {
  testLong('loses her people, and the link loses them', async () => {
    const path = await share(mona, '/assignments', { names: 'yes' })
    expect((await open(path)).text).toContain('Rae Own')
    const by = { names: false, by: 'test', address: '' }
    await company.changes.setPerson({ login: manager.email, role: 'manager', userId: 'nobody', ...by })
    const { status, text } = await open(path)
    expect([status, text.includes('Rae Own')]).toEqual([200, false])
    // More rights than when she made it give the link none.
    await company.changes.setPerson({ login: manager.email, role: 'owner', userId: '', ...by })
    const asOwner = (await open(path)).text
    expect(asOwner).toContain('Rae Own')
    for (const secret of ofStrangers) expect(asOwner).not.toContain(secret)
    await company.changes.setPerson({ login: manager.email, role: 'viewer', userId: '', ...by })
    expect((await open(path)).status).toBe(404)
    await company.changes.setPerson({ login: manager.email, role: 'manager', userId: '', ...by })
    expect((await open(path)).status).toBe(200)
  })

  testLong('may not come in any more: her links are revoked, and stay so', async () => {
    await company.addPassword('anna@example.com', password, 'analyst')
    const path = await share(await company.signIn('anna@example.com'), '/')
    expect((await open(path)).status).toBe(200)
    await company.changes.setPerson({
      login: 'anna@example.com',
      role: 'nobody',
      names: false,
      userId: '',
      by: 'test',
      address: '',
    })
    expect((await open(path)).status).toBe(404)
    await company.addPassword('anna@example.com', password, 'analyst')
    expect((await open(path)).status).toBe(404)
    const second = await share(await company.signIn('anna@example.com'), '/')
    await company.changes.removePerson({ login: 'anna@example.com', by: 'test', address: '' })
    expect((await open(second)).status).toBe(404)
  })

  testLong('gets other groups at the next sign-in, and the link follows', async () => {
    const { shares } = company.entrance
    const made = await shares.make({
      path: '/',
      query: '',
      names: false,
      files: false,
      days: 7,
      login: 'gus@example.com',
      role: 'analyst',
      claim: { email: '', role: 'analyst', userId: '' },
      address: '',
    })
    if (!made.ok) throw new Error(made.problem.code)
    expect((await open(`/s/${made.token}`)).status).toBe(200)
    await shares.follow('gus@example.com', { email: '', role: null, userId: '' })
    expect((await open(`/s/${made.token}`)).status).toBe(404)
  })

  test('gives a link the lesser of two roles', () => {
    expect(toShareRole('owner', 'owner')).toBe('analyst')
    expect(toShareRole('owner', 'manager')).toBe('manager')
    expect(toShareRole('manager', 'owner')).toBe('manager')
    expect(toShareRole('manager', 'viewer')).toBeNull()
    expect(toShareRole('viewer', 'manager')).toBeNull()
    expect(toShareRole('viewer', 'analyst')).toBe('viewer')
    expect(toShareRole('owner', null)).toBeNull()
  })
})

describe('the end of a link', () => {
  test('looks the same for one that is over, one that was revoked and one that never was', async () => {
    const over = await share(mona, '/', { days: '1' })
    const revoked = await share(mona, '/')
    const [row] = await company.store.rows(`SELECT id FROM rollcall.access_shares ORDER BY created_at DESC LIMIT 1`)
    expect((await company.post('/share/revoke', mona, { id: (row as { id: string }).id })).status).toBe(303)
    nowMs += 25 * 3_600_000
    const answers = await Promise.all([over, revoked, `/s/${'A'.repeat(43)}`, '/s/short'].map((path) => open(path)))
    for (const { status, text } of answers) expect([status, text === answers[0]?.text]).toEqual([404, true])
    expect(answers[0]?.text).toContain('ask the person who sent it')
    mona = await company.signIn(manager.email)
    olga = await company.signIn('olga@example.com')
  })

  test('that another process has decided is not undone by a sign-in with other groups', async () => {
    const { access, entrance } = company
    const state = createAccessState(access.store, () => nowMs)
    const parts = { store: access.store, state, clock: access.clock, audit: access.audit }
    const other = createShares({ ...parts, longestMs: 7 * 86_400_000, onError: (error) => expect.fail(String(error)) })
    const login = 'gina@example.com'
    const claim = { email: login, role: 'analyst', userId: '' } as const
    const page = { path: '/', query: '', names: false, files: false, days: 7, address: '' }
    const made = await other.make({ ...page, login, role: 'analyst', claim })
    if (!made.ok) throw new Error(made.problem.code)
    expect(await other.find(made.token)).toBeDefined()
    await entrance.shares.revokeAllOf({ login, by: 'olga@example.com', address: '' })
    await other.follow(login, { ...claim, role: 'viewer' })
    expect((await other.readLive()).filter((share) => share.login === login)).toEqual([])
  })

  test('that was decided while a sign-in with other groups is noted is not undone by it', async () => {
    const { access } = company
    const login = 'ines@example.com'
    const claim = { email: login, role: 'analyst', userId: '' } as const
    let reads = 0
    let revoking: Promise<boolean> | undefined
    const store: typeof access.store = {
      ...access.store,
      readShares: () => (reads++, access.store.readShares()),
      async writeShare(row) {
        if (!row.isRevoked && row.said_role === 'viewer' && revoking === undefined) {
          // This process revokes the one, another process the other one.
          const before = reads
          revoking = shares.revoke({ id: row.id, by: 'olga@example.com', address: '' })
          for (const { id, sha256 } of await mine())
            if (id !== row.id) await access.store.writeShare({ ...row, id, sha256, isRevoked: true })
          // It waits for its turn, or has begun.
          if (reads > before) await revoking
        }
        await access.store.writeShare(row)
      },
    }
    const onError = (error: unknown) => expect.fail(String(error))
    const shares = createShares({ ...access, store, longestMs: 7 * 86_400_000, onError })
    const mine = async () => (await access.store.readShares()).filter((share) => share.login === login)
    const page = { path: '/', query: '', names: false, files: false, days: 7, address: '' }
    for (let n = 0; n < 2; n++) await shares.make({ ...page, login, role: 'analyst', claim })
    expect(await mine()).toHaveLength(2)
    await shares.follow(login, { ...claim, role: 'viewer' })
    expect([await revoking, await mine()]).toEqual([true, []])
  })

  testLong('guesses are limited, and right links open all the same', async () => {
    const path = await share(mona, '/')
    const found = []
    for (let tries = 0; tries < 51; tries++)
      found.push((await open(`/s/${String(tries).padStart(43, 'x')}`, '10.7.7.7')).status)
    expect([found.filter((status) => status === 404).length, found.at(-1)]).toEqual([50, 429])
    expect((await open(path, '10.7.7.7')).status).toBe(200)
  })

  testLong('is for who made it and for owners to decide; the list says how often it was opened', async () => {
    const path = await share(mona, '/overdue?team=team-own')
    await open(path)
    await open(path)
    const own = await (await company.app.request('/share', { headers: { cookie: mona } })).text()
    expect(own).toContain('>Late</a>')
    expect(own).not.toContain('§')
    expect(own).toMatch(/2 times, last/)
    const id = /name="id" value="(\w{12})"/.exec(own)?.[1] ?? ''
    const vera = await company.signIn('vera@example.com')
    const hers = await (await company.app.request('/share', { headers: { cookie: vera } })).text()
    expect(hers).not.toContain(id)
    expect((await company.post('/share/revoke', vera, { id })).status).toBe(400)
    await company.post('/share/revoke', vera, { all_of: manager.email })
    expect((await open(path)).status).toBe(200)
    const all = await (await company.app.request('/share', { headers: { cookie: olga } })).text()
    expect(all).toContain(manager.email)
    await company.post('/share/revoke', olga, { all_of: manager.email })
    expect((await open(path)).status).toBe(404)
    expect(await (await company.app.request('/share', { headers: { cookie: mona } })).text()).toContain(
      'There is no live link',
    )
  })

  testLong('stands in the audit: made, first opening of a day, revoked', async () => {
    const path = await share(mona, '/grading')
    const [row] = await company.store.rows(`SELECT id FROM rollcall.access_shares ORDER BY created_at DESC LIMIT 1`)
    const { id } = row as { id: string }
    await open(path)
    await open(path)
    nowMs += 86_400_000
    await open(path)
    mona = await company.signIn(manager.email)
    await company.post('/share/revoke', mona, { id })
    expect(
      await company.store.rows(
        `SELECT action, login FROM rollcall.access_audit WHERE startsWith(detail, '${id}') OR login = 'share:${id}' ORDER BY at`,
      ),
    ).toEqual([
      { action: 'share_made', login: manager.email },
      { action: 'share_opened', login: `share:${id}` },
      { action: 'share_opened', login: `share:${id}` },
      { action: 'share_revoked', login: manager.email },
    ])
  })

  testLong('comes with the erasure of who made it', async () => {
    const path = await share(mona, '/')
    expect((await open(path)).status).toBe(200)
    await forgetAccess(company.store.writer, manager.id, [manager.email])
    expect(await company.store.rows(`SELECT id FROM rollcall.access_shares WHERE login = '${manager.email}'`)).toEqual(
      [],
    )
    nowMs += 5_000
    expect((await open(path)).status).toBe(404)
  })
})
