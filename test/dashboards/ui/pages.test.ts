import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, describe, expect } from 'vitest'
import type { Queries } from '../../../reporting/queries/queries.ts'
import { changeKinds } from '../../../reporting/metrics/changes.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { reader } from '../../support/browser/browser.ts'
import { faultsOf, layoutFaultsOf, openDetails } from '../../support/browser/faults.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { changesFixture } from './changes-fixture.ts'
import { fixtureNow } from './fixture.ts'
import { frameFixture, noRows } from './rows-fixture.ts'
import { openPreviews } from './previews.ts'
import { emptySetup, listen, settings, setupFixture, startPreview, states } from './serve.ts'
import { pickCases, test, testBoth, testLong } from '../../support/thorough.ts'

const filters = '/?compare=last_month&range=90d&team=g-north&team=g-ent'

const previews = await openPreviews(['plain', ...Object.keys(states)])
afterAll(() => previews.close())

const at = (state: string, path?: string) => previews.at(state, path)

const views = [
  { name: 'light', options: {} },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
  { name: '900 px', options: { viewport: { width: 900, height: 800 } } },
  { name: '200 % zoom', options: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 } },
] satisfies { name: string; options: BrowserContextOptions }[]

/**
 * The short run has some of the states and pages in some of the views, the thorough run every state in the views in which it differs. A
 * page in each of its views is the subject of test/dashboards/looks/every-page.long.test.ts: here each is in one.
 */
const statesOf = (view: string) => {
  if (view === 'light') return pickCases(Object.keys(states), 12)
  return view === 'dark, 320 px' ? pickCases(Object.keys(states), 12, 6) : ['plain']
}

describe.each(pickCases(views, 4))('in $name', ({ name, options }) => {
  testBoth.each(statesOf(name))(
    'the %s state has no axe violation, no complaint of the browser, and no word out of place',
    async (state) => {
      await previews.open(at(state, filters), options, async (page) =>
        expect(await faultsOf(page)).toEqual([]),
      )
    },
  )
})

testLong('every number of guides leads to its rows, a page at a time', async () => {
  await previews.open('/guides?team=north', {}, async (page) => {
    for (const link of await page.locator('#results a[data-count]').all()) {
      expect(await link.getAttribute('href')).toMatch(/^\/guides\?.*team=north.*show=[a-z_]+#rows$/)
    }
    await page.locator('#headline-assigned + .headline-value a').click()
    expect(await page.locator('#rows h2').innerText()).toBe('1,253 guide assignments: assigned')
    await page.getByRole('link', { name: 'Next' }).click()
    const { searchParams } = new URL(page.url())
    expect(['team', 'show', 'page'].map((key) => searchParams.get(key))).toEqual(['north', 'assigned', '2'])
    const csv = await page.locator('#rows a[download][href*=".csv"]').getAttribute('href')
    expect(csv).toBe('/guides/rows.csv?team=north&show=assigned&page=2')
  })
  const html = await (await fetch(at('plain', '/guides?show=everything'))).text()
  expect(html).toContain('Ignored: “everything” is not a value of “show”.')
  expect(html).not.toContain('id="rows"')
})

test('paper shows title, filters, moment and definitions, and no navigation', async () => {
  await previews.open(filters, { viewport: { width: 760, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: 'print' })
    const seen = (selector: string) => page.locator(selector).first().isVisible()
    expect(await page.locator('h1').isVisible()).toBe(true)
    expect(await page.locator('.filters-printed').innerText()).toContain('Team Sales North')
    expect(await page.locator('.sample-banner').isVisible()).toBe(true)
    expect(await seen('#due-cohorts .definitions')).toBe(true)
    for (const gone of ['.top', '.filters', '#chips', '.csv', '.steps'])
      expect(await seen(gone), gone).toBe(false)
    expect(await layoutFaultsOf(page)).toEqual([])
  })
})

/** What a reader has to look at: what can be pressed in the page, and its words. */
const clutter = `(() => {
  const isSeen = (one) => one.checkVisibility() && one.closest('.visually-hidden') === null
  const main = document.querySelector('main')
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  let words = 0
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (isSeen(parentElement)) words += data.split(/\\s+/).filter(Boolean).length
  }
  const controls = [...main.querySelectorAll('a, button, summary, select, input:not([type=hidden])')].filter(isSeen)
  return { controls: controls.length, words, screens: document.documentElement.scrollHeight / innerHeight }
})()`

