/** The filled company on a server, without signing in, and a browser to look at it. */
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser/browser.ts'
import { visit, type VisitOptions } from '../../support/browser/visit.ts'
import { listen, startPreview, type PreviewOptions } from './serve.ts'

export type Previews = {
  browser: Browser
  url: string
  /** Visits a page, or a whole address. */
  open(path: string, options: VisitOptions, use: (page: Page) => Promise<void>): Promise<void>
  /** The body of an answer. */
  read(path: string): Promise<string>
  close(): Promise<void>
}

export async function openPreviews(options: PreviewOptions = {}): Promise<Previews> {
  const server = await listen(await startPreview(options))
  const browser = await openBrowser()
  const toUrl = (path: string) => new URL(path, server.url).href
  return {
    browser,
    url: server.url,
    open: (path, visitOptions, use) => visit(browser, toUrl(path), visitOptions, use),
    read: async (path) => (await fetch(toUrl(path))).text(),
    async close() {
      await browser.close()
      await server.stop()
    },
  }
}
