/**
 * One walk over every page of the router, as each role, in every look, in both languages: it answers, axe finds nothing, no word is cut or
 * out of place, nothing scrolls sideways, the browser complains about nothing, another origin is not asked. Each run takes a part of the
 * pages and looks, a complete one all of them. ROLLCALL_PICTURES names a folder for pictures of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { roles } from '../../services/config/values/roles.ts'
import { openBrowser, reader } from '../support/browser/browser.ts'
import { faultsOf, layoutFaultsOf, openDetails } from '../support/browser/faults.ts'
import { isLong, pick } from '../support/tiers.ts'
import { openFilledCompany } from './filled-company.ts'
import { toVisits, type Visit } from './visits.ts'

const focusFaults = `${readFileSync(new URL('./focus-faults.js', import.meta.url), 'utf8')}\nfocusFaults()`
const pictures = process.env['ROLLCALL_PICTURES']

const company = await openFilledCompany()
const browser = await openBrowser()
/** The browser of a reader who has set text twice as large. */
const largeText = await openBrowser({ switches: ['--blink-settings=defaultFontSize=32'] })
afterAll(async () => {
  await browser.close()
  await largeText.close()
  await company.close()
})

const visits = toVisits(company.guide)

type Look = {
  name: string
  options?: BrowserContextOptions
  width?: number
  height?: number
  check?: (page: Page, visit: Visit) => Promise<string[]>
}

/** What a reader has to look at: what can be pressed in the page, its words, and its height in windows. */
const clutter = `(() => {
  const isVisible = (one) => one.checkVisibility() && one.closest('.visually-hidden') === null
  const main = document.querySelector('main') ?? document.body
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  let words = 0
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode
    if (isVisible(parentElement)) words += data.split(/\\s+/).filter(Boolean).length
  }
  const controls = [...main.querySelectorAll('a, button, summary, select, input:not([type=hidden])')].filter(isVisible)
  return { controls: controls.length, words, screens: document.documentElement.scrollHeight / innerHeight }
})()`

/** The most of each on a page in English. */
const usual = { controls: 160, words: 1_200, screens: 4.5 }
const most: Record<string, typeof usual> = {
  '/': { controls: 60, words: 450, screens: 2 },
  '/assignments': { controls: 340, words: 1_200, screens: 5 },
}

async function clutterOf(page: Page, { path }: Visit): Promise<string[]> {
  const found = (await page.evaluate(clutter)) as typeof usual
  if ((await page.locator('html').getAttribute('lang')) !== 'en') return []
  const bound = most[path.replace(/\?.*/, '')] ?? usual
  return (['controls', 'words', 'screens'] as const)
    .filter((kind) => found[kind] > bound[kind])
    .map((kind) => `${found[kind]} ${kind}, more than ${bound[kind]}`)
}

/** Pages that are a wide table are printed across the sheet. */
const sheet = `(() => {
  const isAcross = getComputedStyle(document.body).getPropertyValue('page') === 'across'
  const count = (selector, isFault) => [...document.querySelectorAll(selector)].filter(isFault).length
  const height = isAcross ? 688 : 1016
  const isKept = (figure) => getComputedStyle(figure).breakInside === 'avoid'
  return {
    isAcross,
    tablesBeyond: count('main table', (table) => table.getBoundingClientRect().right > (isAcross ? 1032 : 703) + 1),
    unbreakable: count('main .figure', (figure) => isKept(figure) && figure.getBoundingClientRect().height > height),
    brokenCharts: count('main .figure:has(.plot)', (figure) => !isKept(figure)),
    controls: count('main :is(button, input, select, textarea, a.pill)', (one) => one.checkVisibility()),
    definitionsAgain: count('main .definitions dt', (term, at, all) => term.checkVisibility() && all.slice(0, at).some((other) => other.checkVisibility() && other.textContent === term.textContent)),
    navigation: count('.top, .filters, #chips, .steps', (one) => one.checkVisibility()),
  }
})()`

async function paperFaultsOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 703, height: 1_016 })
  const first = (await page.evaluate(sheet)) as { isAcross: boolean }
  if (first.isAcross) await page.setViewportSize({ width: 1_032, height: 688 })
  const { isAcross, ...faults } = (await page.evaluate(sheet)) as { isAcross: boolean } & Record<
    string,
    number
  >
  const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1')
  const [, wide, high] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(pdf) ?? []
  const found = Object.entries(faults).filter(([, count]) => count > 0)
  return [
    ...found.map(([kind, count]) => `${count} ${kind} on paper`),
    ...(Number(wide) > Number(high) === isAcross ? [] : ['the sheet lies the other way']),
  ]
}

