/** Saved views: their owners, the readers who are offered them, and their names. */
import { afterAll, describe, expect, test } from 'vitest'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
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

const post = (path: string, who: Visit, fields: Record<string, string>) => who.post(path, fields)
const save = (who: Visit, name: string, page = '/overdue') => who.post('/views', { name, page })
const read = (path: string, who: Visit) => who.read(path)

/** Ids by name, as the page of views has them. */
async function idsOf(who: Visit): Promise<Map<string, string>> {
  const text = await read('/views', who)
  return new Map(
    [...text.matchAll(/name="id" value="([\w-]+)".*?name="name" value="([^"]*)"/gs)].map(
      ([, id = '', name = '']) => [name, id],
    ),
  )
}

describe('a view', () => {
  test('keeps a page with its filters, opens from the bar of every page, and is found', async () => {
    const saved = await save(mona, '  My   late people ', '/overdue?team=team-own&range=90d&after=x')
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      '/overdue?team=team-own&range=90d&after=x',
    ])
    for (const path of ['/', '/help', '/views', '/search?q=late'])
      expect(await read(path, mona), path).toMatch(
        /<a href="\/overdue\?team=team-own&amp;range=90d">My late people/,
      )
    for (const cookie of [olga, anna]) expect(await read('/views', cookie)).not.toContain('My late people')
    expect(await read('/search?q=late', olga)).not.toContain('My late people')
  })

  test('says the names of what it filters by, to readers who may see them', async () => {
    await save(olga, 'of a person', '/overdue?team=team-foreign&manager=x-201')
    await save(olga, 'for all', '/overdue?team=team-foreign')
    await post('/views/change', olga, { id: (await idsOf(olga)).get('for all') ?? '', do: 'offer' })
    await save(mona, 'names of mine', '/overdue?team=team-own&user=102')
    const [owners, managers] = [await read('/views', olga), await read('/views', mona)]
    // The page by its name, without the sign that tells two meanings of a word apart.
    expect(owners).toContain('Overdue: Team Hidden Unit; Reports to Zoltan Foreigner')
    expect(managers).toContain('Team Own Team; Person Rae Own')
    expect(managers).toContain('Team team-foreign')
    expect(managers).not.toMatch(/Hidden Unit|Zoltan/)
  })

  test('is renamed and deleted by whose it is, and by nobody else', async () => {
    await save(mona, 'first')
    const id = (await idsOf(mona)).get('first') ?? ''
    for (const change of [
      { do: 'rename', name: 'taken over' },
      { do: 'remove' },
      { do: 'offer' },
      { do: 'keep' },
    ])
      expect([change.do, (await post('/views/change', olga, { id, ...change })).status]).toEqual([
        change.do,
        400,
      ])
    expect((await post('/views/change', mona, { id, do: 'rename', name: 'second' })).status).toBe(303)
    expect([...(await idsOf(mona)).keys()]).toContain('second')
    expect((await post('/views/change', mona, { id, do: 'remove' })).status).toBe(303)
    expect([...(await idsOf(mona)).keys()]).not.toContain('second')
    expect((await post('/views/change', mona, { id, do: 'rename', name: 'again' })).status).toBe(400)
  })

  test('of rows behind a number shows a week later the rows of then; of a day that was chosen, that day', async () => {
    const unescape = (text: string) => text.replaceAll('&amp;', '&')
    const savedFrom = async (address: string, name: string) => {
      const [, page = ''] =
        /id="save-view".*?name="page" value="([^"]*)"/s.exec(await read(address, olga)) ?? []
      await post('/views', olga, { page: unescape(page), name })
      const [, link = ''] = new RegExp(`href="([^"]*)"[^>]*>${name}`).exec(await read('/views', olga)) ?? []
      return unescape(link)
    }
    const momentOf = async (link: string, who: Visit) =>
      /<time datetime="([^"]*)"/.exec(await read(link, who))?.[1]?.slice(0, 10) ?? ''
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    const before = nowMs
    const [, number = ''] = /href="(\/assignments\?[^"]*as_of=[^"]*)"/.exec(await read('/', olga)) ?? []
    const behind = unescape(number)
    expect(await read(behind, olga)).toContain('The moment of the number that you opened.')
    const pinned = await savedFrom(behind, 'Behind a number')
    const chosen = await savedFrom('/overdue?as_of=2026-02-01', 'Of a day')
    nowMs += 7 * 86_400_000
    const later = await signInAs(company, 'later@example.com', 'owner')
    expect(await momentOf(behind, later)).toBe(day(before))
    expect(await momentOf(pinned, later)).toBe(day(nowMs))
    expect(chosen).toBe('/overdue?as_of=2026-02-01')
    nowMs = before + 1_000
  })

  test('that is deleted can be undone once, by a button of the notice that the page then shows', async () => {
    const ask = (path: string, cookie: string) => company.app.request(path, { headers: { cookie } })
    const notices = (html: string) => html.split('class="outcome-notice"').length - 1
    const saved = await save(olga, 'Kept by undo', '/overdue?team=team-own')
    const home = await (await follow(saved, ask, olga.cookie)).text()
    expect([notices(home), home.includes('Saved as “Kept by undo”.')]).toEqual([1, true])
    const id = async () => (await idsOf(olga)).get('Kept by undo') ?? ''
    await post('/views/change', olga, { id: await id(), do: 'offer' })
    const removed = await follow(
      await post('/views/change', olga, { id: await id(), do: 'remove' }),
      ask,
      olga.cookie,
    )
    const [, undo = ''] =
      /class="outcome-notice".*?<form method="post" action="\/views">(.*?)<\/form>/s.exec(
        await removed.text(),
      ) ?? []
    const fields = Object.fromEntries(
      [...undo.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    expect(await read('/views', anna)).not.toContain('Kept by undo')
    expect((await post('/views', olga, fields)).headers.get('location')).toBe('/views')
    expect(await read('/views', anna)).toContain('Kept by undo')
    expect(notices(await read('/views', olga))).toBe(0)
    // Only an owner offers views by such a form.
    await post('/views', mona, { ...fields, name: 'Not offered' })
    expect(await read('/views', olga)).not.toContain('Not offered')
  })

  test('of a form that is sent twice is saved once', async () => {
    await Promise.all([save(olga, 'Sent twice'), save(olga, 'Sent twice')])
    expect((await read('/views', olga)).split('value="Sent twice"').length).toBe(2)
  })

  test('that changed in another process after it was opened stays as it is, and the page shows both names', async () => {
    await save(olga, 'Before')
    const id = (await idsOf(olga)).get('Before') ?? ''
    const another = await company.openAnother()
    const post = (fields: Record<string, string>) =>
      Promise.resolve(
        another.request('/views/change', {
          method: 'POST',
          body: new URLSearchParams({ id, version: '1', ...fields }),
          headers: { cookie: olga.cookie },
        }),
      )
    expect((await olga.post('/views/change', { id, version: '1', do: 'rename', name: 'After' })).status).toBe(
      303,
    )
    const renamed = await post({ do: 'rename', name: 'Late' })
    expect(renamed.status).toBe(409)
    expect(await renamed.text()).toContain('Now: After. Yours: Late.')
    expect((await post({ do: 'remove' })).status).toBe(409)
    expect(await (await post({ do: 'offer' })).text()).toContain('Yours: After (Offered to everybody).')
    expect((await idsOf(olga)).has('After')).toBe(true)
  })

  test('is offered to everybody by an owner: to those whose role opens the page', async () => {
    await save(olga, 'All of sales', '/?team=team-own')
    await save(olga, 'All that is late', '/overdue')
    const ids = await idsOf(olga)
    for (const name of ['All of sales', 'All that is late'])
      expect((await post('/views/change', olga, { id: ids.get(name) ?? '', do: 'offer' })).status).toBe(303)
    expect(await read('/', mona)).toContain('All that is late')
    const hers = await read('/views', anna)
    expect([hers.includes('All of sales'), hers.includes('All that is late')]).toEqual([true, true])
    await save(mona, 'Hers alone')
    const own = (await idsOf(mona)).get('Hers alone') ?? ''
    expect((await post('/views/change', mona, { id: own, do: 'offer' })).status).toBe(400)
    expect(
      (await post('/views/change', olga, { id: ids.get('All of sales') ?? '', do: 'keep' })).status,
    ).toBe(303)
    expect(await read('/views', anna)).not.toContain('All of sales')
  })

  test.each([
    '/?user=x-201',
    '/overdue?manager=x-201',
    '/learners?q=Zoltan',
    '/learners/x-201',
    '/managers/x-201',
  ])('of %s names a person, so it is not offered', async (page) => {
    const name = `view of ${page.replaceAll(/\W/g, ' ')}`
    expect((await save(olga, name, page)).status).toBe(303)
    const id = (await idsOf(olga)).get(name.replace(/\s+/g, ' ').trim()) ?? ''
    expect((await post('/views/change', olga, { id, do: 'offer' })).status).toBe(400)
  })

  test('has a name that is escaped, not too long, and used once', async () => {
    const nasty = `"><script>alert(1)</script>`
    expect((await save(mona, nasty)).status).toBe(303)
    const text = await read('/', mona)
    expect([text.includes(nasty), text.includes('&lt;script&gt;alert(1)')]).toEqual([false, true])
    for (const name of ['', '   ', 'x'.repeat(61), 'a\u0000b', 'a\u202eb', nasty.toUpperCase()])
      expect([name, (await save(mona, name)).status]).toEqual([name, 400])
    expect((await save(mona, 'ü'.repeat(60))).status).toBe(303)
    expect((await save(olga, nasty)).status).toBe(303)
  })

  test('is of a page that the role opens; many are too many', async () => {
    for (const page of [
      '/setup',
      '/access',
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '',
    ])
      expect([page, (await save(olga, 'elsewhere', page)).status]).toEqual([page, 400])
    expect((await save(anna, 'setup', '/setup')).status).toBe(400)
    expect((await save(anna, 'long', `/?team=${'x'.repeat(5_000)}`)).status).toBe(400)
    const statuses = []
    for (let n = 0; n <= mostViews; n++) statuses.push((await save(anna, `view ${n}`, '/')).status)
    expect([statuses.filter((status) => status === 303).length, statuses.at(-1)]).toEqual([mostViews, 400])
  })

  test('is no thing of tokens', async () => {
    const token = await company.as('owner')
    const fields = { name: 'by a token', page: '/' }
    expect((await mona.post('/views', fields, { cookie: '', ...token })).status).toBe(403)
  })

  test('goes with the erasure of its owner, and of people that it names', async () => {
    await save(await signInAs(company, 'erna@example.com', 'owner'), 'Of somebody who goes')
    await save(olga, 'Zoltan Foreigner, plan')
    await save(olga, 'found', '/learners?q=zoltan+foreigner')
    await save(olga, 'of nobody')
    await forgetAccess(company.store.writer, 'x-202', ['erna@example.com'], ['Erna Gone'])
    await forgetAccess(company.store.writer, 'x-201', ['zoltan@elsewhere.example'], ['Zoltan Foreigner'])
    expect(
      await company.store.rows(
        `SELECT key FROM rollcall.records WHERE match(value, '(?i)erna@example.com|zoltan foreigner|zoltan[+]foreigner')`,
      ),
    ).toEqual([])
    nowMs += 5_000
    const ids = await idsOf(olga)
    expect([...ids.keys()]).toEqual(expect.arrayContaining(['of nobody', 'found', '[erased], plan']))
  })
})
