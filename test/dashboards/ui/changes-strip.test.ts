/** The changes since Monday, on top of the Overview. */
import { afterAll, expect, test } from 'vitest'
import type { Queries } from '../../../reporting/queries/queries.ts'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { changesFixture, noChanges } from './changes-fixture.ts'
import { fixtureNow, overviewFixture } from './fixture.ts'
import { listen, startPreview } from './serve.ts'

let briefChanges: Queries['briefChanges'] = changesFixture.briefChanges
let failures = 0
const browser = await openBrowser()
const overview: Queries['overview'] = async ({ asOf }) => {
  const fixture = overviewFixture({ compare: false })
  fixture.answer.as_of = new Date(asOf).toISOString()
  return fixture
}
const server = await listen(
  await startPreview({
    deps: { onError: () => failures++ },
    queries: { overview, briefChanges: (before: Scope, scope: Scope) => briefChanges(before, scope) },
  }),
)
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const monday = Date.parse('2026-11-15T23:00:00.000Z')
const stripOf = (html: string) => /<section id="changes"[\s\S]*?<\/section>/.exec(html)?.[0]

test('stands above the numbers, with and without a script, and its numbers lead to their rows', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ ...reader, javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(`${server.url}/?range=90d&user=7`)
    const [strip, results] = await Promise.all(
      ['#changes', '.headlines'].map((id) => page.locator(id).boundingBox()),
    )
    expect((strip?.y ?? NaN) + (strip?.height ?? NaN)).toBeLessThan(results?.y ?? NaN)
    const words = await page.locator('#changes').innerText()
    expect(words).toMatch(/Since Monday, 16 Nov/)
    expect(words).toContain('24 became overdue')
    expect(words).toContain('17 of them in Sales North')
    await page.getByRole('link', { name: '17 of them in Sales North' }).click()
    const asked = new URL(page.url())
    expect(asked.pathname).toBe('/changes')
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      user: '7',
      team: 'g-north',
      assigned_from: '2026-08-23',
      trend_from: '2026-08-23',
      from: new Date(monday).toISOString(),
      as_of: new Date(fixtureNow).toISOString(),
      kind: 'became_overdue',
    })
    await context.close()
  }
})

test('a past moment looks at the week of that moment; a future one has no changes yet', async () => {
  const asked: [number, number][] = []
  briefChanges = async (before, scope) => {
    asked.push([before.asOf, scope.asOf])
    return changesFixture.briefChanges(before, scope)
  }
  const past = await (await fetch(`${server.url}/?as_of=2026-11-04`)).text()
  expect(stripOf(past)).toContain('Since Monday, 2 Nov')
  expect(asked).toEqual([
    [Date.parse('2026-11-01T23:00:00.000Z'), Date.parse('2026-11-04T23:00:00.000Z') - 1],
  ])
  expect(stripOf(await (await fetch(`${server.url}/?as_of=2027-01-01`)).text())).toBeUndefined()
  briefChanges = changesFixture.briefChanges
})

test('the page is one answer, compressed, with the changes in it', async () => {
  const response = await fetch(`${server.url}/`, { headers: { 'sec-fetch-dest': 'document' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const html = await response.text()
  expect(stripOf(html)).toContain('<strong>24</strong> became overdue')
  for (const once of ['<main', '</main>', '<h1', 'id="results"', 'id="changes"', '<footer', '</html>']) {
    expect([once, html.split(once).length - 1]).toEqual([once, 1])
  }
  expect(html).not.toMatch(/<template|<slot|<!--/)
})

test('where it cannot be read, the rest of the page stands, and the strip says so', async () => {
  for (const [error, told] of [
    [new DataUnavailableError('busy', { retryAfterMs: 2_000 }), 0],
    [new Error('broken'), 1],
  ] as const) {
    failures = 0
    briefChanges = () => Promise.reject(error)
    const response = await fetch(`${server.url}/`)
    const html = await response.text()
    expect([response.status, failures]).toEqual([200, told])
    expect(html).toContain('id="by-challenge"')
    expect(stripOf(html)).toContain('could not be read now')
  }
  briefChanges = noChanges.briefChanges
  expect((await fetch(`${server.url}/`, { method: 'HEAD' })).status).toBe(200)
  briefChanges = changesFixture.briefChanges
})
