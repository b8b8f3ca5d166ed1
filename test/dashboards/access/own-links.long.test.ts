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

/** Addresses are alike if they differ only in values; for `byPath`, also in their filters. */
function toKind(address: string, byPath: boolean): string {
  const { pathname, searchParams } = new URL(address, 'http://x')
  const path = pathname.replace(/^\/(assignments|learners|managers|teams|challenges)\/[^/]+$/, '/$1/:id')
  return byPath ? path : `${path}?${[...searchParams.keys()].sort().join('&')}`
}

/** Follows the links from these pages on, one of those that are alike. */
async function walk(cookie: string, role: Role, first: readonly string[], byPath = false) {
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
      if (seen.has(toKind(to, byPath)) || to.startsWith('/assets/') || to === '') continue
      seen.add(toKind(to, byPath))
      waiting.push({ address: to, from: address })
    }
    for (const [, tag = ''] of html.matchAll(/<form\b([^>]*)>/g)) {
      const path = unescape(/action="([^"?]*)/.exec(tag)?.[1] ?? '')
      const method = /method="post"/.test(tag) ? 'POST' : 'GET'
      if (path !== '' && !isAllowed(role, toRight(`${method} ${toKind(path, true)}`)))
        faults.push(`${address}: form ${method} ${path}`)
    }
  }
  return { faults, pages }
}

test('an analyst gets no link that is refused', async () => {
  const cookie = await company.signIn('anna@example.com')
  const { faults, pages } = await walk(cookie, 'analyst', ['/', '/search?q=o', '/digest'], true)
  expect(faults).toEqual([])
  for (const page of ['/data', '/password', '/overdue', '/teams/', '/changes'])
    expect([page, pages.some((each) => each.startsWith(page))]).toEqual([page, true])
})

test('a manager gets no link that is refused', async () => {
  const cookie = await company.signIn(manager.email)
  const first = ['/', '/?team=nobody', '/search?q=o']
  const { faults, pages } = await walk(cookie, 'manager', first, true)
  expect(faults).toEqual([])
  for (const page of [
    '/password',
    '/overdue',
    '/grading',
    '/teams',
    '/learners/102',
    '/assignments/assignment-102',
  ]) {
    expect([page, pages.some((each) => each.startsWith(page))]).toEqual([page, true])
  }
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
  // Where a filter by manager waits, direct reports are not offered, and not shown as chosen.
  for (const path of ['/managers', '/managers/102', '/learners/102', '/assignments/assignment-102']) {
    const html = await get(`${path}?manager=${manager.id}&manager_depth=1`)
    const whose = /class="whose".*?<\/div>/s.exec(html)?.[0] ?? ''
    expect([path, whose.includes('only their work is counted'), whose.includes('<a ')]).toEqual([
      path,
      true,
      false,
    ])
  }
  const teams = await get('/teams')
  const team = /href="(\/teams\/[^"?]+)/.exec(teams)?.[1] ?? ''
  expect(await get(team)).toMatch(/\d+ of your \d+ people have assignments here\./)
  expect(await get(team, await company.signIn('olga@example.com'))).not.toContain(
    'people have assignments here',
  )
  const html = await get('/')
  expect(html).not.toContain('id="menu-admin"')
  const keys = [...html.matchAll(/data-key="g (\w)"/g)].map(([, key]) => key)
  expect(keys).toContain('o')
  for (const ofOwners of ['e', 's', 'd']) expect(keys).not.toContain(ofOwners)
  expect(html).toContain(`Signed in as ${manager.email}`)
  // SQL is for those who have it.
  expect(html).not.toContain('/api/metrics/explain')
  const owner = await get('/', await company.signIn('olga@example.com'))
  expect(owner).toContain('/api/metrics/explain')
  expect(owner).not.toContain('only their work is counted')
})
