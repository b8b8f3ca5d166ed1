/** As links.test.ts, in several scopes and for several numbers of each kind. */
import { afterAll, expect, test } from 'vitest'
import { openCompanyDashboards } from './store-dashboards.ts'
import { pickLong } from '../support/thorough.ts'
import { walkLinks } from './links-walk.ts'

const company = await openCompanyDashboards()
afterAll(() => company.close())

const scopes = [
  { name: 'everything', query: '' },
  { name: 'a team and a range', query: '?team=north&range=90d&period=month' },
  {
    name: 'a past moment, facts and a due window',
    query: '?as_of=2026-10-09&fact=graded&fact=open&due_from=2026-06-03&due_to=2026-10-29&include_leavers=true',
  },
]
test.each(pickLong(scopes, 3, 2))('every number of $name leads to as many rows', async ({ query }) => {
  // Nobody signs in here, so there is no page of access.
  const { faults, followed } = await walkLinks(company.get, {
    query,
    perKind: 1,
    skip: /^\/(access|digest|notes|views)\b/,
  })
  expect(faults).toEqual([])
  expect(followed).toBeGreaterThan(50)
})

test('the walk notices a number that is one off', async () => {
  const oneMore = async (path: string) => {
    const html = await company.get(path)
    return path.startsWith('/assignments') || path.startsWith('/api')
      ? html
      : html.replaceAll(/data-count="(\d+)"/g, (_, count: string) => `data-count="${Number(count) + 1}"`)
  }
  const { faults } = await walkLinks(oneMore, { query: '', perKind: 1, perRoute: 0, only: ['/'] })
  expect(faults.filter((fault) => /^\/: \d+ leads to \d+ at \/assignments/.test(fault)).length).toBeGreaterThan(10)
})
