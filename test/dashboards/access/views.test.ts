/** Saved views: what they keep, whose they are, and what cannot be saved. */
import { afterAll, expect, test } from 'vitest'
import { mostViews } from '../../../services/saved-views/saved-views.ts'
import { follow } from '../../support/network/follow.ts'
import { signInAs, manager, openCompany, type Visit } from './company.ts'

/** The clock begins today, and is later at every look. */
let nowMs = Date.now()
const company = await openCompany({ clock: () => ++nowMs })
const mona = await signInAs(company, manager.email, 'manager')
const olga = await signInAs(company, 'olga@example.com', 'owner')
const anna = await signInAs(company, 'anna@example.com', 'analyst')
afterAll(() => company.close())

const save = (who: Visit, name: string, page = '/overdue') => who.post('/views', { name, page })
const unescape = (text: string) => text.replaceAll('&amp;', '&')

test('keeps a page with its filters, opens from every page, is found, and is seen by its owner only', async () => {
  const saved = await save(mona, '  My   overdue people ', '/overdue?team=team-own&range=90d&after=x')
  expect([saved.status, saved.headers.get('location')]).toEqual([
    303,
    '/overdue?team=team-own&range=90d&after=x',
  ])
  for (const path of ['/', '/help', '/views', '/search?q=overdue'])
    expect(await mona.read(path), path).toMatch(
      /<a href="\/overdue\?team=team-own&amp;range=90d"[^>]*>My overdue people/,
    )
  for (const path of ['/views', '/search?q=overdue'])
    expect(await olga.read(path)).not.toContain('My overdue people')
})

test('names its filters to readers who may see the names', async () => {
  await save(olga, 'of a person', '/overdue?team=team-foreign&manager=x-201')
  await save(mona, 'of mine', '/overdue?team=team-own&user=102')
  await save(mona, 'of strangers', '/overdue?team=team-foreign&manager=x-201')
  expect(await olga.read('/views')).toContain('Overdue: Team Hidden Unit; Reports to Zoltan Foreigner')
  const managers = await mona.read('/views')
  expect(managers).toContain('Team Own Team; Person Rae Own')
  expect(managers).toContain('Team team-foreign')
  expect(managers).not.toMatch(/Hidden Unit|Zoltan/)
})

test('of the rows behind a number shows a week later the rows of then; of a chosen day, that day', async () => {
  const savedFrom = async (address: string, name: string) => {
    const [, page = ''] = /id="save-view".*?name="page" value="([^"]*)"/s.exec(await olga.read(address)) ?? []
    await save(olga, name, unescape(page))
    return unescape(new RegExp(`href="([^"]*)"[^>]*>${name}`).exec(await olga.read('/views'))?.[1] ?? '')
  }
  const momentOf = async (link: string, who: Visit) =>
    /<time datetime="([^"]*)"/.exec(await who.read(link))?.[1]?.slice(0, 10) ?? ''
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const before = nowMs
  const [, number = ''] = /href="(\/assignments\?[^"]*as_of=[^"]*)"/.exec(await olga.read('/')) ?? []
  const behind = unescape(number)
  expect(await olga.read(behind)).toContain('The moment of the number that you opened.')
  const pinned = await savedFrom(behind, 'Behind a number')
  expect(await savedFrom('/overdue?as_of=2026-02-01', 'Of a day')).toBe('/overdue?as_of=2026-02-01')
  nowMs += 7 * 86_400_000
  const later = await signInAs(company, 'later@example.com', 'owner')
  expect(await momentOf(behind, later)).toBe(day(before))
  expect(await momentOf(pinned, later)).toBe(day(nowMs))
  nowMs = before + 1_000
})

test('is replaced by a view of the same name; a deleted one comes back by Undo in the notice', async () => {
  const linksOf = async (name: string) =>
    [...(await olga.read('/views')).matchAll(/<th[^>]*><a href="([^"]*)"[^>]*>([^<]*)/g)]
      .filter((each) => each[2] === name)
      .map(([, link]) => link)
  await save(olga, 'Twice', '/overdue')
  await Promise.all([save(olga, 'twice', '/grading'), save(olga, 'twice', '/grading')])
  expect([await linksOf('Twice'), await linksOf('twice')]).toEqual([[], ['/grading']])
  const form = /name="id" value="([\w-]+)"\/><button[^>]*>Delete<span[^>]*> twice/
  const id = form.exec(await olga.read('/views'))?.[1] ?? ''
  await mona.post('/views', { do: 'remove', id })
  expect(await linksOf('twice')).toEqual(['/grading'])
  const ask = (path: string, cookie: string) => company.app.request(path, { headers: { cookie } })
  const removed = await follow(await olga.post('/views', { do: 'remove', id }), ask, olga.cookie)
  const notice = /class="outcome-notice".*?<form method="post" action="\/views">(.*?)<\/form>/s
  const [, undo = ''] = notice.exec(await removed.text()) ?? []
  expect(await linksOf('twice')).toEqual([])
  const fields = [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
  await olga.post('/views', Object.fromEntries(fields) as Record<string, string>)
  expect(await linksOf('twice')).toEqual(['/grading'])
})

test('has a plain name and a page that its reader may open; 50 of one person are the most', async () => {
  const nasty = `"><script>alert(1)</script>`
  expect((await save(anna, nasty)).status).toBe(303)
  const text = await anna.read('/')
  expect([text.includes(nasty), text.includes('&lt;script&gt;alert(1)')]).toEqual([false, true])
  for (const name of ['', '   ', 'x'.repeat(61), 'a\u0000b', 'a\u202eb'])
    expect([name, (await save(anna, name)).status]).toEqual([name, 400])
  for (const page of ['/setup', '/nowhere', 'https://evil.example/', '//evil.example', '/\\evil.example', ''])
    expect([page, (await save(anna, 'elsewhere', page)).status]).toEqual([page, 400])
  expect((await save(anna, 'long', `/?team=${'x'.repeat(5_000)}`)).status).toBe(400)
  const statuses = []
  for (let n = 0; n < mostViews; n++) statuses.push((await save(anna, `view ${n}`, '/')).status)
  expect([statuses.filter((status) => status === 303).length, statuses.at(-1)]).toEqual([mostViews - 1, 400])
  // One of them can still be replaced.
  expect((await save(anna, 'View 1', '/overdue')).status).toBe(303)
  const token = await company.as('owner')
  expect((await anna.post('/views', { name: 'x', page: '/' }, { cookie: '', ...token })).status).toBe(403)
})
