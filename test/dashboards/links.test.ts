/** Every number on every page is the number of rows that its link leads to. Of every third kind of number one; all kinds in several scopes: the long run. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong, pick } from '../support/tiers.ts'
import { pages } from '../../dashboards/navigation.ts'
import { openCompanyDashboards, type StoreDashboards } from './store-dashboards.ts'
import { walkLinks } from './links-walk.ts'

let company: StoreDashboards
beforeAll(async () => {
  company = await openCompanyDashboards()
})
afterAll(() => company.close())

test('every number leads to as many rows, on the page and in the file', async () => {
  // Pages of objects and of changes: in the long run. The last four are for people who signed in.
  const skip = /^\/(challenges|teams|managers|changes|access|digest|notes|views)\b/
  const walk = await walkLinks(company.get, { query: '', perKind: 1, perRoute: 1, everyNth: 3, skip })
  expect(walk.faults).toEqual([])
  expect(walk.pages.length).toBeGreaterThan(pages.filter(({ path }) => !skip.test(path)).length)
  expect(walk.followed).toBeGreaterThanOrEqual(12)
  expect(walk.files).toBeGreaterThan(0)
})

test('Home says with links what its rates leave out', async () => {
  const [, said = ''] = /(Left out: .*?)<\/p>/.exec(await company.get('/')) ?? []
  expect(said.replaceAll(/<[^>]*>/g, '')).toMatch(/^Left out: \d+ \w+ .+\.$/)
  expect(said).toMatch(/href="[^"]*part=excluded[^"]*" data-count="\d+"/)
})

const scopes = [
  { name: 'everything', query: '' },
  { name: 'a team and a range', query: '?team=north&range=90d&period=month' },
  {
    name: 'a past moment, facts and a due window',
    query:
      '?as_of=2026-10-09&fact=graded&fact=open&due_from=2026-06-03&due_to=2026-10-29&include_leavers=true',
  },
]
for (const { name, query } of pick(scopes, 3, 2)) {
  test.runIf(isLong)(`every number of ${name} leads to as many rows`, async () => {
    // Nobody signs in here, so there is no page of access.
    const skip = /^\/(access|digest|notes|views)\b/
    const { faults, followed } = await walkLinks(company.get, { query, perKind: 1, skip })
    expect(faults).toEqual([])
    expect(followed).toBeGreaterThan(50)
  })
}

test.runIf(isLong)('the walk notices a number that is one off', async () => {
  const oneMore = async (path: string) => {
    const html = await company.get(path)
    return path.startsWith('/assignments') || path.startsWith('/api')
      ? html
      : html.replaceAll(/data-count="(\d+)"/g, (_, count: string) => `data-count="${Number(count) + 1}"`)
  }
  const { faults } = await walkLinks(oneMore, { query: '', perKind: 1, perRoute: 0, only: ['/'] })
  expect(
    faults.filter((fault) => /^\/: \d+ leads to \d+ at \/assignments/.test(fault)).length,
  ).toBeGreaterThan(10)
})
