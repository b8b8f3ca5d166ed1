import type { PageContext } from '../../../dashboards/page-context.ts'
import { createFormat } from '../../../language/format.ts'
import { anybody } from '../../../services/access/visitor.ts'
import type { Role } from '../../../services/config/values/roles.ts'
import { filledNow, ids } from '../filled-company.ts'
import { afterAll, describe, expect, test } from 'vitest'
import type { Person } from '../../../reporting/statements/learners.ts'
import { findWords } from '../../../dashboards/pages/search/find-words.ts'
import { faultsOf } from '../../support/browser/faults.ts'
import { openPreviews } from './previews.ts'
import { isLong, pick } from '../../support/tiers.ts'

function reader(role: Role, query = ''): PageContext {
  const format = createFormat({ locale: 'en-GB', timeZone: 'Europe/Berlin', now: filledNow })
  return { params: new URLSearchParams(query), format, visitor: { ...anybody, role } } as PageContext
}

const previews = await openPreviews()
afterAll(() => previews.close())

describe.skipIf(isLong)('what a search finds', () => {
  test('pages by name and question, what the store has found, and definitions by title before those by text', () => {
    const hits = findWords(
      'overdue',
      [{ kind: 'team', id: 'a&b', name: 'Overdue fighters' }],
      reader('owner'),
    )
    expect(hits.find(({ kind }) => kind === 'Team')).toMatchObject({
      name: 'Overdue fighters',
      detail: '',
    })
    expect(hits.find(({ kind }) => kind === 'Team')?.href).toMatch(/a%26b$/)
    expect(hits.find(({ kind }) => kind === 'Definition')?.name).toContain('Overdue')
    expect(findWords('behind', [], reader('owner')).map(({ name }) => name)[0]).toBe('People')
    expect(findWords('zzz', [], reader('owner'))).toEqual([])
  })

  test('a person whose name begins so before pages that only mention it', () => {
    const found = [{ kind: 'person' as const, id: '1', name: 'Henrik Zhang' }]
    expect(findWords('hen', found, reader('owner')).map(({ name }) => name)[0]).toBe('Henrik Zhang')
  })

  test('people of one name, told apart by their team and manager', () => {
    const person = (id: string, team: string, manager: string) =>
      ({
        user_id: id,
        user_name: 'Henrik Zhang',
        teams: [['t', team]],
        managers: [['m', manager]],
        is_active: true,
      }) as Person
    const found = [person('1', 'Sales North', 'Bo Ek'), person('2', 'Support', 'Ann Lee')].map((each) => {
      return { kind: 'person' as const, id: each.user_id, name: each.user_name, person: each }
    })
    expect(findWords('henrik', found, reader('owner')).map(({ detail }) => detail)).toEqual([
      'Sales North · Bo Ek',
      'Support · Ann Lee',
    ])
  })

  test('objects with the filters and the moment of the page that one comes from', () => {
    const found = [
      { kind: 'person' as const, id: '7', name: 'Grading Grace' },
      { kind: 'team' as const, id: 'a', name: 'Graders' },
    ]
    const links = findWords('grad', found, reader('owner', 'as_of=2026-09-01')).map(({ href }) => href)
    expect(links).toEqual(
      expect.arrayContaining([
        '/grading?as_of=2026-09-01',
        '/learners/7?as_of=2026-09-01',
        '/teams/a?as_of=2026-09-01',
      ]),
    )
  })
})

describe('in the window', () => {
  test.each(pick(['/', 'Control+k', 'Meta+k'], 3, 1))(
    '%s opens it; letters find, arrows and Enter go there',
    async (keys) => {
      await previews.open('/guides', {}, async (page) => {
        await page.keyboard.press(keys)
        await page.locator('#search[open] input:focus').waitFor()
        await page.keyboard.type('sales n')
        const hit = page.locator('#search .hits a', { hasText: 'Sales North' })
        await hit.waitFor()
        expect(await page.locator('#announcer').innerText()).toBe('1 found')
        await page.keyboard.press('ArrowDown')
        expect(await hit.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true)
        expect(await faultsOf(page)).toEqual([])
        await page.keyboard.press('Enter')
        await page.waitForURL(new RegExp(ids.team))
      })
    },
  )

  test('a search that failed is not one that found nothing, and opens nothing', async () => {
    await previews.open('/', { expected: /503/ }, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('sales n')
      await page.locator('#search .hits li', { hasText: 'Sales North' }).waitFor()
      const html = '<h1>Sign in</h1>'
      for (const status of [503, 200]) {
        await page.route('**/search?*', (route) =>
          route.fulfill({ status, contentType: 'text/html', body: html }),
        )
        await page.keyboard.type('x')
        await page.locator('#announcer', { hasText: 'could not be done' }).waitFor()
        await page.locator('#announcer').evaluate((one) => (one.textContent = ''))
        await page.keyboard.press('Enter')
        await page.locator('#announcer', { hasText: 'could not be done' }).waitFor()
        expect(await page.locator('[data-failed-search]').isVisible()).toBe(true)
        expect(await page.locator('#search .hits').count()).toBe(0)
        expect(new URL(page.url()).pathname).toBe('/')
        await page.unroute('**/search?*')
        await page.keyboard.press('Backspace')
        await page.locator('#announcer', { hasText: 'found' }).waitFor()
        expect(await page.locator('[data-failed-search]').isVisible()).toBe(false)
      }
    })
  })

  test('nothing found is said, and Escape gives the page back', async () => {
    await previews.open('/', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('no such thing')
      await page.locator('#search .empty', { hasText: 'Nothing found' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.locator('#search').isVisible()).toBe(false)
    })
  })
})

describe('as a page', () => {
  test.runIf(isLong)('keeps the moment of the page that one comes from', async () => {
    await previews.open('/?as_of=2026-10-01', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type(ids.names.person)
      const hit = page.locator('#search .hits a', { hasText: ids.names.person })
      await hit.waitFor()
      expect(await hit.getAttribute('href')).toBe(`/learners/${ids.person}?as_of=2026-10-01`)
    })
    await previews.open('/?as_of=2026-10-01', { javaScriptEnabled: false }, async (page) => {
      await page.getByRole('link', { name: 'Search' }).click()
      await page.getByRole('searchbox').fill(ids.names.person)
      await page.getByRole('button', { name: 'Search' }).click()
      expect(new URL(page.url()).searchParams.get('as_of')).toBe('2026-10-01')
    })
  })

  test('what the reader typed is never markup', async () => {
    const html = await previews.read(`/search?q=${encodeURIComponent('"><img src=x>')}`)
    expect(html).not.toContain('<img')
  })
})
