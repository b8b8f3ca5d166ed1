/** The pages for giving guides and for registering, in a real browser: readable by everyone, in place, and without JavaScript. */
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAssigning } from '../../dashboards/assigning.ts'
import { createQueries } from '../../reporting/queries/queries.ts'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { registerWebhook } from '../../services/registration/register.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { faultsOf } from '../support/browser/faults.ts'
import { visit } from '../support/browser/visit.ts'
import { listen, startPreview, type Running } from '../dashboards/ui/serve.ts'
import { createLife } from '../../sample-platform/company/life.ts'
import { openTestClient } from '../registration/client.ts'
import { toBatch, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'
import { from, never, openOffice, to, type Office } from './office.ts'
import { ownReader } from '../../reporting/read/reader.ts'

let store: TestStore
let office: Office
let pages: Running
let browser: Browser

beforeAll(async () => {
  store = await openTestStore()
  const consumer = createConsumer({ client: store.writer })
  const events = [...createLife({ seed: 'orders', from, people: 40 }).next(to)]
  await consumer.handle(toBatch(events.map(({ body }, offset) => toRecord(Buffer.from(body), offset))))
  office = await openOffice(store)
  const [free, other] = office.without(2) as [string, string]
  await office.place({ orderId: 'looked-at', userIds: [free, other, '99999'] })
  office.platform.apiFaults.next({ fault: 'cut', method: 'POST', carriedOut: true })
  await office.openRunner().run(never)
  const url = 'https://rollcall.example.com/webhooks/a-token-that-nobody-may-see-0123456789'
  for (const name of ['one', 'two']) office.platform.subscriptions.add({ name, url, eventTypes: [] }, to)
  const client = openTestClient(office.platform.baseUrl, 'platform-token')
  const deps = {
    assigning: createAssigning(office.orders, createQueries(ownReader(store.reader))),
    clock: () => to,
    register: (mode: 'check' | 'register' | 'fix') => registerWebhook({ client, url, mode }),
  }
  pages = await listen(await startPreview({ deps }))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await pages?.stop()
  await office?.close()
  await store?.close()
})

const views = [
  { name: 'light', options: {} },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
  { name: '200 % zoom', options: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 } },
  { name: 'without JavaScript', options: { javaScriptEnabled: false } },
] satisfies { name: string; options: BrowserContextOptions }[]

describe.each(views)('in $name', ({ options }) => {
  test.each(['/assign?fact=overdue', '/assign?fact=overdue&guide=GUIDE', '/assign/orders/looked-at', '/setup'])(
    '%s has no axe violation, no complaint of the browser, and no word out of place',
    async (path) => {
      const address = `${pages.url}${path.replace('GUIDE', office.guide.id)}`
      await visit(browser, address, options, async (page) => {
        if (path === '/setup') {
          await page.click('button[value=check]')
          await page.waitForSelector('.registration-result')
          expect(await page.textContent('.registration-result')).toContain('sends to the same address once more')
        }
        if (path.startsWith('/assign/orders')) expect(await page.textContent('[role=status]')).toContain('1 assigned')
        if ('javaScriptEnabled' in options) {
          expect(await page.textContent('h1')).not.toBe('')
        } else {
          expect(await faultsOf(page)).toEqual([])
        }
      })
    },
  )
})