const looks: readonly Look[] = [
  { name: 'light', width: 1440, check: clutterOf },
  {
    name: 'focus',
    // The first key makes the browser show the focus, also where a script sets it.
    async check(page) {
      await page.keyboard.press('Tab')
      return (await page.evaluate(focusFaults)) as string[]
    },
  },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced colours', options: { forcedColors: 'active' } },
  { name: '200 % zoom', width: 640, height: 450 },
  { name: '390 px', width: 390, height: 844 },
  { name: 'dark, 320 px', width: 320, options: { colorScheme: 'dark' } },
  { name: 'print', check: paperFaultsOf },
  { name: 'large text' },
  {
    name: 'without a script',
    options: { javaScriptEnabled: false },
    check: async (page) =>
      (await page.locator('.needs-script:visible').count()) === 0 ? [] : ['a tool that needs a script'],
  },
]

const contexts = new Map<string, Promise<BrowserContext>>()

function contextOf(
  { as }: Visit,
  { name, options, width = 1280, height = 900 }: Look,
  locale: string,
): Promise<BrowserContext> {
  const key = [as, name, locale].join()
  const open = async () => {
    const from: Browser = name === 'large text' ? largeText : browser
    const context = await from.newContext({ ...reader, locale, viewport: { width, height }, ...options })
    if (as !== 'nobody') await company.enter(context, as)
    return context
  }
  const context = contexts.get(key) ?? open()
  contexts.set(key, context)
  return context
}

/** Opens a page, and says what is wrong with it. `use`: what else is looked at. */
async function lookAt(visit: Visit, look: Look, locale: string, use = look.check): Promise<string[]> {
  const page = await (await contextOf(visit, look, locale)).newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    const isStatus = visit.status !== 200 && message.text().includes(String(visit.status))
    if (!isStatus && ['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(company.url)) faults.push(`asks ${request.url()}`)
  })
  const response = await page.goto(company.url + visit.path)
  if (response?.status() !== visit.status) faults.push(`answers ${response?.status()}`)
  faults.push(...((await use?.(page, visit)) ?? []))
  await openDetails(page)
  if (pictures !== undefined) {
    const name = [visit.path, visit.as, look.name, locale].join(' ').replaceAll(/[^a-z0-9%]+/gi, '-')
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }
  faults.push(
    ...(look.options?.javaScriptEnabled === false || visit.path.startsWith('/digest/preview')
      ? await layoutFaultsOf(page)
      : await faultsOf(page)),
  )
  await page.close()
  return faults
}

const cases = visits.flatMap((visit, number) =>
  looks.map((look, at) => ({ visit, look, locale: (number + at) % 2 === 0 ? 'en-GB' : 'de-DE' })),
)

test.each(pick(cases, 61, 0, 9))(
  '$visit.path as $visit.as: $look.name, $locale',
  async ({ visit, look, locale }) => expect(await lookAt(visit, look, locale)).toEqual([]),
)

/** Over HTTP: what needs no browser is asked of every page, in each run. */
test('every page answers as its role may, in its language, is light, and has nothing inline', async () => {
  const cookies = new Map<string, string>([['nobody', '']])
  for (const role of roles) cookies.set(role, await company.cookieOf(role))
  const faults: unknown[] = []
  for (const [number, { path, as, status }] of visits.entries()) {
    const language = number % 2 === 0 ? 'en' : 'de'
    const cookie = `${cookies.get(as)}; rollcall_language=${language}`
    let answer = await company.app.request(path, { headers: { cookie } })
    const way = answer.headers.get('location')
    if (way !== null) answer = await company.app.request(way, { headers: { cookie } })
    const html = await answer.text()
    const isOfNumbers =
      status === 200 &&
      !/^\/(sign-in|digest|password|views|notes|access|help|data|search|health\/failed)/.test(path)
    const isMail = path.startsWith('/digest/preview') && answer.status === 200
    const found = {
      status: answer.status,
      // A mail is in the language of its reader's last visit.
      language: isMail ? language : /<html lang="(\w+)/.exec(html)?.[1],
      policy: isMail || /default-src 'self'/.test(answer.headers.get('content-security-policy') ?? ''),
      isMarked: !isOfNumbers || html.includes('class="sample-banner"'),
      isLight: gzipSync(html).length <= 40_000,
      hasHeading: isMail || html.split('<h1').length === 2,
      inline: isMail ? null : html.match(/<[^>]+ style=|<style|<script(?! type="module" src=)/g),
    }
    const right = {
      status,
      language,
      policy: true,
      isMarked: true,
      isLight: true,
      hasHeading: true,
      inline: null,
    }
    if (!isDeepStrictEqual(found, right)) faults.push({ path, as, ...found })
  }
  expect(faults).toEqual([])
})

