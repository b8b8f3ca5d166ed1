/** The pages of overdue and of ungraded work, in a real browser over the fixture's company. */
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, describe, expect } from 'vitest'
import { faultsOf, layoutFaultsOf, openDetails } from '../../support/browser/faults.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { openPreviews } from './previews.ts'
import { personFixture } from './rows-fixture.ts'
import { pickCases, test, testBoth, testLong } from '../../support/thorough.ts'

const used = ['plain', 'nothing', 'many']

const previews = await openPreviews(used)
afterAll(() => previews.close())

const views = [
  { name: 'light', options: {} },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
] satisfies { name: string; options: BrowserContextOptions }[]

const lists = [
  '/overdue?people_of=m-0',
  '/grading?waiting=7-13&review=soon',
  '/grading?graded=2026-11-16',
  '/overdue/print',
]

/** test/dashboards/looks/every-page.long.test.ts has the other views. The short run has some states and lists in one. */
describe.each(
  pickCases(
    views.map((view, number) => ({ ...view, number })),
    6,
  ),
)('in $name', ({ options, number }) => {
  const cases = used.flatMap((state) => ['/overdue?team=g-north', '/grading?range=90d'].map((path) => [state, path]))
  testBoth.each(pickCases(cases, 12, number))(
    'the %s state of %s has no axe violation, no complaint, and no word out of place',
    async (state = '', path = '') => {
      await previews.open(previews.at(state, path), options, async (page) => {
        expect(await layoutFaultsOf(page)).toEqual([])
        await openDetails(page)
        expect(await faultsOf(page)).toEqual([])
      })
    },
  )

  const some = lists.filter((_, at) => at % views.length === number)
  testBoth.each(pickCases(some, 4))('so does %s, a list or a page to print', async (path) => {
    await previews.open(path, options, async (page) => expect(await faultsOf(page)).toEqual([]))
  })
})

test('thousands of late people stay a page: some managers with some people each, and a link to the others', async () => {
  await previews.open(previews.at('many', '/overdue'), {}, async (page) => {
    expect((await page.content()).length).toBeLessThan(250_000)
    expect(await page.locator('.late-people tbody tr').count()).toBeLessThanOrEqual(15)
    await page
      .getByRole('link', { name: /Show all 600 people/ })
      .first()
      .click()
    await expect.poll(() => page.locator('.late-people tbody tr').count()).toBe(100)
    const before = await page.locator('.late-people tbody th').allInnerTexts()
    await page.getByRole('link', { name: 'More people' }).click()
    const after = await page.locator('.late-people tbody th').allInnerTexts()
    expect(after.filter((name) => before.includes(name))).toEqual([])
    // The list goes on at the moment of its beginning.
    expect(new URL(page.url()).searchParams.get('as_of')).toBe('2026-11-20T13:05:00.000Z')
  })
})

test('people of a list are ticked, or taken all, and then there is who gets a reminder, with the text of each', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  // A button says for two seconds that it has copied.
  await previews.open('/overdue', { permissions, prepare: (_, page) => holdTime(page) }, async (page) => {
    const group = page.locator('.late-group').first()
    const all = (await group.getByRole('link', { name: /^Remind all 9/ }).getAttribute('href')) ?? ''
    expect(all).toMatch(/^\/remind\?.*people_of=/)
    const names = await group.locator('.late-people tbody th a').allInnerTexts()
    for (const name of names.slice(0, 2))
      await group.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
    await group.getByRole('button', { name: 'Remind selected' }).click()
    await page.getByRole('heading', { name: 'Who gets a reminder?' }).waitFor()
    const asked = new URL(page.url()).searchParams
    expect([asked.get('ticked'), asked.getAll('user').length]).toEqual(['true', 2])
    await page
      .getByRole('button', { name: /^Copy \d+ address/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^person\.\d+@sales\.example\.com/)
    const link =
      (await page
        .getByRole('link', { name: /^Write a mail/ })
        .first()
        .getAttribute('href')) ?? ''
    expect(link).toMatch(/^mailto:person\.\d+@sales\.example\.com\?subject=[^&]+&body=[^&]+$/)
  })
})

test('on paper every manager has a page, which says of whom, of when and filtered by what', async () => {
  await previews.open('/overdue/print?team=g-north', {}, async (page) => {
    await page.emulateMedia({ media: 'print' })
    const sheets = page.locator('.sheet')
    expect(await sheets.count()).toBe(5)
    for (const sheet of await sheets.all()) {
      expect(await sheet.locator('h2').isVisible()).toBe(true)
      expect(await sheet.innerText()).toMatch(
        /As of 20 Nov 2026, 14:05 Europe\/Berlin\. Filters: Team Sales North\. Sample data\./,
      )
    }
    expect(await page.evaluate(`getComputedStyle(document.querySelectorAll('.sheet')[1]).breakBefore`)).toBe('page')
    for (const each of await page.locator('.no-print').all()) expect(await each.isVisible()).toBe(false)
    const unknown = sheets.filter({ has: page.locator('h2', { hasText: 'No manager known' }) })
    expect(await unknown.locator('.finding').innerText()).toMatch(/ without a known manager; the longest /)
  })
})

testLong('an age, a state of the review and a week of grades lead to their assignments on the same page', async () => {
  await previews.open('/grading', {}, async (page) => {
    await page.locator('#waiting .shares a.count').nth(3).click()
    expect(new URL(page.url()).search).toContain('waiting=7-13')
    expect(await page.locator('.chip').innerText()).toContain('Waiting: 7–13 days')
    await page.locator('.chip').click()
    await page.waitForURL((url) => !url.search.includes('waiting'))
    await page.locator('#turnaround summary').first().click()
    await page.locator('#turnaround .data a').last().click()
    expect(await page.locator('#queue h2').innerText()).toBe('What was graded then?')
  })
})

test('a manager of whose people nobody is late any more is named, and has no other’s numbers', async () => {
  const response = await fetch(previews.at('plain', '/overdue?people_of=caught-up'))
  const html = await response.text()
  expect(html).toContain(`Who needs a reminder: ${personFixture.user_name}`)
  const panel = html.slice(html.indexOf('id="people"'))
  const figure = panel.slice(0, panel.indexOf('</figure>'))
  expect(figure).toContain('Nobody is overdue in this list.')
  expect(figure).not.toContain('Grouped by manager')
})

test('a day to come is a tab of Late', async () => {
  await previews.open('/overdue', {}, async (page) => {
    await page.getByRole('link', { name: 'Due soon', exact: true }).click()
    expect(new URL(page.url()).searchParams.get('show')).toBe('due')
    expect(await page.locator('#due-days').isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Late people', exact: true }).click()
    expect(await page.locator('#people').isVisible()).toBe(true)
  })
})
