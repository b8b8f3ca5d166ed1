import type { Page, Request } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { createGuideOrders } from '../../../services/guide-orders/create-guide-orders.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { openSharedStore } from '../../support/store/store.ts'
import { filledContents } from '../filled-company.ts'
import { listen, startPreview } from './serve.ts'

let stored = 1
let overdue = 123

const browser = await openBrowser()
const store = await openSharedStore(filledContents)
const orders = createGuideOrders({ client: store.writer })
const server = await listen(
  await startPreview({
    deps: { orders },
    queries: (own) => ({
      lastStoredAt: async () => String(stored),
      async overview(...given) {
        const answer = await own.overview(...given)
        answer.answer.metrics.overdue.value = overdue
        return answer
      },
    }),
  }),
)
const news = `${server.url}/news`
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** Opens a page whose clock belongs to the test. */
async function open(path: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await holdTime(page)
  const connected = path === '/' ? page.waitForResponse(news) : null
  await page.goto(`${server.url}${path}`)
  await untilRead(page, (await connected)?.request())
  await use(page)
  await context.close()
}

const overdueOf = (page: Page) => page.locator('#headline-overdue + .headline-value')
const offerOf = (page: Page) => page.getByRole('button', { name: 'New data: show' })

/** Waits until the page has read the answer. */
async function untilRead(page: Page, request: Request | undefined): Promise<void> {
  await (await request?.response())?.finished()
  await page.evaluate('fetch("/health/live").then((response) => response.text())')
}

/** How often the page asks for an address while its time passes. Default: its own. */
async function loadsIn(page: Page, ms: number, url = page.url()): Promise<number> {
  const asked: Request[] = []
  const note = (request: Request) => {
    if (request.url() === url) asked.push(request)
  }
  page.on('request', note)
  await page.clock.runFor(ms)
  // Answered after the requests that have begun.
  await page.evaluate('0')
  page.off('request', note)
  for (const request of asked) await untilRead(page, request)
  return asked.length
}

test('the stamp offers what was stored since, and shows it when pressed', async () => {
  await open('/', async (page) => {
    overdue = 124
    expect(await loadsIn(page, 30_000, news)).toBe(1)
    expect(await offerOf(page).isVisible()).toBe(false)
    stored++
    expect(await loadsIn(page, 30_000, news)).toBe(1)
    await offerOf(page).waitFor()
    expect(await overdueOf(page).innerText()).toBe('123')
    // What is offered already is not asked again.
    expect(await loadsIn(page, 60_000, news)).toBe(0)
    const asked = page.waitForResponse(news)
    await offerOf(page).click()
    await page.locator('#headline-overdue + .headline-value', { hasText: '124' }).waitFor()
    expect(await offerOf(page).isVisible()).toBe(false)
    await untilRead(page, (await asked).request())
    stored++
    await page.clock.runFor(30_000)
    await offerOf(page).waitFor()
  })
})

test('a hidden tab asks nothing, and a past moment offers nothing', async () => {
  await open('/', async (page) => {
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    expect(await loadsIn(page, 90_000, news)).toBe(0)
  })
  await open('/?as_of=2026-11-01', async (page) => {
    expect(await loadsIn(page, 90_000, news)).toBe(0)
    expect(await page.locator('[data-news]').count()).toBe(0)
  })
})

test('the page of a guide order loads itself again until the order is done', async () => {
  await open('/assign/orders/waiting', async (page) => expect(await loadsIn(page, 3_000)).toBeGreaterThan(0))
  await open('/assign/orders/done', async (page) => expect(await loadsIn(page, 30_000)).toBe(0))
})

test('the set-up page keeps what the reader has selected', async () => {
  await open('/setup', async (page) => {
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("main"))')
    expect(await loadsIn(page, 30_000)).toBe(0)
    expect(await page.evaluate('getSelection().toString()')).not.toBe('')
  })
})