test('the scripts of a page are at most 15 kB', async () => {
  const html = await (await company.app.request('/sign-in')).text()
  const texts = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(async ([, src = '']) =>
    (await company.app.request(src)).text(),
  )
  expect(texts.length).toBeGreaterThan(0)
  const sizes = (await Promise.all(texts)).map((text) => gzipSync(text).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(15_000)
})

test('every menu of Home is whole when it is open', async () => {
  const home: Visit = { path: '/', as: 'owner', status: 200 }
  for (const look of [{ name: 'light' }, { name: '390 px', width: 390 }]) {
    const faults = await lookAt(home, look, 'en-GB', async (page) => {
      const menus = page.locator('details[data-menu] > summary:visible')
      const count = await menus.count()
      expect(count).toBeGreaterThan(1)
      const found: string[] = []
      for (let at = 0; at < count; at++) {
        await menus.nth(at).click()
        const name = await menus.nth(at).innerText()
        found.push(...(await layoutFaultsOf(page)).map((fault) => `${name}: ${fault}`))
        await menus.nth(at).click()
      }
      return found
    })
    expect(faults).toEqual([])
  }
})

describe.skipIf(isLong)(
  'a manager has an answer after at most two clicks and one screen of scrolling',
  () => {
    /** How far down something begins, in screens. */
    async function screensTo(page: Page, what: string): Promise<number> {
      const box = await page.locator(what).first().boundingBox()
      if (box === null) throw new Error(`there is no ${what} on ${page.url()}`)
      return (box.y + ((await page.evaluate('scrollY')) as number)) / (page.viewportSize()?.height ?? 0)
    }
    async function begin(size: Pick<Look, 'width' | 'height'> = {}): Promise<Page> {
      const visit: Visit = { path: '/', as: 'manager', status: 200 }
      const page = await (
        await contextOf(visit, { name: 'manager', width: 1440, ...size }, 'en-GB')
      ).newPage()
      await page.goto(company.url)
      return page
    }
    const openPlace = (page: Page, name: string) =>
      page.locator('#pages').getByRole('link', { name, exact: true }).click()

    test('who is overdue, and whom do I remind?', async () => {
      const page = await begin()
      expect(await page.locator('h1, #whose').allInnerTexts()).toContainEqual(
        expect.stringMatching(/Your \d+ people/),
      )
      await openPlace(page, 'Overdue')
      expect(await screensTo(page, '#people tbody tr')).toBeLessThan(1)
      await page
        .getByRole('link', { name: /^Remind all/ })
        .first()
        .click()
      expect(await page.locator('h1').innerText()).toBe('Send reminders')
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${company.url}/overdue`)
      expect(await screensTo(page, '#people tbody th a')).toBeLessThan(1)
    })

    test('what waits for a grade, and what comes first?', async () => {
      const page = await begin()
      await openPlace(page, 'Grading')
      expect(await screensTo(page, '#queue tbody tr')).toBeLessThan(2)
    })

    test('what changed since Monday?', async () => {
      const page = await begin()
      expect(await screensTo(page, '#changes a')).toBeLessThan(1)
      await page.getByRole('link', { name: 'All changes' }).click()
      expect(await screensTo(page, '#results table tbody tr')).toBeLessThan(1)
    })

    test('how does a team stand against others, and is it better than it was?', async () => {
      const page = await begin()
      await openPlace(page, 'Teams')
      expect(await screensTo(page, 'table.lines tbody tr')).toBeLessThan(1)
      await page.locator('table.lines tbody th a[href^="/teams/"]').first().click()
      expect(await screensTo(page, '#own-past tbody tr')).toBeLessThan(2)
    })
  },
)
