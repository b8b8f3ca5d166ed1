/**
 * Every page that the router knows, in every way in which somebody may look at it: axe finds nothing, no word is cut, outside or
 * on another one, nothing scrolls sideways, the focus can be seen, nothing is asked of another origin. A page is loaded three times: with
 * and without a script, and with text twice as large; between the other looks only the media and the window change.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toRouteKey } from '../../../dashboards/access/route-policy.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { pickLong } from '../../support/thorough.ts'
import { openFilledCompany, type FilledCompany } from './filled-company.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const layoutFaults = `${readFileSync(new URL('../../support/browser/layout-faults.js', import.meta.url), 'utf8')}\nlayoutFaults()`
const focusFaults = `${readFileSync(new URL('./focus-faults.js', import.meta.url), 'utf8')}\nfocusFaults()`

/** Where to write a picture of every look, for somebody to read. Left out: none are taken. */
const pictures = process.env['ROLLCALL_PICTURES']

type Looked = {
  path: string
  /** The details that are opened, by their selector. Default: every one that is not a menu. */
  opened?: string
  /** Who looks. Default: the owner, who sees most. */
  as?: 'owner' | 'manager' | 'nobody'
  /** Default: 200. */
  status?: number
}

const allDetails = 'details:not([data-menu])'
const when = 'range=90d&compare=last_month'

/** Words in capitals are ids of the company. */
const pages: readonly Looked[] = [
  { path: `/?${when}` },
  { path: `/?${when}`, opened: '#menu-account' },
  { path: `/?${when}`, opened: '#menu-admin' },
  { path: `/?${when}`, opened: '#menu-period' },
  { path: '/?as_of=2026-06-01', opened: '#menu-moment' },
  { path: '/?as_of=2026-06-01&team=TEAM', opened: '#menu-export' },
  { path: '/', as: 'manager' },
  { path: '/assignments?fact=overdue' },
  { path: '/assignments/ASSIGNMENT' },
  { path: '/learners' },
  { path: '/learners/PERSON' },
  { path: '/overdue?team=TEAM' },
  { path: '/overdue?group=manager' },
  { path: '/remind' },
  { path: '/remind?ticked=true', as: 'manager' },
  { path: '/grading?range=90d' },
  { path: '/challenges' },
  { path: '/challenges/CHALLENGE?compare=last_month' },
  { path: '/teams?sort=-grade_median' },
  { path: '/teams/TEAM?range=90d' },
  { path: '/managers?reports=all' },
  { path: '/managers/MANAGER' },
  { path: '/changes?from=week' },
  { path: '/guides?show=assigned' },
  { path: '/health' },
  // Without a replay that was done it leads to Health.
  { path: '/health/replay' },
  { path: '/health/failed/FAILED' },
  { path: '/data' },
  { path: '/help' },
  { path: '/help/api' },
  { path: '/search?q=a' },
  { path: '/setup' },
  { path: '/assign?fact=overdue&guide=GUIDE' },
  { path: '/assign/orders/looked-at' },
  { path: '/digest' },
  { path: '/digest', as: 'manager' },
  { path: '/digest/preview' },
  { path: '/digest/preview?login=mona@example.com' },
  { path: '/digest/unsubscribe?key=wrong', as: 'nobody' },
  { path: '/access' },
  { path: '/views' },
  { path: '/notes' },
  { path: '/notes', as: 'manager' },
  { path: '/sign-in', as: 'nobody' },
  { path: '/sign-in/forgot', as: 'nobody' },
  { path: '/sign-in/password/x', as: 'nobody', status: 404 },
  { path: '/password' },
  { path: '/nowhere', status: 404 },
  { path: '/health', as: 'manager', status: 403 },
  { path: '/teams/nowhere', status: 404 },
]

/** Routes that answer with something else than a page, or lead to one. */
const noPages =
  /^\/(api|assets|news|mcp|health\/(live|ready)|sign-in\/(start|callback))(\/|$)|:file|\.(csv|xlsx|sql)$/

const full = { resultTypes: ['violations'] }
const only = (...values: string[]) => ({ ...full, runOnly: { type: 'rule', values } })

type View = {
  name: string
  media?: Parameters<Page['emulateMedia']>[0]
  width?: number
  height?: number
  /** The rules of axe; rules that do not depend on the look are checked once. Left out: none. */
  axe?: object
}

const plain = { media: 'screen', colorScheme: 'light', forcedColors: 'none' } as const
const views: readonly View[] = [
  { name: 'light', axe: full },
  { name: 'dark', media: { colorScheme: 'dark' }, axe: only('color-contrast') },
  { name: 'forced colours', media: { forcedColors: 'active' }, axe: only('color-contrast') },
  { name: '200 % zoom', width: 640, height: 450, axe: only('scrollable-region-focusable') },
  { name: '390 px', width: 390, axe: only('target-size', 'scrollable-region-focusable', 'color-contrast') },
  { name: 'dark, 320 px', width: 320, media: { colorScheme: 'dark' }, axe: only('target-size') },
  { name: 'print', width: 760, media: { media: 'print' } },
]

let browser: Browser
/** The browser of a reader who has set text twice as large. */
let largeText: Browser
let company: FilledCompany
const ways = ['with a script', 'without a script', 'large text'] as const
type Way = (typeof ways)[number]
const contexts = new Map<string, BrowserContext>()

