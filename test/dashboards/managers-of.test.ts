/** Wherever a page says who somebody's managers are, the names lead to the managers' pages: direct reports first, then all. */
import { afterAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openStoreDashboards } from './store-dashboards.ts'

const groups = [{ id: 'north', name: 'Sales North' }]
const late = { dueDate: monday + 2 * day }
const boss = { id: 'the boss', name: 'Bea Boss', groups, managers: [] }
const lee = { id: 'lee', name: 'Lee Lead', groups, managers: [{ id: 'the boss' }] }
const kim = { id: 'kim', name: 'Kim Lead', groups, managers: [{ id: 'the boss' }] }
const sam = { id: 'sam', name: 'Sam Staff', groups, managers: [{ id: 'lee' }, { id: 'kim' }] }
const people = [boss, lee, kim, sam]

const bodies = people.map((person, n) => toBody('Created', `a${n}`, monday, late, person))
const opened = await openStoreDashboards({
  now: monday + 40 * day,
  fill: ({ writer }) => storeBodies(writer, bodies),
})
afterAll(() => opened.close())

const links = [
  { id: 'lee', name: 'Lee Lead' },
  { id: 'kim', name: 'Kim Lead' },
]

test.each(['/learners/sam', '/learners?search=sam', '/overdue'])(
  '%s names managers as links',
  async (path) => {
    const html = await opened.get(path)
    for (const { id, name } of links)
      expect(new RegExp(`<a href="/managers/${id}[^"]*"[^>]*>${name}</a>`).test(html), name).toBe(true)
  },
)

test('links of a manager’s page to itself keep all reports, with which levels in the address do not count', async () => {
  const html = await opened.get(
    '/managers/the%20boss?reports=all&manager_depth=1&team=north&as_of=2026-02-01',
  )
  expect(html).toContain('of 3 assigned')
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
  const links = [...main.matchAll(/<a [^>]*?href="(\/managers\/the%20boss[?"#][^"]*)"[^>]*>([^<]*)/g)]
  // Periods, the filter, Clear, a week back and forth.
  expect(links.length).toBeGreaterThan(10)
  // The name of a manager leads to direct reports first.
  for (const [, link = '', name = ''] of links.filter((each) => each[2] !== 'Bea Boss'))
    expect([name, link.includes('reports=all')]).toEqual([name, name !== 'Direct reports'])
  expect(main).not.toContain('manager_depth=1&amp;reports')
})

test.each([
  ['/managers', 'reports=all'],
  ['/managers', 'sort=manager_name'],
  ['/overdue', 'group=manager'],
  ['/grading', 'sort=-oldest_ms'],
  ['/learners', 'sort=assigned'],
  ['/assignments', 'sort=due_day'],
])('on %s, the form, the chip and Clear keep %s', async (path, own) => {
  const html = await opened.get(`${path}?team=north&${own}`)
  expect(html).toContain(`class="chip" href="${path}?${own}"`)
  expect(html).toContain(`class="clear" href="${path}?${own}"`)
  const [name = '', value = ''] = own.split('=')
  expect(/<form class="filters"[\s\S]*?<\/form>/.exec(html)?.[0]).toContain(
    `<input type="hidden" name="${name}" value="${value}"/>`,
  )
})

test('a manager’s page and the same person’s page as a learner lead to each other', async () => {
  expect(await opened.get('/managers/lee')).toContain('<a href="/learners/lee">Own assignments</a>')
  expect(await opened.get('/learners/lee')).toContain('<a href="/managers/lee">1 direct report</a>')
  expect(await opened.get('/learners/sam')).not.toContain('direct report')
  expect(await opened.get('/managers/the%20boss')).not.toContain('Reports to')
})
