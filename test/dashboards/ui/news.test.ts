import type { Page, Request } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { GuideOrder, GuideOrders, OrderedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { overviewFixture } from './fixture.ts'
import { listen, startPreview } from './serve.ts'

let stored = 1
let overdue = 123
const person: OrderedPerson = {
  userId: '7',
  name: 'Ada Moreno',
  outcome: 'assigned',
  assignmentId: null,
  lastStepAtMs: 1_764_000_000_000,
  detail: '',
  canAskAgain: false,
}
const underWay: GuideOrder = {
  orderId: 'o1',
  guideId: 'g1',
  guideTitle: 'Objections',
  askedAtMs: 1_764_000_000_000,
  askedBy: 'Grace',
  dueDateMs: null,
  again: false,
  reason: '',
  isDone: false,
  counts: { assigned: 1 },
  people: [person],
}
let order = underWay

const browser = await openBrowser()
const server = await listen(
  await startPreview({
    deps: {
      assigning: {
        orders: { get: async () => order } as Partial<GuideOrders> as GuideOrders,
        peopleOf: async () => ({ userIds: [], assignments: 0, isCut: false }),
        isSample: async () => true,
      },
    },
    queries: {
      lastStoredAt: async () => String(stored),
      async overview({ asOf }) {
        const fixture = overviewFixture({ compare: false })
        fixture.answer.as_of = new Date(asOf).toISOString()
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

/** Opens a page whose clock belongs to the test. */
async function open(path: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await holdTime(page)
  const connected = path !== '/' ? null : page.waitForResponse((response) => response.url().endsWith('/news'))
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
    expect(await loadsIn(page, 30_000, `${server.url}/news`)).toBe(1)
    expect(await offerOf(page).isVisible()).toBe(false)
    stored++
    expect(await loadsIn(page, 30_000, `${server.url}/news`)).toBe(1)
    await offerOf(page).waitFor()
    expect(await overdueOf(page).innerText()).toBe('123')
    // What is offered already is not asked again.
    expect(await loadsIn(page, 60_000, `${server.url}/news`)).toBe(0)
    await offerOf(page).click()
    await page.locator('#headline-overdue + .headline-value', { hasText: '124' }).waitFor()
    expect(await offerOf(page).isVisible()).toBe(false)
    stored++
    await page.clock.runFor(30_000)
    await offerOf(page).waitFor()
  })
})

test('a hidden tab asks nothing, and a past moment offers nothing', async () => {
  await open('/', async (page) => {
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    expect(await loadsIn(page, 90_000, `${server.url}/news`)).toBe(0)
  })
  await open('/?as_of=2026-11-01', async (page) => {
    expect(await loadsIn(page, 90_000, `${server.url}/news`)).toBe(0)
    expect(await page.locator('[data-news]').count()).toBe(0)
  })
})

describe('the page of a guide order', () => {
  test('loads itself again until the order is done', async () => {
    order = underWay
    await open('/assign/orders/o1', async (page) => {
      expect(await loadsIn(page, 3_000)).toBeGreaterThan(0)
      order = { ...underWay, isDone: true }
      await page.clock.runFor(3_000)
      await page.locator('#order [role=status]', { hasText: 'Done' }).waitFor()
      expect(await loadsIn(page, 30_000)).toBe(0)
    })
  })
})

test('the set-up page keeps what the reader has selected', async () => {
  await open('/setup', async (page) => {
    await page.evaluate('getSelection().selectAllChildren(document.querySelector("#landing .reason"))')
    expect(await loadsIn(page, 30_000)).toBe(0)
    expect(await page.evaluate('getSelection().toString()')).toContain('not JSON')
  })
})
