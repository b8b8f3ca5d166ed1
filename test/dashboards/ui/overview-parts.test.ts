/** The Overview is sent in parts: its frame before its numbers, and what changed after them. */
import { get, type IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DashboardsDeps } from '../../../dashboards/dashboards-deps.ts'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import type { BriefChangeCount } from '../../../reporting/queries/change-counts.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { changesFixture } from './changes-fixture.ts'
import { overviewFixture } from './fixture.ts'
import { type Running, listen, startPreview } from './serve.ts'

type ReadOverview = DashboardsDeps['overview']
type ReadChanges = DashboardsDeps['changes']['briefChanges']

let browser: Browser
let server: Running
let failures = 0
const atOnce = { overview: async () => overviewFixture({ compare: false }), briefChanges: changesFixture.briefChanges }
let now: { overview: ReadOverview; briefChanges: ReadChanges } = atOnce

beforeAll(async () => {
  browser = await openBrowser()
  const deps: Partial<DashboardsDeps> = {
    overview: (...asked) => now.overview(...asked),
    changes: { ...changesFixture, briefChanges: (...asked) => now.briefChanges(...asked) },
    onError: () => failures++,
  }
  server = await listen(await startPreview({ deps }))
  // The frame is sent first from the second page on: then it is known whether the data are a sample.
  await (await fetch(`${server.url}/`)).text()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})
beforeEach(() => {
  now = atOnce
  failures = 0
})

/** As a browser asks for what stands in its address bar. */
async function ask(
  encoding: string,
): Promise<{ headers: IncomingMessage['headers']; readTo(text: string): Promise<string> }> {
  const headers = { 'sec-fetch-dest': 'document', 'accept-encoding': encoding }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}/`, { headers }, resolve).on('error', reject)
  })
  const parts = answer.headers['content-encoding'] === 'gzip' ? answer.pipe(createGunzip()) : answer
  const bytes = parts.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
  let html = ''
  return {
    headers: answer.headers,
    async readTo(text) {
      while (!html.includes(text)) {
        const { value, done } = await bytes.next()
        if (done === true) throw new Error(`The page ended without ${text}`)
        html += value
      }
      return html
    },
  }
}

test.each(['gzip, deflate, br', 'identity', 'gzip;q=0'])(
  'each part arrives before the next one is read, also compressed (%s)',
  async (encoding) => {
    const overview = Promise.withResolvers<Awaited<ReturnType<ReadOverview>>>()
    const changes = Promise.withResolvers<BriefChangeCount[]>()
    now = { overview: () => overview.promise, briefChanges: () => changes.promise }
    const page = await ask(encoding)
    expect(page.headers['content-encoding']).toBe(encoding.startsWith('gzip,') ? 'gzip' : undefined)
    expect(String(page.headers.vary)).toContain('Accept-Encoding')
    const frame = await page.readTo('class="skeleton')
    expect(frame).not.toContain('id="results"')
    overview.resolve(await atOnce.overview())
    expect(await page.readTo('id="by-challenge"')).not.toContain('Since Monday')
    changes.resolve([])
    const whole = await page.readTo('</html>')
    expect(whole).toContain('nothing fell overdue')
    for (const once of ['<main', '</main>', '<h1', 'id="results"', '<footer']) {
      expect([once, whole.split(once).length - 1]).toEqual([once, 1])
    }
  },
)

test.each([
  [1440, true],
  [1440, false],
  [390, true],
])(
  'what stands there before the numbers has their place, at %i px; with a script: %s',
  async (width, javaScriptEnabled) => {
    const context = await browser.newContext({ ...reader, javaScriptEnabled, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const overview = Promise.withResolvers<Awaited<ReturnType<ReadOverview>>>()
    now = { ...atOnce, overview: () => overview.promise }
    await page.goto(`${server.url}/`, { waitUntil: 'commit' })
    const skeleton = page.locator('.skeleton')
    await skeleton.locator('.headlines').waitFor()
    expect(await skeleton.innerText()).toMatch(/Are people finishing on time\?[^]*Completion[^]*Awaiting grade/)
    const before = await skeleton.locator('.headlines').boundingBox()
    overview.resolve(await atOnce.overview())
    const numbers = page.locator('#results .headlines')
    await numbers.waitFor()
    await page.waitForLoadState('load')
    expect(await skeleton.isVisible()).toBe(false)
    const after = await numbers.boundingBox()
    // A line of text more or less, where words wrap.
    expect(Math.abs((after?.y ?? NaN) - (before?.y ?? NaN))).toBeLessThanOrEqual(48)
    expect(after?.width).toBe(before?.width)
    expect(Math.abs((after?.height ?? NaN) - (before?.height ?? NaN))).toBeLessThanOrEqual(
      0.25 * (after?.height ?? NaN),
    )
    await context.close()
  },
)

test('an error is a part of the page where the frame has been sent, and a status for programs', async () => {
  now = { ...atOnce, overview: () => Promise.reject(new DataUnavailableError('busy', { retryAfterMs: 2_000 })) }
  const whole = await (await ask('identity')).readTo('</html>')
  expect(whole).toContain('The numbers are not available right now')
  expect(whole).toMatch(/<a class="button primary" href="\/">Try again/)
  expect(failures).toBe(1)
  expect((await fetch(`${server.url}/`)).status).toBe(503)
})
