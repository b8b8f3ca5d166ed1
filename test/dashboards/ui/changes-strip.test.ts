/** The changes since Monday, on top of Home. */
import { afterAll, expect, test } from 'vitest'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import { filledNow, ids } from '../filled-company.ts'
import { openPreviews } from './previews.ts'

let problem: Error | undefined
let failures = 0
const previews = await openPreviews({
  deps: { onError: () => failures++ },
  queries: ({ changeCounts }) => ({
    changeCounts: (...given) => (problem ? Promise.reject(problem) : changeCounts(...given)),
  }),
})
afterAll(() => previews.close())

const stripOf = (html: string) => /<section id="changes"[\s\S]*?<\/section>/.exec(html)?.[0]

test.each([true, false])('its numbers lead to their rows; with a script: %s', async (javaScriptEnabled) => {
  await previews.open(`/?range=90d&team=${ids.team}`, { javaScriptEnabled }, async (page) => {
    expect(await page.locator('#changes').innerText()).toMatch(/Since Monday, 16 Nov/)
    const [strip, results] = await Promise.all(
      ['#changes', '.headlines'].map((id) => page.locator(id).boundingBox()),
    )
    expect((strip?.y ?? NaN) + (strip?.height ?? NaN)).toBeLessThan(results?.y ?? NaN)
    await page.locator('#changes a[href*="kind="]').first().click()
    const asked = new URL(page.url())
    expect(asked.pathname).toBe('/changes')
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      team: ids.team,
      assigned_from: '2026-08-23',
      from: '2026-11-15T23:00:00.000Z',
      as_of: new Date(filledNow).toISOString(),
    })
  })
})

test('a past moment has the week of that moment; a future one has no changes yet', async () => {
  expect(stripOf(await previews.read('/?as_of=2026-11-04'))).toContain('Since Monday, 2 Nov')
  expect(stripOf(await previews.read('/?as_of=2027-01-01'))).toBeUndefined()
})

test('the page is one answer, compressed, with the changes in it', async () => {
  const response = await fetch(previews.url, { headers: { 'sec-fetch-dest': 'document' } })
  expect(response.headers.get('content-encoding')).toBe('gzip')
  const html = await response.text()
  for (const once of ['<main', '</main>', '<h1', 'id="results"', 'id="changes"', '<footer', '</html>'])
    expect([once, html.split(once).length - 1]).toEqual([once, 1])
  expect(html).not.toMatch(/<template|<slot|<!--/)
})

test('where it cannot be read, the rest of the page stands, and the strip says so', async () => {
  for (const [error, reported] of [
    [new DataUnavailableError('busy', { retryAfterMs: 2_000 }), 0],
    [new Error('broken'), 1],
  ] as const) {
    failures = 0
    problem = error
    const response = await fetch(previews.url)
    const html = await response.text()
    problem = undefined
    expect([response.status, failures]).toEqual([200, reported])
    expect(html).toContain('id="by-challenge"')
    expect(stripOf(html)).toContain('could not be read now')
  }
})
