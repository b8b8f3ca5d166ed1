/** A page as a reader opens it: in a window of its own. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { reader } from './browser.ts'

export type VisitOptions = BrowserContextOptions & {
  /** Before the page is opened: cookies, for example. */
  prepare?: (context: BrowserContext, page: Page) => Promise<unknown>
  /** Complaints of the browser that belong to this page. Default: none. */
  expected?: RegExp
}

/** Gives the page to `use`. At the end the browser has complained about nothing, and nothing was asked of another origin. */
export async function visit(
  browser: Browser,
  url: string,
  { prepare, expected, ...options }: VisitOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ ...reader, viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  await prepare?.(context, page)
  const complaints: string[] = []
  const strange: string[] = []
  const { origin } = new URL(url)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) strange.push(request.url())
  })
  try {
    await page.goto(url)
    await use(page)
  } finally {
    await context.close()
  }
  expect([complaints.filter((each) => !expected?.test(each)), strange]).toEqual([[], []])
}
