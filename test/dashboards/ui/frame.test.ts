/** The frame of every page: navigation, font, sizes. In a real browser, over the filled company. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { pages } from '../../../dashboards/navigation.ts'
import { reader } from '../../support/browser/browser.ts'
import { layoutFaultsOf } from '../../support/browser/faults.ts'
import { openPreviews } from './previews.ts'
import { ids } from '../filled-company.ts'
import { startPreview } from './serve.ts'
import { reading, toReading } from '../../../language/language.ts'
import { t } from '../../../language/translate.ts'

const previews = await openPreviews()
afterAll(() => previews.close())

/** How far the bar stands out of the column of the page, in px. */
const edges = `(() => {
  const main = document.querySelector('main')
  const { paddingLeft, paddingRight } = getComputedStyle(main)
  const column = main.getBoundingClientRect()
  const ends = [...document.querySelectorAll('.top-inner > *')].filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
  const left = column.left + parseFloat(paddingLeft) - Math.min(...ends.map((each) => each.left))
  const right = Math.max(...ends.map((each) => each.right)) - (column.right - parseFloat(paddingRight))
  return { left: Math.max(0, Math.round(left)), right: Math.max(0, Math.round(right)) }
})()`

/** The widths of a word in the style of the page, and with each kind of digits. */
const wordWidths = `(() => {
  const word = document.createElement('span')
  word.textContent = 'sign-in'
  document.querySelector('main').append(word)
  const widthWith = (digits) => {
    word.style.fontVariantNumeric = digits
    return word.getBoundingClientRect().width
  }
  return { inherited: widthWith(''), normal: widthWith('normal'), tabular: widthWith('tabular-nums') }
})()`

