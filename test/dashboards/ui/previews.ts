/** The fixture's company in some of its states, each on a server, and a browser to look at them. */
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser/browser.ts'
import { visit, type VisitOptions } from '../../support/browser/visit.ts'
import { type Running, listen, startPreview } from './serve.ts'

export type Previews = {
  browser: Browser
  /** The address of a path in a state. */
  at(state: string, path?: string): string
  /** Visits a page of the first state, or a whole address. */
  open(path: string, options: VisitOptions, use: (page: Page) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** `states`: names of `states` in `serve.ts`, or `error`. Default: the plain one. */
export async function openPreviews(states: readonly string[] = ['plain']): Promise<Previews> {
  const servers = new Map<string, Running>()
  for (const state of new Set(states)) servers.set(state, await listen(await startPreview({ state })))
  const browser = await openBrowser()
  const at = (state: string, path = '/') => {
    const server = servers.get(state)
    if (server === undefined) throw new Error(`No server shows the state ${state}`)
    return server.url + path
  }
  return {
    browser,
    at,
    open: (path, options, use) => visit(browser, new URL(path, at(states[0] ?? '')).href, options, use),
    async close() {
      await browser.close()
      for (const server of servers.values()) await server.stop()
    },
  }
}
