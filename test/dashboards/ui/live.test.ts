import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { until } from '../../support/wait.ts'
import { overviewFixture } from './fixture.ts'
import { listen, startPreview } from './serve.ts'

let stored = 1
let overdue = 123
/** What the numbers wait for. */
let gate = Promise.resolve()

const browser = await openBrowser()
const server = await listen(
  await startPreview({
    deps: { live: { readEveryMs: 20, tickMs: 20 } },
    queries: {
      storedThrough: async () => String(stored),
      async overview() {
        await gate
        const fixture = overviewFixture({ compare: false })
        fixture.answer.metrics.overdue.value = overdue
        return fixture
      },
    },
  }),
)
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** Opens a page whose clock belongs to the test: it loads itself again at most every ten seconds. */
async function open(path: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.clock.install()
  const connected = path.includes('as_of') ? null : page.waitForResponse((response) => response.url().endsWith('/live'))
  await page.goto(`${server.url}${path}`)
  await connected
  await use(page)
  await context.close()
}

const overdueOf = (page: Page) => page.locator('#headline-overdue + .headline-value')

/** Stores something, and lets the page's time pass until the numbers are there. */
async function waitForNumber(page: Page, number: string): Promise<void> {
  for (;;) {
    if ((await overdueOf(page).innerText()) === number) return
    stored++
    await page.clock.runFor(5_000)
  }
}

/** Holds the numbers back until the answer is called. */
function holdNumbers(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = promise
  return resolve
}

/** Stores something, and waits until the page has heard of it. */
async function storeAndTell(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    window.hasHeard = false
    const source = new EventSource('/live')
    source.addEventListener('hello', resolve)
    source.addEventListener('moved', () => (window.hasHeard = true))
  })`)
  await until(async () => {
    stored++
    return page.evaluate('window.hasHeard === true')
  })
}

const isFocused = (link: Locator) => link.evaluate((one) => one === one.ownerDocument.activeElement)

test('numbers move without a reload; nothing else does', async () => {
  overdue = 123
  await open('/', async (page) => {
    await page.evaluate('window.before = document.querySelector("h1"); scrollTo(0, 300)')
    overdue = 124
    await waitForNumber(page, '124')
    expect(await page.evaluate('window.before === document.querySelector("h1")')).toBe(true)
    expect(await page.evaluate('scrollY')).toBe(300)
    expect(await page.locator('#announcer').innerText()).toBe('')
  })
})

test('never under the focus or a selection of the reader: afterwards', async () => {
  overdue = 200
  await open('/', async (page) => {
    const link = page.locator('#results a:visible').first()
    await link.focus()
    overdue = 201
    await storeAndTell(page)
    await page.clock.runFor(60_000)
    expect(await overdueOf(page).innerText()).toBe('200')
    expect(await isFocused(link)).toBe(true)
    await link.blur()
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("h1"))')
    await page.clock.runFor(60_000)
    expect(await overdueOf(page).innerText()).toBe('200')
    await page.evaluate('getSelection().removeAllRanges()')
    await waitForNumber(page, '201')
  })
})

test('a reader who begins to read while the numbers load is left in peace, too', async () => {
  overdue = 300
  await open('/', async (page) => {
    const link = page.locator('#results a:visible').first()
    overdue = 301
    const release = holdNumbers()
    const asked = page.waitForRequest((request) => request.resourceType() === 'fetch')
    await storeAndTell(page)
    await page.clock.runFor(11_000)
    const request = await asked
    await link.focus()
    release()
    await (await request.response())?.finished()
    await page.evaluate('fetch("/health/live").then((response) => response.text())')
    expect(await isFocused(link)).toBe(true)
    expect(await overdueOf(page).innerText()).toBe('300')
    await link.blur()
    // Nothing more has to be stored for it.
    await page.clock.runFor(11_000)
    await page.locator('#headline-overdue + .headline-value', { hasText: '301' }).waitFor()
  })
})

test('a filter that was just chosen wins over numbers that move', async () => {
  await open('/', async (page) => {
    await page.clock.runFor(11_000)
    const release = holdNumbers()
    const asked = page.waitForRequest(/include_leavers/)
    await page.locator('input[name=include_leavers]').check()
    await page.clock.runFor(200)
    await asked
    await storeAndTell(page)
    await page.clock.runFor(11_000)
    release()
    await page.waitForURL(/include_leavers/)
  })
})

test('can be paused, and stays paused on the next page', async () => {
  await open('/', async (page) => {
    await page.getByRole('button', { name: 'Live' }).click()
    expect(await page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed')).toBe('false')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    expect(await page.getByRole('button', { name: 'Live' }).getAttribute('aria-pressed')).toBe('false')
    expect(asked).not.toContain('/live')
  })
})

test('a past moment does not move, and offers no button for it', async () => {
  await open('/?as_of=2026-11-01', async (page) => {
    expect(await page.locator('[data-live-switch]').isVisible()).toBe(false)
  })
})
