/** The frame of every page: navigation, menus, and the filters that follow from page to page. How it looks is the subject of ../walk.test.ts. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { pages } from '../../../dashboards/navigation.ts'
import { layoutFaultsOf } from '../../support/browser/faults.ts'
import { openPreviews } from './previews.ts'
import { ids } from '../filled-company.ts'
import { startPreview } from './serve.ts'

const previews = await openPreviews()
afterAll(() => previews.close())

const get = async (path: string) => (await previews.read(path)).replaceAll('&amp;', '&')
const hrefs = (html: string, part = /.*/s) =>
  [...(part.exec(html)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link)
const nav = /<nav id="pages".*?<\/nav>/s
const tabs = /<nav class="tabs".*?<\/nav>/s
const chips = /<ul class="chips".*?<\/ul>/s

describe('the navigation', () => {
  test.each([
    ['en-GB', 'Home Overdue Grading People Teams Challenges'],
    ['de-DE', 'Start Überfällig Bewertung Personen Teams Challenges'],
  ])('holds six places in one line in %s', async (locale, names) => {
    await previews.open('/', { locale, viewport: { width: 1001, height: 800 } }, async (page) => {
      await page.evaluate('document.fonts.ready')
      const links = page.locator('#pages a:visible')
      expect((await links.allInnerTexts()).join(' ')).toBe(names)
      const tops = await links.evaluateAll((each) => each.map((a) => a.getBoundingClientRect().y))
      expect(new Set(tops).size).toBe(1)
      expect(await layoutFaultsOf(page)).toEqual([])
    })
  })

  test('folds behind a button on a phone, also without a script', async () => {
    const phone = { viewport: { width: 390, height: 700 }, javaScriptEnabled: false }
    await previews.open('/', phone, async (page) => {
      expect(await page.locator('#pages').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'choose a page' }).click()
      await page.locator('#pages').getByRole('link', { name: 'Grading' }).click()
      expect(new URL(page.url()).pathname).toBe('/grading')
    })
  })

  test.each([
    ['/', 'Home', []],
    ['/changes', 'Home', []],
    ['/overdue', 'Overdue', []],
    ['/assignments', 'People', ['People', 'Assignments']],
    ['/managers', 'Teams', ['Teams', 'Managers']],
    ['/guides', 'Challenges', ['Challenges', 'Guides']],
    [`/teams/${ids.team}`, 'Teams', []],
    ['/setup', undefined, []],
  ])('marks on %s where the reader is, and shows the tabs of the place', async (path, place, names) => {
    const html = await get(path)
    const current = /aria-current="page"[^>]*>([^<]*)/.exec(nav.exec(html)?.[0] ?? '')?.[1]
    const shown = [...(tabs.exec(html)?.[0] ?? '').matchAll(/<a[^>]*>([^<]*)/g)].map(([, name]) => name)
    expect([current, shown]).toEqual([place, names])
  })

  test('hides the tab of guides where nobody has one', async () => {
    const preview = await startPreview({
      deps: ({ arrival }) => ({
        arrival: { ...arrival, standing: async () => ({ ...(await arrival.standing()), has_guides: false }) },
      }),
    })
    expect(await (await preview.app.request('/challenges')).text()).not.toContain('class="tabs"')
    await preview.close()
  })

  test.each([true, false])(
    'opens Health, Data and the theme from two menus; with a script: %s',
    async (hasScript) => {
      await previews.open(`/?team=${ids.team}`, { javaScriptEnabled: hasScript }, async (page) => {
        await page.locator('#menu-admin > summary').click()
        const admin = page.locator('#menu-admin a')
        expect(await admin.allInnerTexts()).toEqual(['Health', 'Setup', 'Data'])
        await page.locator('#menu-account > summary').click()
        expect(await admin.first().isVisible()).toBe(false)
        expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).isVisible()).toBe(hasScript)
        await page.getByRole('button', { name: 'Dark theme' }).click()
        await page.locator('html[data-theme=dark]').waitFor()
        expect(new URL(page.url()).search).toBe(`?team=${ids.team}`)
      })
    },
  )

  test('has a letter of its own for every page', () => {
    expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length)
  })
})

