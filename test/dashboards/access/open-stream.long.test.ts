/** An open live page ends when its reader may no longer read, and tells nothing from then on; a form that was open is refused. */
import { afterAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../../support/data/records.ts'
import { storeBodies } from '../../support/data/store-bodies.ts'
import { manager, openCompany, password } from './company.ts'

let nowMs = Date.now()
const company = await openCompany({ clock: () => (nowMs += 1) })
await company.addPassword('olga@example.com', password, 'owner')
afterAll(() => company.close())

const by = { by: 'test', address: '' }

/** `next`: the next event, `null` at the end. `read`: what is sent, as it is. */
async function listen(headers: Record<string, string>) {
  const response = await company.app.request('/live', { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-accel-buffering')).toBe('no')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const read = async () => {
    const { done, value } = await reader.read()
    return done ? null : new TextDecoder().decode(value)
  }
  const next = async (): Promise<string | null | undefined> => {
    const text = await read()
    return text === ':\n\n' ? next() : text && /event: (\w+)/.exec(text)?.[1]
  }
  expect(await next()).toBe('hello')
  return { next, read, stop: () => reader.cancel() }
}

const ways: [string, (cookie: string) => Promise<unknown>][] = [
  ['signs out', (cookie) => company.post('/sign-out', cookie, {})],
  [
    'gets a lesser role',
    () => company.changes.setPerson({ login: manager.email, role: 'viewer', names: false, userId: '', ...by }),
  ],
  [
    'loses the role',
    () => company.changes.setPerson({ login: manager.email, role: 'nobody', names: false, userId: '', ...by }),
  ],
  ['is removed', () => company.changes.removePerson({ login: manager.email, ...by })],
]

test.each(ways)('a stream ends for a reader who %s, and tells no change before', async (_, lose) => {
  await company.addPassword(manager.email, password, 'manager')
  const cookie = await company.signIn(manager.email)
  const olga = await company.signIn('olga@example.com')
  const [own, other] = [await listen({ cookie }), await listen({ cookie: olga })]
  await lose(cookie)
  await storeBodies(company.store.writer, [
    toBody('Progress', 'assignment-102', monday + day + (nowMs % day), {}, { id: '102' }),
  ])
  expect(await own.next()).toBeNull()
  // Others go on hearing.
  expect(await other.next()).toBe('moved')
  await other.stop()
})

test('a revoked token ends its stream', async () => {
  const headers = await company.as('viewer')
  const { next } = await listen(headers)
  await company.changes.revokeToken({ idOrName: 'as viewer', ...by })
  expect(await next()).toBeNull()
})

test('a stream of which there is no news is not silent, and seals no cookie that nobody gets', async () => {
  const cookie = await company.signIn('olga@example.com')
  const { read, stop } = await listen({ cookie })
  const { seals } = company.access
  const { seal } = seals
  let sealed = 0
  seals.seal = (...given) => {
    sealed++
    return seal(...given)
  }
  nowMs += 20 * 60_000
  // Proxies wait a minute for something to pass on.
  expect([await read(), await read()]).toEqual([':\n\n', ':\n\n'])
  await stop()
  seals.seal = seal
  expect(sealed).toBe(0)
})

test('HEAD leaves no stream behind', async () => {
  const cookie = await company.signIn('olga@example.com')
  for (let times = 0; times < 201; times++) await company.app.request('/live', { method: 'HEAD', headers: { cookie } })
  const { stop } = await listen({ cookie })
  await stop()
})

test('a form that was open when its session ended does nothing, and says how to go on', async () => {
  await company.addPassword(manager.email, password, 'manager')
  const cookie = await company.signIn(manager.email)
  const before = await company.store.rows('SELECT count() AS n FROM rollcall.access_views')
  await company.post('/sign-out', cookie, {})
  for (const [path, fields] of [
    ['/views', { page: '/', name: 'Mine' }],
    ['/digest', { frequency: 'daily', weekday: '1', hour: '7' }],
  ] as const) {
    const refused = await company.app.request(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: {
        cookie,
        accept: 'text/html,*/*',
        host: 'localhost',
        referer: `http://localhost${path}?page=%2F`,
      },
    })
    expect([path, refused.status]).toEqual([path, 401])
    const text = await refused.text()
    expect(text).toContain('Nothing was done')
    expect(text).toContain(`/sign-in?back=${encodeURIComponent(`${path}?page=%2F`)}`)
    // A program gets an answer for programs; another site's address leads nowhere.
    expect((await company.post(path, cookie, fields)).headers.get('content-type')).toContain('json')
  }
  expect(await company.store.rows('SELECT count() AS n FROM rollcall.access_views')).toEqual(before)
})