beforeAll(async () => {
  browser = await openBrowser()
  largeText = await openBrowser({ switches: ['--blink-settings=defaultFontSize=32'] })
  company = await openFilledCompany(() => browser.newContext(reader))
  for (const as of ['owner', 'manager', 'nobody'] as const) {
    for (const way of ways) {
      const options = {
        ...reader,
        viewport: { width: 1280, height: 900 },
        javaScriptEnabled: way !== 'without a script',
      }
      const context = await (way === 'large text' ? largeText : browser).newContext(options)
      if (as !== 'nobody') await company.signIn(context, as)
      contexts.set(`${as} ${way}`, context)
    }
  }
})
afterAll(async () => {
  await browser?.close()
  await largeText?.close()
  await company?.close()
})

function toPath(path: string): string {
  const { ids, guide } = company
  const all = { ...ids, guide }
  return Object.entries(all).reduce((filled, [name, id]) => filled.replace(name.toUpperCase(), id), path)
}

function toPicture(page: Page, { name }: View): string {
  const { pathname, search } = new URL(page.url())
  return join(pictures ?? '', `${[pathname, search, name].join(' ').replaceAll(/[^a-z0-9%]+/gi, '-')}.png`)
}

type AxeResult = { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }

/** Under an open menu lies a page that is looked at without it. */
async function violations(page: Page, options: object, opened: string): Promise<string[]> {
  const place = opened.startsWith('#menu') ? JSON.stringify(opened) : 'document'
  const { violations } = (await page.evaluate(`axe.run(${place}, ${JSON.stringify(options)})`)) as AxeResult
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  )
}

/** Pages that are a wide table are printed on the long side of a sheet. */
const liesAcross = `getComputedStyle(document.body).getPropertyValue('page') === 'across'`

async function faultsOf(page: Page, view: View, opened: string): Promise<string[]> {
  await page.emulateMedia({ ...plain, ...view.media })
  const isAcross = view.media?.media === 'print' && (await page.evaluate(liesAcross))
  await page.setViewportSize({ width: isAcross ? 1_032 : (view.width ?? 1280), height: view.height ?? 900 })
  const found = view.axe === undefined ? [] : await violations(page, view.axe, opened)
  if (pictures !== undefined) await page.screenshot({ path: toPicture(page, view), fullPage: true })
  return [...found, ...((await page.evaluate(layoutFaults)) as string[])].map(
    (fault) => `${view.name}: ${fault}`,
  )
}

/** The complaints of the browser, and its requests to others, on a page in a tab of its own. */
async function open(looked: Looked, way: Way, use: (page: Page) => Promise<string[]>): Promise<string[]> {
  const { path, as = 'owner', status = 200 } = looked
  const page = await (contexts.get(`${as} ${way}`) as BrowserContext).newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    const isStatus = status !== 200 && message.text().includes(String(status))
    if (!isStatus && ['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(company.url)) faults.push(`asks ${request.url()}`)
  })
  const response = await page.goto(company.url + toPath(path))
  if (response?.status() !== status) faults.push(`answers ${response?.status()}`)
  const found = await use(page)
  await page.close()
  return [...faults, ...found]
}

test('every page of the router is looked at', () => {
  const routes = [...new Set(company.app.routes.map(toRouteKey))].filter((key) => key.startsWith('GET /'))
  const patterns = routes.map((key) => key.slice('GET '.length)).filter((pattern) => !noPages.test(pattern))
  const paths = pages.map(({ path }) => path.replace(/\?.*$/, ''))
  const isLooked = (pattern: string) =>
    paths.some((path) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path))
  expect(patterns.length).toBeGreaterThan(25)
  expect(patterns.filter((pattern) => !isLooked(pattern))).toEqual([])
})

describe.each(pickLong(pages, 4))('$path $opened $as', (looked) => {
  test('holds in every view', async () => {
    const { opened = allDetails } = looked
    const faults = await open(looked, 'with a script', async (page) => {
      await page.evaluate(
        `document.querySelectorAll('${opened}').forEach((details) => (details.open = true))`,
      )
      await page.evaluate(axe)
      const found: string[] = []
      for (const view of views) found.push(...(await faultsOf(page, view, opened)))
      // The first key makes the browser show the focus, also where a script sets it.
      await faultsOf(page, { name: 'focus' }, opened)
      await page.keyboard.press('Tab')
      return [...found, ...((await page.evaluate(focusFaults)) as string[])]
    })
    expect(faults).toEqual([])
  })

  test('is whole without a script', async () => {
    const faults = await open(looked, 'without a script', async (page) => {
      const seen = await page.locator('.needs-script:visible').count()
      const found = (await page.evaluate(layoutFaults)) as string[]
      return seen === 0 ? found : [...found, `${seen} tools that need a script`]
    })
    expect(faults).toEqual([])
  })

  test('has room for text twice as large', async () => {
    const faults = await open(looked, 'large text', async (page) => {
      if (pictures !== undefined)
        await page.screenshot({ path: toPicture(page, { name: 'large text' }), fullPage: true })
      return (await page.evaluate(layoutFaults)) as string[]
    })
    expect(faults).toEqual([])
  })
})