test('Home is two screens with at most 60 controls and 450 words', async () => {
  await previews.open('/', { viewport: { width: 1440, height: 900 } }, async (page) => {
    const { controls, words, screens } = (await page.evaluate(clutter)) as Record<
      'controls' | 'words' | 'screens',
      number
    >
    expect(controls).toBeGreaterThan(30)
    expect(controls).toBeLessThanOrEqual(60)
    expect(words).toBeGreaterThan(200)
    expect(words).toBeLessThanOrEqual(450)
    expect(screens).toBeLessThanOrEqual(2)
    expect(await page.locator('.plot').count()).toBe(1)
    expect(
      await page
        .locator('.attention li')
        .evaluateAll((items) => items.map((one) => one.querySelectorAll('a').length)),
    ).toEqual(Array(5).fill(1))
  })
})

describe('without a script', () => {
  const javaScriptEnabled = false

  test('shows the whole page, and the form filters by its button', async () => {
    await previews.open('/?range=90d&user=7', { javaScriptEnabled }, async (page) => {
      expect(await page.locator('.plot svg.marks').count()).toBe(1)
      expect(await page.locator('.needs-script:visible').count()).toBe(0)
      await page.locator('#menu-team summary').click()
      await page.getByRole('checkbox', { name: 'Sales North' }).check()
      await page.getByRole('button', { name: 'Apply' }).click()
      const state = new URL(page.url()).searchParams
      expect([state.getAll('team'), state.get('range'), state.get('user')]).toEqual([['g-north'], '90d', '7'])
      // The page is streamed: its address is there before its filters.
      await expect.poll(() => page.locator('.chip').count()).toBe(3)
    })
  })

  testLong('a period of the trend is a link to what was assigned then', async () => {
    await previews.open('/challenges/c-002?range=90d&period=month', { javaScriptEnabled }, async (page) => {
      await page.locator('#trend details:has([data-plot-table]) > summary').click()
      await page.locator('#trend a[data-period]').last().click()
      const { searchParams, hash } = new URL(page.url())
      expect([searchParams.get('range'), searchParams.get('period'), hash]).toEqual([null, 'month', '#trend'])
      expect(searchParams.get('assigned_from')).toBe('2026-11-16')
    })
  })

  testLong('the theme switch works and brings the reader back', async () => {
    await previews.open('/?team=g-north', { javaScriptEnabled }, async (page) => {
      await page.locator('#menu-account > summary').click()
      await page.getByRole('button', { name: 'Dark theme' }).click()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
      expect(new URL(page.url()).search).toBe('?team=g-north')
    })
  })
})