/** Words with a hyphen whose digits have one width, and so the hyphen too. */
const widenedWords = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    const isWidened = getComputedStyle(parentElement).fontVariantNumeric.includes('tabular-nums')
    if (/\\p{L}-\\p{L}/u.test(data) && isWidened) found.push(data)
  }
  return found
})()`

test('keeps the hyphen of a word as narrow as the font has it', async () => {
  await previews.open('/', {}, async (page) => {
    await page.evaluate('document.fonts.ready')
    const { inherited, normal, tabular } = (await page.evaluate(wordWidths)) as Record<string, number>
    expect(tabular).toBeGreaterThan(normal ?? 0)
    expect(inherited).toBe(normal)
  })
  for (const path of ['/', '/assignments', '/teams', '/grading', '/setup'])
    await previews.open(path, { locale: 'de-DE' }, async (page) => {
      expect([path, await page.evaluate(widenedWords)]).toEqual([path, []])
    })
})

describe('the navigation', () => {
  test.each(['en-GB', 'de-DE'])('holds six places in one line in %s at every width', async (locale) => {
    const places = pages.filter(({ menu }) => menu === 'bar').map(({ name }) => name)
    expect(places.map((place) => t(place))).toEqual([
      'Home',
      'Overdue',
      'Grading',
      'People',
      'Teams',
      'Challenges',
    ])
    const names = reading(toReading(undefined, locale), () => places.map((place) => t(place)))
    await previews.open('/', { locale, viewport: { width: 1600, height: 800 } }, async (page) => {
      await page.evaluate('document.fonts.ready')
      const links = page.locator('#pages a:visible')
      for (const width of [1600, 1440, 1280, 1136, 1001]) {
        await page.setViewportSize({ width, height: 800 })
        expect([width, await links.allInnerTexts()]).toEqual([width, names])
        const tops = await links.evaluateAll((each) => each.map((a) => a.getBoundingClientRect().y))
        expect([width, tops]).toEqual([width, tops.map(() => tops[0])])
        expect([width, await layoutFaultsOf(page)]).toEqual([width, []])
        expect([width, await page.evaluate(edges)]).toEqual([width, { left: 0, right: 0 }])
      }
    })
  })

  test.each([1000, 390, 320])('folds behind a button at %s px, also without a script', async (width) => {
    await previews.open('/', { viewport: { width, height: 700 }, javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('#pages').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'choose a page' }).click()
      expect(await page.locator('#pages').getByRole('link', { name: 'Grading' }).isVisible()).toBe(true)
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
  ])('marks on %s where the reader is, and shows the tabs of the place', async (path, place, tabs) => {
    const preview = await startPreview()
    const html = await (await preview.app.request(path)).text()
    await preview.close()
    const current = /<nav id="pages".*?<\/nav>/s
      .exec(html)?.[0]
      .match(/aria-current="page"[^>]*>([^<]*)/)?.[1]
    const shown = /<nav class="tabs".*?<\/nav>/s.exec(html)?.[0] ?? ''
    expect([current, [...shown.matchAll(/<a[^>]*>([^<]*)/g)].map(([, name]) => name)]).toEqual([place, tabs])
  })

  test.each([true, false])(
    'opens Health, Data and the theme from two menus; with a script: %s',
    async (hasScript) => {
      await previews.open(`/?team=${ids.team}`, { javaScriptEnabled: hasScript }, async (page) => {
        await page.locator('#menu-admin > summary').click()
        const admin = page.locator('#menu-admin a')
        expect(await admin.allInnerTexts()).toEqual(['Health', 'Setup', 'Data'])
        expect(await admin.first().getAttribute('href')).toBe('/health')
        await page.locator('#menu-account > summary').click()
        expect(await admin.first().isVisible()).toBe(false)
        expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).isVisible()).toBe(hasScript)
        await page.getByRole('button', { name: 'Dark theme' }).click()
        await page.locator('html[data-theme=dark]').waitFor()
        expect(new URL(page.url()).search).toBe(`?team=${ids.team}`)
      })
    },
  )

  test('hides the tab of guides where nobody has one', async () => {
    const preview = await startPreview({
      deps: ({ arrival }) => ({
        arrival: {
          ...arrival,
          standing: async () => ({ ...(await arrival.standing()), has_guides: false }),
        },
      }),
    })
    expect(await (await preview.app.request('/challenges')).text()).not.toContain('class="tabs"')
    await preview.close()
  })
})

describe('filters follow', () => {
  const hrefs = (html: string, selector: RegExp) =>
    [...(selector.exec(html)?.[0] ?? '').matchAll(/href="([^"]*)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
  const nav = /<nav id="pages".*?<\/nav>/s
  const get = async (path: string) => {
    const preview = await startPreview()
    const html = await (await preview.app.request(path)).text()
    await preview.close()
    return html
  }

  test('through the navigation, tabs and objects, on and through pages on which they mean nothing', async () => {
    const query = `team=${ids.team}&as_of=2026-10-01&due_from=2026-09-01`
    for (const path of [
      '/',
      '/overdue',
      '/grading',
      '/learners',
      '/assignments',
      '/teams',
      '/managers',
      '/guides',
      '/changes',
      `/learners/${ids.person}`,
      `/challenges/${ids.challenge}`,
    ]) {
      const html = await get(`${path}?${query}`)
      for (const link of hrefs(html, nav))
        expect([path, new URLSearchParams(link.split('?')[1]).getAll('team')]).toEqual([path, [ids.team]])
      for (const link of hrefs(html, nav))
        expect([path, link]).toEqual([path, expect.stringContaining('as_of=2026-10-01')])
      for (const link of hrefs(html, nav))
        expect([path, link]).toEqual([path, expect.stringContaining('due_from=2026-09-01')])
    }
    expect(hrefs(await get(`/assignments?${query}&fact=overdue`), /<nav class="tabs".*?<\/nav>/s)).toEqual([
      `/learners?team=${ids.team}&fact=overdue&as_of=2026-10-01&due_from=2026-09-01`,
      `/assignments?team=${ids.team}&fact=overdue&as_of=2026-10-01&due_from=2026-09-01`,
    ])
    expect(await get(`/learners?${query}`)).toContain(
      `?team=${ids.team}&amp;as_of=2026-10-01&amp;due_from=2026-09-01">`,
    )
  })

  test.each(['/challenges', '/teams', '/managers', '/overdue', '/overdue?group=manager', '/grading'])(
    'through the links and forms of %s to itself, where some wait',
    async (page) => {
      const html = await get(`${page}${page.includes('?') ? '&' : '?'}team=${ids.team}&status=overdue`)
      const main = html.slice(html.indexOf('<main')).replace(/<ul class="chips".*?<\/ul>/s, '')
      const [path = ''] = page.split('?')
      const onPage = hrefs(main, /.*/s).filter(
        (link) => link.startsWith(`${path}?`) || link.startsWith(`${path}/print?`),
      )
      expect(onPage.length).toBeGreaterThan(0)
      for (const link of onPage) expect(link).toContain('status=overdue')
      for (const [form] of main.matchAll(/<form method="get" action="\/(?!remind).*?<\/form>/gs))
        expect(form).toContain('name="status" value="overdue"')
    },
  )

  test('through the links of Guides, which have no moment', async () => {
    const links = hrefs(await get(`/guides?team=${ids.team}&as_of=2026-10-01`), /<main.*<\/main>/s)
    const onPage = links.filter((link) => /^\/guides\?.*[?&;](show|guide)=/.test(link))
    expect(onPage.length).toBeGreaterThan(2)
    for (const link of onPage) expect(link).toContain('as_of=2026-10-01')
  })

  test.each(['from=2026-10-01&kind=completed', 'from=week&cause=time'])(
    'and leave the moments of Changes: %s',
    async (own) => {
      const html = await get(`/changes?team=${ids.team}&fact=overdue&${own}`)
      const form = /<form class="filters".*?<\/form>/s.exec(html)?.[0]
      for (const [name, value] of new URLSearchParams(own))
        expect(form).toContain(`<input type="hidden" name="${name}" value="${value}"/>`)
      expect(hrefs(html, /<ul class="chips".*?<\/ul>/s)).toEqual([
        `/changes?fact=overdue&${own}`,
        `/changes?team=${ids.team}&fact=overdue&${own.replace(/&.*/, '')}`,
        `/changes?${own.replace(/&.*/, '')}`,
      ])
    },
  )

  test('a filter that the page ignores is not shown and in no number; links carry it, and Clear removes it', async () => {
    const html = await get(`/?team=${ids.team}&fact=overdue&status=in_progress`)
    expect(hrefs(html, /<ul class="chips".*?<\/ul>/s)).toEqual(['/?status=in_progress&fact=overdue', '/'])
    expect(hrefs(html, nav)).toContain(`/overdue?team=${ids.team}&status=in_progress&fact=overdue`)
    expect(html).toContain('<input type="hidden" name="fact" value="overdue"/>')
    // The rows of a number are those that it counts.
    for (const [link] of html.matchAll(/href="\/assignments\?[^"]*" data-count/g))
      expect(link).not.toContain('status=')
    for (const path of [`/guides?challenge=${ids.challenge}`, `/managers?manager=${ids.manager}`])
      expect(await get(path)).not.toContain('<ul class="chips"')
  })

  test('not to pages without a scope, and neither an instant that pins a list nor what is compared', async () => {
    const html = await get(`/assignments?team=${ids.team}&as_of=2026-11-20T10:11:12.123Z&fact=overdue`)
    expect(hrefs(html, nav)[0]).toBe(`/?team=${ids.team}&fact=overdue`)
    expect(hrefs(html, /<details[^>]*id="menu-admin".*?<\/details>/s)).toEqual(['/health', '/setup', '/data'])
    expect(hrefs(await get('/?compare=last_month&as_of=2026-10-01T21:59:59.999Z'), nav)[1]).toBe(
      '/overdue?as_of=2026-10-01',
    )
  })

  test.each([
    '/changes?from=2026-10-01&as_of=2026-10-15&kind=completed',
    '/overdue?group=manager',
    '/learners?q=ann',
    '/?fact=overdue',
  ])('through a change of language and theme, which lead back to %s', async (path) => {
    const html = await get(path)
    const backs = [...html.matchAll(/name="back" value="([^"]*)"/g)].map(([, back = '']) =>
      back.replaceAll('&amp;', '&'),
    )
    expect(backs).toEqual([path, path])
  })

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

describe('the bar of filters', () => {
  test('offers to compare where the page then says what it compares with, and nowhere else', async () => {
    const preview = await startPreview()
    const get = async (path: string) => (await preview.app.request(path)).text()
    const paths = [
      ...pages.map(({ path }) => path),
      `/challenges/${ids.challenge}`,
      `/teams/${ids.team}`,
      `/managers/${ids.manager}`,
    ]
    const offering: string[] = []
    const applying: string[] = []
    for (const path of paths) {
      const page = await get(`${path}?compare=last_month`)
      if (page.includes('name="compare"')) offering.push(path)
      if (page.includes('class="compared"')) applying.push(path)
      // Nor does it travel on from a page that does not use it. Language and theme lead back to the whole address.
      else if (page.includes('data-filters')) {
        const links = page.replaceAll(/name="back" value="[^"]*"/g, '')
        expect([path, /name="compare"|compare=last_month/.test(links)]).toEqual([path, false])
      }
    }
    await preview.close()
    expect(offering).toEqual([
      '/',
      `/challenges/${ids.challenge}`,
      `/teams/${ids.team}`,
      `/managers/${ids.manager}`,
    ])
    expect(applying).toEqual(offering)
  })
})

describe('the font', () => {
  test('comes from this server, is kept for ever, and only the files that the page needs are loaded', async () => {
    const context = await previews.browser.newContext({ ...reader, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const fonts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'font') fonts.push(request.url())
    })
    await page.goto(previews.url)
    await page.evaluate('document.fonts.ready')
    expect(await page.evaluate(`document.fonts.check('16px "Inter Variable"')`)).toBe(true)
    expect(new Set(fonts).size).toBe(1)
    expect(fonts[0]).toMatch(new RegExp(`^${previews.url}/assets/inter-latin-wght-normal-`))
    await context.close()
    const response = await fetch(fonts[0] ?? '')
    expect(response.headers.get('content-type')).toBe('font/woff2')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('wOF2')
  })
})

describe('sizes', () => {
  test('every text size, margin, padding and gap is one of the scale in the tokens', () => {
    const folder = new URL('../../../dashboards/styles/', import.meta.url)
    const strays = readdirSync(folder).flatMap((file) =>
      file === 'tokens.css' || file === 'print.css'
        ? []
        : readFileSync(new URL(file, folder), 'utf8')
            .split('\n')
            .map((line, i) => `${file}:${i + 1}: ${line.trim()}`)
            .filter((line) => /: (padding|margin|gap|row-gap|column-gap|font-size)[a-z-]*: /.test(line))
            .filter((line) => /[\d.]+rem/.test(line)),
    )
    expect(strays).toEqual([])
  })
})
