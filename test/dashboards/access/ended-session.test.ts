/** Requests of pages that were open when the session of their reader ended. */
import { afterAll, expect, test } from 'vitest'
import { manager, openCompany, password } from './company.ts'

let nowMs = Date.now()
const company = await openCompany({ clock: () => (nowMs += 1) })
await company.addPassword('olga@example.com', password, 'owner')
afterAll(() => company.close())

test('a form that was open when its session ended does nothing, and says how to go on', async () => {
  await company.addPassword(manager.email, password, 'manager')
  const cookie = await company.signIn(manager.email)
  const before = await company.store.rows(`SELECT count() AS n FROM rollcall.records WHERE kind = 'view'`)
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
  expect(await company.store.rows(`SELECT count() AS n FROM rollcall.records WHERE kind = 'view'`)).toEqual(
    before,
  )
})