describe('with the script', () => {
  test('a filter applies at once; the menu stays open, and back undoes it', async () => {
    await previews.open('/?range=90d', {}, async (page) => {
      await page.locator('#menu-team summary').click()
      await page.getByRole('checkbox', { name: 'Sales North' }).check()
      await page.waitForURL(/team=g-north/)
      await page.locator('.chip', { hasText: 'Sales North' }).waitFor()
      await page.locator('#menu-team[open]').waitFor()
      expect(await page.locator('#menu-team summary').innerText()).toContain('Sales North')
      // An export that loses the filters is the classic complaint.
      expect(await page.locator('#export-links a').first().getAttribute('href')).toContain('team=g-north')
      await page.goBack()
      await page.waitForURL((url) => !url.search.includes('team'))
      await page.locator('.chip', { hasText: 'Sales North' }).waitFor({ state: 'detached' })
    })
  })

  test('a menu of choices closes after the choice', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-compare summary').click()
      await page.getByText('Last calendar month').click()
      await page.waitForURL(/compare=last_month/)
      await page.locator('#menu-compare:not([open]) summary', { hasText: 'vs. last month' }).waitFor()
    })
  })

  test('back to an earlier page of the history shows the filters of its numbers', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-team summary').click()
      await page.getByRole('checkbox', { name: 'Sales North' }).check()
      await page.waitForURL(/team=g-north/)
      await page.locator('.chip', { hasText: 'Sales North' }).waitFor()
      await page.goto(page.url().replace(/\/\?.*/, '/help'))
      // Once this is answered: the page that comes would end it.
      await page.evaluate('setTimeout(() => history.go(-2))')
      await page.waitForURL((url) => url.pathname === '/' && url.search === '')
      await page.locator('#menu-team').waitFor()
      expect(await page.locator('#menu-team input[value=g-north]').isChecked()).toBe(false)
    })
  })

  test('the way to the content moves the focus there and loads nothing', async () => {
    await previews.open('/', {}, async (page) => {
      await page.evaluate('window.isHere = true')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#content$/)
      await page.locator('#content:focus').waitFor()
      await page.goBack()
      expect(await page.evaluate('window.isHere')).toBe(true)
    })
  })

  test('a shortcut works on keyboards that have its sign on Alt, and Alt with a letter is not ours', async () => {
    await previews.open('/', {}, async (page) => {
      const toPress = (init: object) =>
        `document.body.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify({ bubbles: true, ...init })}))`
      await page.locator('[data-key="["]').first().waitFor({ state: 'attached' })
      const before = page.url()
      for (const init of [
        { key: '[', ctrlKey: true },
        { key: '?', metaKey: true, altKey: true },
        { key: 'g', altKey: true },
      ])
        await page.evaluate(toPress(init))
      expect(page.url()).toBe(before)
      // Once this is answered: the page that comes would end it.
      await page.evaluate(`setTimeout(() => ${toPress({ key: '[', altKey: true, ctrlKey: true })})`)
      await page.waitForURL((url) => url.href !== before)
    })
  })

  test('another unit of time keeps the focus of the keyboard, and what is open in a figure', async () => {
    await previews.open('/grading', {}, async (page) => {
      const opened = page.locator('#backlog details[open]')
      await openDetails(page, '#backlog details')
      const count = await opened.count()
      expect(count).toBeGreaterThan(0)
      const link = await page.getByRole('link', { name: 'Day', exact: true }).elementHandle()
      await link?.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(/period=day/)
      expect(await link?.evaluate((one) => one.isConnected)).toBe(false)
      expect(await page.locator(':focus').innerText()).toBe('Day')
      expect(await opened.count()).toBe(count)
    })
  })

  test('a chart tells its values by pointer and by arrow keys, from its own table', async () => {
    await previews.open('/challenges/c-002', {}, async (page) => {
      const canvas = page.locator('#trend [data-canvas]')
      await canvas.scrollIntoViewIfNeeded()
      const box = await canvas.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 60)
      expect(await page.locator('#trend .tip-head').innerText()).toBe('Week of 31 Aug')
      await page.locator('#trend [data-plot]').focus()
      await page.keyboard.press('End')
      expect(await page.locator('#trend .tip-head').innerText()).toBe('Week of 16 Nov, so far')
      expect(await page.locator('#announcer').innerText()).toContain('Overdue: 123')
      await page.keyboard.press('Escape')
      expect(await page.locator('#trend .tip').isVisible()).toBe(false)
    })
  })

  testLong('a chart copies as a picture and as a link to itself, and says so', async () => {
    const context = await previews.browser.newContext({
      ...reader,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = await context.newPage()
    // It says so for two seconds.
    await holdTime(page)
    await page.goto(at('plain', '/challenges/c-002?team=g-north'))
    await page.locator('#trend .figure-foot summary').click()
    const copy = async (kind: string, type: string) => {
      await page.locator(`#trend [data-copy-chart=${kind}]`).click()
      await page.locator(`#trend [data-copy-chart=${kind}]`, { hasText: 'copied' }).waitFor()
      await page.locator('#announcer', { hasText: 'copied' }).waitFor()
      await page.evaluate(`document.querySelector('#announcer').textContent = ''`)
      return (await page.evaluate(`(async () => {
        const [item] = await navigator.clipboard.read()
        const bytes = new Uint8Array(await (await item.getType('${type}')).arrayBuffer())
        return [...bytes].map((byte) => String.fromCharCode(byte)).join('')
      })()`)) as string
    }
    expect((await copy('png', 'image/png')).slice(1, 4)).toBe('PNG')
    expect(await copy('link', 'text/plain')).toBe(at('plain', '/challenges/c-002?team=g-north#trend'))
    await context.close()
  })

  test('a folded figure with an odd name copies as a whole picture and stays folded; a failure is said', async () => {
    await previews.open('/challenges/c-002', {}, async (page) => {
      await page.evaluate(`
        window.drawn = []
        const before = URL.createObjectURL
        URL.createObjectURL = (blob) => (drawn.push(blob), before.call(URL, blob))
        navigator.clipboard.write = async () => {}
        document.querySelector('#grades .finding').textContent = 'Team \\u0001 North ' + 'and another one '.repeat(10)
      `)
      await page.locator('#grades .figure-foot summary').click()
      const button = page.locator('#grades [data-copy-chart=png]')
      await button.click()
      await page.locator('#announcer', { hasText: 'Picture copied' }).waitFor()
      const words =
        '[...document.querySelectorAll("#grades .x-axis span")].map((word) => word.textContent.trim())'
      const [svg, axis] = (await page.evaluate(`drawn[0].text().then((text) => [text, ${words}])`)) as [
        string,
        string[],
      ]
      expect(axis.length).toBeGreaterThan(1)
      for (const word of axis) expect(svg).toContain(`>${word}</text>`)
      // As wide as the drawing at most.
      const lines = [...svg.matchAll(/font-size="13"[^>]*>([^<]*)/g)].map(([, line = '']) => line)
      expect(lines.map((line) => line.length <= 130)).toEqual([true, true])
      expect(lines.join(' ').trim()).toBe(`Team   North ${'and another one '.repeat(10)}`.trim())
      expect(await page.locator('#grades .fold').getAttribute('open')).toBe(null)
      await page.evaluate('URL.createObjectURL = () => { throw new Error() }')
      await button.click()
      await page.locator('#announcer', { hasText: 'This could not be copied' }).waitFor()
    })
  })

  testLong('keys press what is on the page, and can be switched off', async () => {
    await previews.open('/', {}, async (page) => {
      await page.keyboard.press('x')
      await page.locator('input[name=compare]:focus').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForURL(/compare=last_month/)
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByLabel('Shortcuts are on').uncheck()
      await page.keyboard.press('Escape')
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.keyboard.press('x')
      // Answered after the request that the key has begun.
      await page.evaluate('0')
      expect(asked).toEqual([])
      expect(page.url()).toContain('compare=last_month')
    })
  })

  testLong('a picker begins with its search, and says where nothing is found', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-challenge summary').click()
      await page.locator('[data-picker-search]:focus').waitFor()
      await page.keyboard.type('no such thing')
      expect(await page.locator('#menu-challenge [data-picker-nothing]').isVisible()).toBe(true)
      await page.keyboard.press('Control+a')
      await page.keyboard.type('gdpr')
      expect(await page.locator('#menu-challenge [data-picker-nothing]').isVisible()).toBe(false)
      expect(await page.locator('#menu-challenge label:visible').allInnerTexts()).toEqual([
        'GDPR for everybody',
      ])
    })
  })

  test('an address that is not shown is, where a browser lets nothing copy it, and is then selected', async () => {
    await previews.open(at('empty', '/setup'), {}, async (page) => {
      await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("plain http"))')
      await page.locator('[data-copy=ingest-url]').click()
      await page.locator('#announcer', { hasText: 'copy it with the keyboard' }).waitFor()
      expect(await page.evaluate('getSelection().toString()')).toContain('/webhooks/Zm9v')
    })
  })

  test('the set-up page sees the first event land without being loaded again', async () => {
    let landed = false
    const server = await listen(
      await startPreview({ deps: { setup: async () => (landed ? setupFixture : emptySetup) } }),
    )
    await previews.open(`${server.url}/setup`, {}, async (page) => {
      await page.getByText('Nothing has arrived yet').waitFor()
      landed = true
      await page.getByText('rollcall.test', { exact: true }).waitFor()
      expect(await page.getByText('The body is not JSON').isVisible()).toBe(true)
    })
    await server.stop()
  })
})

