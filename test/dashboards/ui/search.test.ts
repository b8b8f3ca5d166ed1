import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findWords } from '../../../dashboards/pages/search/find-words.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { type Running, listen, startPreview } from './serve.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const layoutFaults = `${readFileSync(new URL('./layout-faults.js', import.meta.url), 'utf8')}\nlayoutFaults()`

let browser: Browser
let server: Running
beforeAll(async () => {
  browser = await openBrowser()
  server = await listen(await startPreview())
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function open(path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  await page.goto(`${server.url}${path}`)
  await use(page)
  await context.close()
}

async function faults(page: Page): Promise<unknown> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { target: string[] }[] }[]
  }
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...((await page.evaluate(layoutFaults)) as string[]),
  ]
}

describe('what a search finds', () => {
  test('pages by name and question, what the store has found, and definitions by title before those by text', () => {
    const hits = findWords('overdue', [{ kind: 'team', id: 'a&b', name: 'Overdue fighters' }], () => true)
    expect(hits.find(({ kind }) => kind === 'Team')).toMatchObject({ name: 'Overdue fighters', detail: 'a&b' })
    expect(hits.find(({ kind }) => kind === 'Team')?.href).toMatch(/a%26b$/)
    expect(hits.find(({ kind }) => kind === 'Definition')?.name).toContain('Overdue')
    expect(findWords('finishing', [], () => true).map(({ name }) => name)).toEqual(['Overview'])
    expect(findWords('zzz', [], () => true)).toEqual([])
  })
})

describe('in the window', () => {
  test.each(['/', 'Control+k', 'Meta+k'])('%s opens it; letters find, arrows and Enter go there', async (keys) => {
    await open('/guides', {}, async (page) => {
      await page.keyboard.press(keys)
      await page.locator('#search[open] input:focus').waitFor()
      await page.keyboard.type('sales n')
      const hit = page.locator('#search .hits a', { hasText: 'Sales North' })
      await hit.waitFor()
      await page.locator('#search .hits li').nth(1).waitFor({ state: 'detached' })
      expect(await page.locator('#announcer').innerText()).toBe('1 found')
      await page.keyboard.press('ArrowDown')
      expect(await hit.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true)
      expect(await faults(page)).toEqual([])
      await page.keyboard.press('Enter')
      await page.waitForURL(/g-north/)
    })
  })

  test('nothing found is said, and Escape gives the page back', async () => {
    await open('/', {}, async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('no such thing')
      await page.locator('#search .empty', { hasText: 'Nothing found' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.locator('#search').isVisible()).toBe(false)
    })
  })
})

describe('as a page', () => {
  test('works without a script', async () => {
    await open('/', { javaScriptEnabled: false }, async (page) => {
      await page.getByRole('link', { name: 'Search' }).click()
      await page.getByRole('searchbox').fill('moreno')
      await page.getByRole('button', { name: 'Search' }).click()
      expect(await page.locator('.hits a').allInnerTexts()).toEqual(['Ada Moreno'])
      expect(await page.locator('.hits a').getAttribute('href')).toMatch(/7$/)
    })
  })

  test.each([{ width: 1440 }, { width: 320 }])('has no fault at $width px, in the dark', async ({ width }) => {
    const options = { viewport: { width, height: 800 }, colorScheme: 'dark' } as const
    await open('/search?q=over', options, async (page) => expect(await faults(page)).toEqual([]))
  })

  test('what the reader typed is never markup', async () => {
    const html = await (await fetch(`${server.url}/search?q=${encodeURIComponent('"><img src=x>')}`)).text()
    expect(html).not.toContain('<img')
  })
})
