/** The pages of all and of one challenge, team or manager, in a real browser. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { pickCases } from '../../support/thorough.ts'
import { type Running, listen, startPreview } from './serve.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const layoutFaults = `${readFileSync(new URL('./layout-faults.js', import.meta.url), 'utf8')}\nlayoutFaults()`
const openAll = `document.querySelectorAll('details.behind').forEach((details) => (details.open = true))`

let browser: Browser
const servers = new Map<string, Running>()
beforeAll(async () => {
  browser = await openBrowser()
  for (const state of ['plain', 'nothing', 'many']) servers.set(state, await listen(await startPreview({ state })))
})
afterAll(async () => {
  await browser?.close()
  for (const server of servers.values()) await server.stop()
})

async function open(path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>, state = 'plain') {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${servers.get(state)?.url}${path}`)
  await use(page)
  await context.close()
  expect(complaints).toEqual([])
}

type AxeResult = { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }

async function expectSound(page: Page) {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResult
  expect(
    violations.flatMap(({ id, nodes }) => nodes.map((n) => `${id}: ${n.target.join(' ')} ${n.failureSummary}`)),
  ).toEqual([])
  expect(await page.evaluate(layoutFaults)).toEqual([])
}

const paths = [
  '/challenges?team=g-north',
  '/teams?sort=-grade&find=s',
  '/managers?reports=all',
  '/challenges/c-002?compare=month',
  '/teams/g-north?range=90d&challenge=c-002',
  '/managers/7',
  '/changes?since=week&team=g-north',
  '/changes?kind=became_overdue&cause=time',
]

/** The short run has every page in one of the two, and half of them without a scope. */
describe.each([
  { name: 'light', first: 0, options: {} },
  { name: 'dark, 320 px', first: 1, options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
] satisfies { name: string; first: number; options: BrowserContextOptions }[])('in $name', ({ first, options }) => {
  test.each(pickCases(paths, 2, first))(
    '%s has no axe violation, no complaint, and no word out of place',
    async (path) => {
      await open(path, options, async (page) => {
        await page.evaluate(openAll)
        await expectSound(page)
      })
    },
  )
})

// A manager whom nobody knows is an error page: objects-page.test.ts.
test.each(
  pickCases(
    paths.filter((path) => path !== '/managers/7'),
    2,
  ),
)('%s without a scope to show says so, and where to go on', async (path) => {
  await open(
    path,
    {},
    async (page) => {
      await expectSound(page)
      expect(await page.locator('main a').count()).toBeGreaterThan(0)
    },
    'nothing',
  )
})

test('without a script the lines are sorted by their heads, searched by the form, and five hundred are reachable', async () => {
  await open(
    '/challenges?team=g-north',
    { javaScriptEnabled: false },
    async (page) => {
      await page.locator('.lines thead a', { hasText: 'Overdue' }).click()
      expect(await page.locator('th[aria-sort]').innerText()).toContain('Overdue')
      const overdue = await page.locator('.lines tbody td:nth-child(5)').allInnerTexts()
      const numbers = overdue.map((text) => Number(/\d+/.exec(text)?.[0]))
      expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
      const seen = new Set<string>()
      for (;;) {
        for (const name of await page.locator('.lines tbody th').allInnerTexts()) seen.add(name)
        const next = page.getByRole('link', { name: 'Next' })
        if ((await next.count()) === 0) break
        await next.click()
      }
      expect(seen.size).toBeGreaterThan(500)
      await page.getByRole('searchbox', { name: 'Find', exact: true }).fill('price')
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      for (const name of await page.locator('.lines tbody th').allInnerTexts())
        expect(name.toLowerCase()).toContain('price')
      expect(new URL(page.url()).searchParams.get('team')).toBe('g-north')
    },
    'many',
  )
})

test('a line leads to its page and takes the filters along', async () => {
  await open('/?team=g-north&range=90d', {}, async (page) => {
    await page.locator('#by-challenge th[scope=row] a').first().click()
    await page.waitForURL(/\/challenges\/c-/)
    expect(new URL(page.url()).searchParams.get('team')).toBe('g-north')
    expect(await page.locator('.crumb').innerText()).toBe('Challenges')
    await page.locator('#by-team th[scope=row] a').first().click()
    await page.waitForURL(/\/teams\//)
    // The challenge that the reader came from narrows the team.
    expect(new URL(page.url()).searchParams.get('challenge')).toMatch(/^c-/)
  })
})

test('paper has the object, its filters and its tables, and no tools', async () => {
  await open('/teams/g-north?challenge=c-002', { viewport: { width: 760, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.filters-printed').innerText()).toContain('Team Sales North')
    for (const gone of ['.top', '.filters', '.crumb', '.steps'])
      expect(await page.locator(gone).first().isVisible(), gone).toBe(false)
    expect(await page.evaluate(layoutFaults)).toEqual([])
  })
})