describe('over HTTP', () => {
  const get = (state: string, path: string, init: RequestInit = {}) =>
    fetch(at(state, path), { redirect: 'manual', ...init })

  const heavy = [
    filters,
    '/overdue',
    '/grading',
    '/challenges',
    '/challenges/c-002',
    '/teams',
    '/teams/g-north',
  ]
  const light = [
    '/managers',
    '/learners',
    '/learners/7',
    '/assignments',
    '/guides',
    '/changes',
    '/search?q=a',
  ]
  const behind = ['/health', '/data', '/help', '/setup']
  testBoth.each(pickCases([...heavy, ...light, ...behind], 3))(
    '%s is at most 40 kB and its scripts at most 15 kB, compressed, also with 500 challenges',
    async (path) => {
      for (const state of ['plain', 'many']) {
        const html = await (await get(state, path)).text()
        expect(gzipSync(html).length, state).toBeLessThanOrEqual(40_000)
        const scripts = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src = '']) => src)
        expect(scripts.length).toBeGreaterThan(0)
        const texts = await Promise.all(scripts.map(async (src) => (await get(state, src)).text()))
        expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThanOrEqual(15_000)
      }
    },
  )

  test('what was only viewed or started is counted on the page of changes, and listed where it is asked for', async () => {
    const asked: unknown[] = []
    let none = false
    const changes: Queries['changes'] = async (before, scope, request) => {
      asked.push(request.kinds)
      if (none) return { changes: [], next: null, total: 0 }
      return changesFixture.changes(before, scope, request)
    }
    const server = await listen(await startPreview({ queries: { ...changesFixture, changes } }))
    const read = async (path: string) => (await fetch(server.url + path)).text()
    const html = await read('/changes')
    const [, link = '', others] = /Not listed: <a href="([^"]*)">(\d+) other assignments/.exec(html) ?? []
    expect([link.includes('kind=other'), others]).toEqual([true, '168'])
    const chosen = await read(link.replaceAll('&amp;', '&'))
    expect(chosen).not.toContain('Not listed')
    await read('/changes/rows.csv')
    none = true
    expect(await read('/changes?kind=failed')).toContain('None of this kind.')
    await server.stop()
    const named = changeKinds.filter((kind) => kind !== 'other')
    expect(asked.slice(0, 4)).toEqual([named, ['other'], named, named])
  })

  test('every page that compares says with which moment: four weeks ago, or the end of the last month', async () => {
    const read = async (path: string) => (await get('plain', path)).text()
    for (const path of ['/', '/teams/g-north']) {
      const [usual, month] = [await read(path), await read(`${path}?compare=last_month`)]
      expect([path, /headline-overdue"[\s\S]*?<p class="change ([a-z]*)"/.exec(usual)?.[1]]).toEqual([
        path,
        'bad',
      ])
      expect([path, usual.match(/(?<=[a-z\d] )vs\. [a-z\d ]+/g)]).toEqual([
        path,
        Array(5).fill('vs. 4 weeks ago'),
      ])
      expect([path, month.match(/(?<=[a-z\d] )vs\. [a-z\d ]+/g)]).toEqual([
        path,
        Array(5).fill('vs. last month'),
      ])
    }
  })

  test.each(['/assignments', '/learners', '/challenges', '/teams', '/managers'])(
    '%s offers to clear filters only where there are some, and else asks whether data arrive',
    async (path) => {
      const queries = {
        assignments: async () => noRows,
        assignmentEvents: async () => [],
        learnerCounts: async () => [],
        learners: async () => ({ rows: [], total: 0 }),
        person: async () => null,
        frame: async () => frameFixture({ nothing: true }),
      }
      const none = await startPreview({ state: 'nothing', queries })
      const filtered = await (await none.app.request(`${path}?challenge=c-001`)).text()
      const bare = await (await none.app.request(path)).text()
      await none.close()
      expect(filtered).toMatch(/Clear them|Clear everything|Show all/)
      expect(filtered).not.toContain('Is data arriving?')
      expect(bare).toContain('<a href="/setup">Is data arriving?</a>')
      expect(bare).not.toMatch(/Clear them|Clear everything|Show all/)
    },
  )

  test('without reporting lines no manager has a line, which is no news of what is overdue or has arrived', async () => {
    const preview = await startPreview({ queries: { managers: async () => [] } })
    const html = await (await preview.app.request('/managers')).text()
    await preview.close()
    expect(html).toContain('No manager to show.')
    expect(html).not.toMatch(/[Nn]othing is overdue|has arrived yet/)
  })

  test('nothing in scope is an empty page, not good news; filters are cleared only where there are some', async () => {
    const filtered = await (await get('nothing', '/?team=g-north')).text()
    expect(filtered).toContain('No assignment matches these filters.')
    expect(filtered).not.toMatch(/[Nn]obody is overdue|class="marks"/)
    const bare = await (await get('nothing', '/')).text()
    expect(bare).not.toMatch(/Clear|[Nn]obody is overdue|class="marks"/)
    expect(bare).toContain('Is data arriving?')
  })

  test('the policy allows this origin only, and nothing inline', async () => {
    const policy = (await get('plain', '/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/unsafe|nonce|http|\*/)
    expect(await (await get('plain', '/')).text()).not.toMatch(
      /<[^>]+ style=|<style|<script(?! type="module" src=)/,
    )
  })

  test('unknown keys are ignored with a notice; what the reader typed is never markup', async () => {
    const html = await (await get('plain', '/?bogus=1&team=%3Cimg%20src%3Dx%3E')).text()
    expect(html).toContain('“bogus”')
    expect(html).not.toContain('<img src=x')
  })

  test('what cannot be used is left out with a notice, and out of every link to the API, which would refuse it', async () => {
    const html = await (await get('plain', '/?period=sideways&due_from=2026-13-01&team=g-north')).text()
    expect(html).toContain('Ignored: “sideways” is not a value of “period”.')
    const links = [...html.matchAll(/href="(\/api\/[^"]+)"/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) {
      const params = new URL(link.replaceAll('&amp;', '&'), 'http://here').searchParams
      expect(params.getAll('team'), link).toEqual(['g-north'])
      const scope = parseScope(params, { now: fixtureNow, settings, ignore: ['format', 'metric'] })
      expect(scope.problems, link).toEqual([])
    }
  })

  test('figures lead to their explanation, in words that the API takes', async () => {
    const page = await (await get('plain', '/?team=g-north&range=90d&compare=last_month')).text()
    const links = [...page.matchAll(/href="(\/api\/metrics\/explain\?[^"]+)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(2)
    for (const link of links) {
      const params = new URL(link.replaceAll('&amp;', '&'), 'http://x').searchParams
      expect(params.getAll('team'), link).toEqual(['g-north'])
      const scope = parseScope(params, { now: fixtureNow, settings, ignore: ['metric'] })
      expect(scope.problems, link).toEqual([])
    }
  })

  test('an empty store shows how to fill it', async () => {
    const html = await (await get('empty', '/')).text()
    expect(html).toContain('your first event')
    expect(html).toContain('<noscript><meta http-equiv="refresh"')
  })
})

