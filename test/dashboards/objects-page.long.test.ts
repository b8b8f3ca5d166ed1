/** The pages of one object over a real store: known ones, empty ones, and ones that nobody ever sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openStoreDashboards, type StoreDashboards } from './store-dashboards.ts'

const now = monday + 40 * day
const groups = [{ id: 'a/b team', name: 'Sales <North>' }]
const bodies = [
  toBody('Created', 'a1', monday, {}, { id: 'lee', name: 'Lee Lead', groups, managers: [{ id: 'boss' }] }),
  toBody('Created', 'a2', monday, {}, { id: 'sam', name: 'Sam Staff', groups, managers: [{ id: 'lee' }] }),
  toBody(
    'Created',
    'a3',
    monday,
    { dueDate: monday + 2 * day },
    { id: 'sue', name: 'Sue Staff', managers: [{ id: 'lee' }] },
  ),
  toBody('Created', 'a4', monday, { dueDate: null }, { id: 'tim', groups: [{ id: 'nameless', name: '' }] }),
]

let opened: StoreDashboards
beforeAll(async () => {
  opened = await openStoreDashboards({ now, fill: ({ writer }) => storeBodies(writer, bodies) })
})
afterAll(() => opened?.close())

async function get(path: string): Promise<{ status: number; html: string }> {
  const response = await opened.dashboards.app.request(path)
  return { status: response.status, html: await response.text() }
}

test('the names of objects are their titles, whatever characters their ids have', async () => {
  const { status, html } = await get('/teams/a%2Fb%20team')
  expect(status).toBe(200)
  expect(html).toContain('<h1>Sales &lt;North&gt;</h1>')
  expect(html).not.toContain('<North>')
  expect((await get('/teams')).html).toContain('href="/teams/a%2Fb%20team"')
  expect((await get('/challenges/c1')).html).toContain('<h1>First call</h1>')
  expect((await get('/managers/lee')).html).toContain('<h1>Lee Lead</h1>')
})

test.each(['/', '/teams'])('on %s the line of no team opens its rows and its page', async (path) => {
  const { html } = await get(path)
  const row =
    html
      .split('<tr')
      .find((each) => each.includes('>No team<'))
      ?.split('</tr>')[0] ?? ''
  const [page = '', ...rows] = [...row.matchAll(/href="([^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )
  expect(page).toContain('without=team')
  expect((await get(page)).status).toBe(200)
  expect(rows.length).toBeGreaterThan(0)
  for (const link of rows) {
    const { status, html: list } = await get(link)
    expect([link.includes('without=team'), status, /data-total="(\d+)"/.exec(list)?.[1]]).toEqual([
      true,
      200,
      '1',
    ])
    expect([list.includes('Sue Staff'), list.includes('Sam Staff')]).toEqual([true, false])
  }
})

test.each(['/challenges/nothing', '/teams/nothing', '/managers/nothing', '/teams/%3Cimg%20src=x%3E'])(
  '%s is nothing that was ever sent: 404, in the frame of a page, with a way on',
  async (path) => {
    const { status, html } = await get(path)
    expect(status).toBe(404)
    expect(html).toContain(`href="${path.split('/', 2).join('/')}"`)
    expect(html).not.toContain('<img src=x')
  },
)

test.each([
  '/challenges/c1?user=nobody',
  '/teams/a%2Fb%20team?challenge=other',
  '/managers/boss?team=other',
  '/teams/nameless?as_of=2020-01-01',
])('%s is known and empty in this scope, and says so', async (path) => {
  const { status, html } = await get(path)
  expect(status).toBe(200)
  expect(html).toContain('Clear the filters')
})

describe('what changed', () => {
  test('since Monday, since a week ago, and since my last visit, of which a cookie keeps the time only', async () => {
    const first = await opened.dashboards.app.request('/changes')
    expect(await first.text()).not.toContain('Since my last visit')
    const cookie = first.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^rollcall_visits=\d+\.0; .*HttpOnly; SameSite=Lax/)
    const headers = { cookie: `rollcall_visits=${now - 3 * day}.0` }
    const again = await opened.dashboards.app.request('/changes', { headers })
    const link = `from=${encodeURIComponent(new Date(now - 3 * day).toISOString())}`
    expect(await again.text()).toContain(link)
    expect(again.headers.get('set-cookie')).toContain(`rollcall_visits=${now}.${now - 3 * day};`)
    const strange = await opened.dashboards.app.request('/changes', {
      headers: { cookie: 'rollcall_visits=9e9.<img>' },
    })
    expect([strange.status, (await strange.text()).includes('<img')]).toEqual([200, false])
  })

  test('nothing changed says so, and moments in the wrong order are left out with a notice', async () => {
    expect((await get(`/changes?from=2020-01-01&as_of=2020-01-02`)).html).toContain('Nothing changed')
    expect((await get(`/changes?from=2026-02-02&as_of=2026-01-01`)).html).toContain('Start is after end')
  })
})
