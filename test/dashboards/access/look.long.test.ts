/** How the pages around sign-in and sharing look, over the real tables of access: axe, nothing cut off, no complaint of the browser. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEntrance } from '../../../dashboards/access/entrance.ts'
import { createAccessChanges } from '../../../services/access/changes.ts'
import { hashPassword } from '../../../services/access/passwords.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { faultsOf } from '../../support/browser/faults.ts'
import { visit } from '../../support/browser/visit.ts'
import { openTestStore, type TestStore } from '../../support/store/store.ts'
import { type Running, listen, startPreview } from '../ui/serve.ts'
import { configure } from './company.ts'

const password = 'correct horse battery'
const owner = 'olga.a-very-long-name-of-somebody@subsidiary.example.com'

let store: TestStore
let dashboards: Running
let browser: Browser
let dataDir: string
/** The signed-in owner. */
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>
let shared: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rollcall-look-'))
  store = await openTestStore()
  const config = configure({ DATA_DIR: dataDir, DASHBOARD_AUTH: 'password' })
  // Of today: the store drops what has ended long ago.
  const clock = Date.now
  const onError = (error: unknown) => {
    throw error
  }
  const entrance = openEntrance({ config, reader: store.reader, writer: store.writer, onError, clock })
  const { access, shares } = entrance
  const changes = createAccessChanges(access, shares)
  const by = { by: owner, address: '' }
  const person = { names: false, userId: '', ...by }
  await changes.setPerson({ login: owner, role: 'owner', password: await hashPassword(password), ...person })
  await changes.setPerson({ login: 'mona@example.com', role: 'manager', ...person, userId: '4711' })
  await changes.setPerson({ login: 'anna@example.com', role: 'analyst', ...person, names: true })
  await changes.createToken({ name: 'nightly report of the whole company', role: 'analyst', days: 90, ...person })
  dashboards = await listen(await startPreview({ deps: { entrance, onError } }))
  browser = await openBrowser()
  const context = await browser.newContext(reader)
  const page = await context.newPage()
  await page.goto(`${dashboards.url}/sign-in`)
  await page.getByLabel('E-mail').fill(owner)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${dashboards.url}/`)
  cookies = await context.cookies()
  shared = await makeLink(page, '/?range=90d&team=g-north')
  await makeLink(page, '/overdue')
  await context.close()
})
afterAll(async () => {
  await browser?.close()
  await dashboards?.stop()
  await store?.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** By the page's own tool and form. */
async function makeLink(page: Page, path: string): Promise<string> {
  await page.goto(`${dashboards.url}${path}`)
  await page.locator('#menu-account > summary').click()
  await page.getByRole('banner').getByRole('link', { name: 'Share this page' }).click()
  await page.getByLabel('With its files').check()
  await page.getByRole('button', { name: 'Make a link' }).click()
  return page.locator('#made-link').innerText()
}

type Look = { options?: BrowserContextOptions; signedIn?: boolean; expected?: RegExp }

async function open(address: string, { options, signedIn = true, expected }: Look, use: (page: Page) => Promise<void>) {
  const prepare = async (context: BrowserContext) => signedIn && context.addCookies(cookies)
  const viewport = { width: 1280, height: 900 }
  await visit(
    browser,
    new URL(address, dashboards.url).href,
    { viewport, ...options, prepare, ...(expected && { expected }) },
    use,
  )
}

const views = [
  { name: 'light', options: {} },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
  { name: '390 px', options: { viewport: { width: 390, height: 800 } } },
  { name: '900 px', options: { viewport: { width: 900, height: 800 } } },
] satisfies { name: string; options: BrowserContextOptions }[]

const paths = ['/access', '/share', '/share?page=%2Foverdue%3Fteam%3Dg-north', '/nowhere']

describe.each(views)('in $name', ({ options }) => {
  test.each(paths)('the page %s', async (path) => {
    const expected = path === '/nowhere' ? /404/ : undefined
    await open(path, { options, ...(expected && { expected }) }, async (page) =>
      expect(await faultsOf(page)).toEqual([]),
    )
  })

  test('a page that was shared, and a link that opens nothing', async () => {
    await open(shared, { options, signedIn: false }, async (page) => {
      expect(await faultsOf(page)).toEqual([])
      expect(await page.getByRole('link').allInnerTexts()).toContain('Assignments as CSV')
    })
    await open(`/s/${'x'.repeat(43)}`, { options, signedIn: false, expected: /404/ }, async (page) =>
      expect(await faultsOf(page)).toEqual([]),
    )
  })

  test('the way in', async () => {
    await open('/sign-in', { options, signedIn: false }, async (page) => expect(await faultsOf(page)).toEqual([]))
  })
})

test('the bar of somebody who signed in fits at every width, and signing out can be reached', async () => {
  await open('/', {}, async (page) => {
    const widths = [320, 360, 390, 480, 640, 768, 900, 901, 920, 940, 960, 980, 1000, 1001, 1080, 1100, 1200, 1280]
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      const bar = await page.locator('.top-inner').boundingBox()
      const tools = await page.locator('.top-tools').boundingBox()
      const nav = page.locator('#pages')
      const links = (await nav.isVisible()) ? await nav.boundingBox() : await page.locator('.nav-button').boundingBox()
      if (bar === null || tools === null || links === null) throw new Error('there is no bar')
      expect([width, 'tools beyond the page', tools.x + tools.width > width]).toEqual([
        width,
        'tools beyond the page',
        false,
      ])
      expect([width, 'pages under the tools', links.x + links.width > tools.x + 1]).toEqual([
        width,
        'pages under the tools',
        false,
      ])
      const opener = page.locator('#menu-account > summary')
      await opener.click()
      await page.locator('#menu-account').getByRole('button', { name: 'Sign out' }).waitFor({ state: 'visible' })
      await opener.click()
    }
  })
})