test('a form that is sent by a double click is sent once, and again when it is sent later', async () => {
  await previews.open(at('empty', '/setup'), { prepare: (_, page) => holdTime(page) }, async (page) => {
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    // The first answer takes until both clicks have come; each leaves the page as it is.
    const { promise: clicked, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/*', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await clicked
      await route.fulfill({ status: 204 }).catch(() => undefined)
    })
    const form = page.locator('main form[method=post]').first()
    const button = form.locator('button').first()
    await button.scrollIntoViewIfNeeded()
    const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 }
    // By the mouse, which waits for no answer.
    await page.mouse.dblclick(x + 5, y + 5, { delay: 120 })
    await expect.poll(() => sent.length).toBe(1)
    answer()
    const passTime = async () => {
      await page.clock.runFor(1_001)
      return page.evaluate('performance.now()')
    }
    // It stands still as long as the answer is awaited.
    await expect.poll(passTime).toBeGreaterThan(1_000)
    // Told apart, it comes after every request of the double click.
    await form.evaluate((one) => one.setAttribute('action', `${one.getAttribute('action')}?later`))
    const later = page.waitForRequest(/later$/)
    await page.mouse.click(x + 5, y + 5)
    await later
    expect(sent.map((url) => new URL(url).search)).toEqual(['', '?later'])
  })
})