describe('filters follow', () => {
  const query = `team=${ids.team}&as_of=2026-10-01&due_from=2026-09-01`

  test.each(['/', '/grading', '/learners', '/guides', '/changes', `/learners/${ids.person}`])(
    'through the navigation of %s, also where they mean nothing',
    async (path) => {
      const links = hrefs(await get(`${path}?${query}`), nav)
      expect(links).toHaveLength(6)
      for (const link of links)
        expect(Object.fromEntries(new URLSearchParams(link.split('?')[1]))).toMatchObject(
          Object.fromEntries(new URLSearchParams(query)),
        )
    },
  )

  test.each(['/challenges', '/managers', '/overdue?group=manager', '/grading'])(
    'through the links and forms of %s to itself, where some wait',
    async (page) => {
      const html = await get(`${page}${page.includes('?') ? '&' : '?'}team=${ids.team}&status=overdue`)
      const main = html.slice(html.indexOf('<main')).replace(chips, '')
      const own = hrefs(main).filter((link) => link.startsWith(`${page.replace(/\?.*/, '')}?`))
      expect(own.length).toBeGreaterThan(0)
      for (const link of own) expect(link).toContain('status=overdue')
      for (const [form] of main.matchAll(/<form method="get" action="\/(?!remind).*?<\/form>/gs))
        expect(form).toContain('name="status" value="overdue"')
    },
  )

  test.each([
    [
      'tabs',
      `/assignments?${query}&fact=overdue`,
      tabs,
      `/learners?team=${ids.team}&fact=overdue&as_of=2026-10-01&due_from=2026-09-01`,
    ],
    [
      'rows of a number',
      `/guides?team=${ids.team}&as_of=2026-10-01`,
      /<main.*/s,
      expect.stringMatching(/^\/guides\?.*as_of=2026-10-01.*show=/),
    ],
    ['chips of a filter that waits', `/?team=${ids.team}&fact=overdue`, chips, '/?fact=overdue'],
    ['Clear', `/?team=${ids.team}&fact=overdue`, chips, '/'],
    [
      'the navigation, if it waits',
      `/?team=${ids.team}&fact=overdue`,
      nav,
      `/overdue?team=${ids.team}&fact=overdue`,
    ],
    [
      'chips that keep own moments',
      `/changes?team=${ids.team}&from=week&cause=time`,
      chips,
      '/changes?from=week&cause=time',
    ],
    [
      'an instant that pins a list',
      `/assignments?team=${ids.team}&as_of=2026-11-20T10:11:12.123Z`,
      nav,
      `/?team=${ids.team}`,
    ],
    [
      'a day, and not what is compared',
      '/?compare=last_month&as_of=2026-10-01T21:59:59.999Z',
      nav,
      '/overdue?as_of=2026-10-01',
    ],
    ['a page without a scope', `/?${query}`, /<details[^>]*id="menu-admin".*?<\/details>/s, '/health'],
  ])('through %s', async (_, path, part, link) => expect(hrefs(await get(path), part)).toContainEqual(link))

  test('a filter that the page ignores is neither shown nor in a number', async () => {
    const html = await get(`/?team=${ids.team}&fact=overdue&status=in_progress`)
    expect(html).toContain('<input type="hidden" name="fact" value="overdue"/>')
    for (const [link] of html.matchAll(/href="\/assignments\?[^"]*" data-count/g))
      expect(link).not.toContain('status=')
    for (const path of [`/guides?challenge=${ids.challenge}`, `/managers?manager=${ids.manager}`])
      expect(await get(path)).not.toContain('<ul class="chips"')
  })

  test.each(['/changes?from=2026-10-01&as_of=2026-10-15&kind=completed', '/?fact=overdue'])(
    'through a change of language and theme, which lead back to %s',
    async (path) => {
      const backs = [...(await get(path)).matchAll(/name="back" value="([^"]*)"/g)].map(([, back]) => back)
      expect(backs).toEqual([path, path])
    },
  )

  test('a filter that the script applies is in the links of the frame at once', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-team > summary').click()
      await page.locator('#menu-team input[type=checkbox]').first().check()
      await page.waitForURL(/team=/)
      const team = new URL(page.url()).searchParams.get('team') ?? ''
      await page.locator(`#pages a[href="/grading?team=${team}"]`).waitFor()
      await page.locator(`[data-search][href="/search?team=${team}"]`).waitFor()
      await page.locator(`#language input[value="/?team=${team}"]`).waitFor({ state: 'attached' })
    })
  })
})

test('a comparison is offered where the page then says what it compares with, and nowhere else', async () => {
  const objects = [`/challenges/${ids.challenge}`, `/teams/${ids.team}`, `/managers/${ids.manager}`]
  const found = { offering: [] as string[], applying: [] as string[] }
  for (const path of [...pages.map(({ path }) => path), ...objects]) {
    const page = await get(`${path}?compare=last_month`)
    if (page.includes('name="compare"')) found.offering.push(path)
    if (page.includes('class="compared"')) found.applying.push(path)
    // Nor does it travel on from a page that does not use it. Language and theme lead back to the whole address.
    else if (page.includes('data-filters'))
      expect([path, page.replaceAll(/name="back" value="[^"]*"/g, '')]).toEqual([
        path,
        expect.not.stringMatching(/name="compare"|compare=last_month/),
      ])
  }
  expect(found).toEqual({ offering: ['/', ...objects], applying: ['/', ...objects] })
})

test('every text size, margin, padding and gap is one of the scale in the tokens', () => {
  const folder = new URL('../../../dashboards/styles/', import.meta.url)
  const strays = readdirSync(folder).flatMap((file) =>
    file === 'tokens.css' || file === 'print.css'
      ? []
      : readFileSync(new URL(file, folder), 'utf8')
          .split('\n')
          .map((line, i) => `${file}:${i + 1}: ${line.trim()}`)
          .filter((line) =>
            /: (padding|margin|gap|row-gap|column-gap|font-size)[a-z-]*: .*[\d.]+rem/.test(line),
          ),
  )
  expect(strays).toEqual([])
})
