/** The pages of rows, of learners and of one assignment, in a real browser over the fixture's company. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { pickCases } from '../../support/thorough.ts'
import { type Running, listen, startPreview } from './serve.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const layoutFaults = `${readFileSync(new URL('./layout-faults.js', import.meta.url), 'utf8')}\nlayoutFaults()`
const openAll = `document.querySelectorAll('details:not([data-menu])').forEach((details) => (details.open = true))`
/** A folder for pictures of the pages, to look at. Default: none are taken. */
const pictures = process.env['ROLLCALL_PICTURES']

let browser: Browser
const servers = new Map<string, Running>()
beforeAll(async () => {
  browser = await openBrowser()
  for (const state of ['plain', 'nothing']) servers.set(state, await listen(await startPreview({ state })))
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers.values()) await server.stop()
})

async function open(state: string, path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const asked: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => asked.push(request.url()))
  const url = servers.get(state)?.url ?? ''
  await page.goto(url + path)
  await use(page)
  await context.close()
  expect([complaints, asked.filter((each) => !each.startsWith(url))]).toEqual([[], []])
}

type AxeResult = { violations: { id: string; nodes: { target: string[] }[] }[] }

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  return [...found, ...((await page.evaluate(layoutFaults)) as string[])]
}

const views = [
  { name: 'light', options: {} },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
  { name: '200 % zoom', options: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 } },
  { name: 'forced colours', options: { forcedColors: 'active' } },
] satisfies { name: string; options: BrowserContextOptions }[]

const paths = [
  '/assignments?fact=overdue&team=g-north&metric=on_time_rate&part=excluded.not_due_yet',
  '/learners?q=a&with=overdue',
  '/learners/u-1',
  '/assignments/a-1',
]

/** The short run has every page in some of the views. */
describe.each(views.map((view, number) => ({ ...view, number })))('in $name', ({ name, options, number }) => {
  test.each(pickCases(paths, 2, number))(
    '%s has no axe violation, no complaint, and no word out of place',
    async (path) => {
      await open('plain', path, options, async (page) => {
        if (pictures !== undefined) {
          const file = `${name} ${path.replace(/\?.*/, '')}`.replaceAll(/[^\w]+/g, '-')
          await page.screenshot({ path: join(pictures, `${file}.png`), fullPage: true })
        }
        expect(await faultsOf(page)).toEqual([])
        await page.evaluate(openAll)
        expect(await faultsOf(page)).toEqual([])
      })
    },
  )
})

test('nothing found is said, with a way to everything', async () => {
  await open('nothing', '/assignments?team=g-north', {}, async (page) => {
    expect(await page.locator('h1').innerText()).toBe('0 assignments')
    expect(await faultsOf(page)).toEqual([])
  })
})

test('without a script columns are chosen by a form, which keeps the filters and the order', async () => {
  await open('plain', '/assignments?fact=overdue&sort=person', { javaScriptEnabled: false }, async (page) => {
    await page.locator('.column-chooser summary').click()
    await page.getByLabel('Grade', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Show these columns' }).click()
    const state = new URL(page.url()).searchParams
    expect([state.get('fact'), state.get('sort')]).toEqual(['overdue', 'person'])
    expect(await page.locator('table.rows thead th').count()).toBe(8)
  })
})

test('paper shows the rows and the filters, and no buttons', async () => {
  await open('plain', '/assignments?fact=overdue', { viewport: { width: 760, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.rows-words').isVisible()).toBe(true)
    expect(await page.locator('table.rows').isVisible()).toBe(true)
    for (const gone of ['.top', '.filters', '.pages .pill', '.column-chooser'])
      expect(await page.locator(gone).first().isVisible(), gone).toBe(false)
  })
})
