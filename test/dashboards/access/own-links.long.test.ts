/** No page leads its reader to a refusal: every link and form of every page that opens for an analyst and for a manager is followed. */
import { afterAll, expect, test } from 'vitest'
import { isAllowed, toRight } from '../../../dashboards/access/route-policy.ts'
import type { Role } from '../../../services/config/values/roles.ts'
import { manager, now, openCompany, password } from './company.ts'

let steps = 0
const company = await openCompany({ clock: () => now + steps++ })
await company.addPassword('olga@example.com', password, 'owner')
await company.addPassword(manager.email, password, 'manager')
await company.addPassword('anna@example.com', password, 'analyst')
afterAll(() => company.close())

const unescape = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

/** Addresses are alike if they differ only in ids and filters. */
const toKind = (address: string): string =>
  new URL(address, 'http://x').pathname.replace(
    /^\/(assignments|learners|managers|teams|challenges)\/[^/]+$/,
    '/$1/:id',
  )

/** Follows the links from these pages on, one of those that are alike. */
async function walk(cookie: string, role: Role, first: readonly string[]) {
  const faults: string[] = []
  const seen = new Set<string>()
  const pages: string[] = []
  const waiting: { address: string; from: string }[] = first.map((address) => ({ address, from: '' }))
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { address, from } = next
    const response = await company.app.request(address, { headers: { cookie } })
    if (response.status !== 200) faults.push(`${from} -> ${address}: ${response.status}`)
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
    if (!isPage) {
      await response.body?.cancel()
      continue
    }
    const html = await response.text()
    pages.push(address)
    for (const [, link = ''] of html.matchAll(/\bhref="(\/[^"]*)"/g)) {
      const to = unescape(link).replace(/#.*$/, '')
      if (seen.has(toKind(to)) || to.startsWith('/assets/') || to === '') continue
      seen.add(toKind(to))
      waiting.push({ address: to, from: address })
    }
    for (const [, tag = ''] of html.matchAll(/<form\b([^>]*)>/g)) {
      const path = unescape(/action="([^"?]*)/.exec(tag)?.[1] ?? '')
      const method = /method="post"/.test(tag) ? 'POST' : 'GET'
      if (path !== '' && !isAllowed(role, toRight(`${method} ${toKind(path)}`)))
        faults.push(`${address}: form ${method} ${path}`)
    }
  }
  return { faults, pages }
}

test.each([
  ['analyst', 'anna@example.com', ['/digest'], ['/data', '/password', '/overdue', '/teams/', '/changes']],
  [
    'manager',
    manager.email,
    ['/?team=nobody'],
    ['/password', '/overdue', '/grading', '/teams', '/learners/102', '/assignments/assignment-102'],
  ],
] as const)('as %s, %s gets no link that is refused', async (role, login, first, opened) => {
  const cookie = await company.signIn(login)
  const { faults, pages } = await walk(cookie, role, ['/', '/search?q=o', ...first])
  expect(faults).toEqual([])
  for (const page of opened) expect([page, pages.some((each) => each.startsWith(page))]).toEqual([page, true])
})

test('a manager is told whose numbers these are, can choose direct reports, and has keys and menus of their own only', async () => {
  const cookie = await company.signIn(manager.email)
  const get = async (path: string, as = cookie) =>
    unescape(await (await company.app.request(path, { headers: { cookie: as } })).text())
  for (const path of ['/', '/overdue', '/grading', '/learners', '/teams', '/challenges', '/assignments']) {
    const html = await get(path)
    expect([path, html.match(/Your \d+ (person|people): only their work is counted here/)?.length]).toEqual([
      path,
      2,
    ])
    const direct = /class="whose".*?<a href="([^"]*)"/s.exec(html)?.[1] ?? ''
    expect([path, direct]).toEqual([path, `${path}?manager=${manager.id}&manager_depth=1`])
    expect(await get(direct)).toMatch(/aria-current="true"[^>]*>Direct reports/)
  }
  const html = await get('/')
  expect(html).not.toContain('id="menu-admin"')
  expect(html).toContain(`Signed in as ${manager.email}`)
  // SQL is for those who have it.
  expect(html).not.toContain('/api/metrics/explain')
  const owner = await get('/', await company.signIn('olga@example.com'))
  expect(owner).toContain('/api/metrics/explain')
  expect(owner).not.toContain('only their work is counted')
})
