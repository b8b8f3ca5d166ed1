import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import type { GuideOrder, GuideOrders, OrderedPerson } from '../../../services/guide-orders/guide-orders.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { until } from '../../support/wait.ts'
import { overviewFixture } from './fixture.ts'
import { listen, startPreview } from './serve.ts'

let stored = 1
let overdue = 123
const person: OrderedPerson = {
  userId: '7',
  name: 'Ada Moreno',
  outcome: 'given',
  assignmentId: null,
  tries: 1,
  lastStepAtMs: 1_764_000_000_000,
  detail: '',
  step: 2,
  needsDecision: false,
  canTakeBack: true,
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
  heldUpBy: null,
  counts: { given: 1 },
  people: [person],
}
let order = underWay
/** What the numbers wait for. */
let gate = Promise.resolve()

const browser = await openBrowser()
const server = await listen(
  await startPreview({
    deps: {
      live: { readEveryMs: 20, tickMs: 20 },
      assigning: {
        orders: { get: async () => order } as Partial<GuideOrders> as GuideOrders,
        peopleOf: async () => ({ userIds: [], assignments: 0, isCut: false }),
        isSample: async () => true,
      },
    },
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
  await holdTime(page)
  const connected = path !== '/' ? null : page.waitForResponse((response) => response.url().endsWith('/live'))
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

/** As `waitForNumber`, while nothing is stored. */
async function passTimeUntil(page: Page, number: string): Promise<void> {
  await until(async () => {
    await page.clock.runFor(5_000)
    return (await overdueOf(page).innerText()) === number
  })
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

/** Waits until the page has shown the answer, or decided not to. */
async function untilRead(page: Page, request: Request | undefined): Promise<void> {
  await (await request?.response())?.finished()
  await page.evaluate('fetch("/health/live").then((response) => response.text())')
}

/** How often the page asks for itself again while its time passes. */
async function loadsIn(page: Page, ms: number): Promise<number> {
  const asked: Request[] = []
  const note = (request: Request) => {
    if (request.url() === page.url()) asked.push(request)
  }
  page.on('request', note)
  await page.clock.runFor(ms)
  // Answered after the requests that have begun.
  await page.evaluate('0')
  page.off('request', note)
  for (const request of asked) await untilRead(page, request)
  return asked.length
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
    const asked: Request[] = []
    page.on('request', (request) => request.resourceType() === 'fetch' && asked.push(request))
    await storeAndTell(page)
    // The page may hear of it a moment later.
    const request = await until(async () => {
      await page.clock.runFor(11_000)
      return asked[0]
    })
    await link.focus()
    release()
    await untilRead(page, request)
    expect(await isFocused(link)).toBe(true)
    expect(await overdueOf(page).innerText()).toBe('300')
    await link.blur()
    // Nothing more has to be stored for it.
    await passTimeUntil(page, '301')
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

test('what was stored while the page did not listen is shown afterwards', async () => {
  overdue = 400
  await open('/', async (page) => {
    const live = page.getByRole('button', { name: 'Live' })
    await live.click()
    overdue = 401
    await live.click()
    await passTimeUntil(page, '401')
  })
})

/** As when its tab goes into the background, or comes to the front. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

test('tabs in the background leave the connections of the browser to others, and catch up when they are shown', async () => {
  overdue = 600
  await open('/', async (page) => {
    await setHidden(page, true)
    for (let others = 0; others < 6; others++) {
      const other = await page.context().newPage()
      await other.goto(`${server.url}/`)
      await setHidden(other, true)
    }
    overdue = 601
    await page.clock.runFor(30_000)
    expect(await overdueOf(page).innerText()).toBe('600')
    await setHidden(page, false)
    await passTimeUntil(page, '601')
  })
})

test('a server that was away for a moment is asked again', async () => {
  overdue = 500
  await open('/', async (page) => {
    await page.route('**/live', (route) => route.fulfill({ status: 503 }))
    const refused = page.waitForResponse(/\/live$/)
    await page.reload()
    // Not until it is finished: of a stream that the browser drops at its status, that is not always told.
    await refused
    await page.unroute('**/live')
    overdue = 501
    await passTimeUntil(page, '501')
  })
})

test('a past moment does not move, and offers no button for it', async () => {
  await open('/?as_of=2026-11-01', async (page) => {
    expect(await page.locator('[data-live-switch]').isVisible()).toBe(false)
  })
})

describe('the page of a guide order', () => {
  const box = (page: Page) => page.getByRole('checkbox', { name: 'Choose Ada Moreno' })
  test('loads itself again until the order is done, and not under a tick', async () => {
    order = underWay
    await open('/assign/orders/o1', async (page) => {
      expect(await loadsIn(page, 3_000)).toBeGreaterThan(0)
      await box(page).check()
      await box(page).blur()
      order = { ...underWay, isDone: true }
      expect(await loadsIn(page, 30_000)).toBe(0)
      expect(await box(page).isChecked()).toBe(true)
      expect(await page.locator('#order [role=status]').innerText()).toContain('Under way')
      await box(page).uncheck()
      await box(page).blur()
      await page.clock.runFor(3_000)
      await page.locator('#order [role=status]', { hasText: 'Done' }).waitFor()
      expect(await loadsIn(page, 30_000)).toBe(0)
    })
  })

  test('leaves a person out whom the reader has left out', async () => {
    order = { ...underWay, people: [{ ...person, needsDecision: true }] }
    await open('/assign/orders/o1', async (page) => {
      expect(await box(page).isChecked()).toBe(true)
      await box(page).uncheck()
      await box(page).blur()
      expect(await loadsIn(page, 30_000)).toBe(0)
      expect(await box(page).isChecked()).toBe(false)
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
