/** The pages Overdue and Grading, in a real browser over the fixture's company. */
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, describe, expect } from 'vitest'
import { faultsOf, layoutFaultsOf, openDetails } from '../../support/browser/faults.ts'
import { holdTime } from '../../support/browser/hold-time.ts'
import { openPreviews } from './previews.ts'
import { pickCases, test, testBoth, testLong } from '../../support/thorough.ts'

const used = ['plain', 'nothing', 'many']

const previews = await openPreviews(used)
afterAll(() => previews.close())

const views = [
  { name: 'light', options: {} },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
] satisfies { name: string; options: BrowserContextOptions }[]

const lists = [
  '/overdue?group=manager',
  '/grading?waiting=7-13&review=soon',
  '/grading?graded=2026-11-16',
  '/remind?team=g-north',
]

/** test/dashboards/looks/every-page.long.test.ts has the other views. The short run has some states and lists in one. */
describe.each(
  pickCases(
    views.map((view, number) => ({ ...view, number })),
    6,
  ),
)('in $name', ({ options, number }) => {
  const cases = used.flatMap((state) =>
    ['/overdue?team=g-north', '/grading?range=90d'].map((path) => [state, path]),
  )
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

test('thousands of overdue people are a page of 25, sorted by the head of a column', async () => {
  await previews.open(previews.at('many', '/overdue'), {}, async (page) => {
    expect((await page.content()).length).toBeLessThan(250_000)
    const rows = page.locator('#people tbody th')
    const first = await rows.allInnerTexts()
    expect(first).toHaveLength(25)
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => rows.first().innerText()).not.toBe(first[0])
    expect((await rows.allInnerTexts()).filter((name) => first.includes(name))).toEqual([])
    await page.locator('#people thead').getByRole('link', { name: 'Overdue' }).click()
    await expect.poll(() => page.locator('#people tbody td').first().innerText()).toMatch(/^3/)
    expect(new URL(page.url()).search).toBe('?sort=-overdue')
  })
})

test('selects all people of the list at once, and opens one text and all addresses for them', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  // A button says for two seconds that it has copied.
  await previews.open('/overdue', { permissions, prepare: (_, page) => holdTime(page) }, async (page) => {
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect.poll(() => page.locator('#people tbody tr').count()).toBe(43)
    await page.getByLabel('Select all').check()
    expect(await page.locator('.tick:checked').count()).toBe(43)
    await page.getByRole('button', { name: 'Remind selected' }).click()
    await page.getByRole('heading', { name: 'Send reminders' }).waitFor()
    expect(new URL(page.url()).searchParams.getAll('user')).toHaveLength(43)
    await page.getByRole('button', { name: 'Copy 38 addresses' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^person\.\d+@sales\.example\.com; /,
    )
    expect(await page.locator('#text').innerText()).toMatch(
      /^Hello,\s+Some of your assignments are overdue\./,
    )
    const all =
      (await page.getByRole('link', { name: 'Write to all 38 addresses' }).getAttribute('href')) ?? ''
    expect(new URLSearchParams(all.split('?')[1]).get('bcc')?.split(',')).toHaveLength(38)
    const one = await page
      .getByRole('link', { name: /^Write to / })
      .nth(1)
      .getAttribute('href')
    expect(one).toMatch(/^mailto:person\.\d+@sales\.example\.com\?subject=[^&]+&body=[^&]+$/)
  })
})

test('groups by manager, and reminds all people of one manager in one go', async () => {
  await previews.open('/overdue', {}, async (page) => {
    await page.getByRole('link', { name: 'Managers', exact: true }).last().click()
    expect(new URL(page.url()).searchParams.get('group')).toBe('manager')
    const row = page.locator('#by-manager tbody tr', { hasText: 'Ann Lee' })
    expect(await row.getByRole('link', { name: 'Remind all 9' }).getAttribute('href')).toMatch(
      /^\/remind\?manager=m-0&manager_depth=1/,
    )
    await row.getByRole('link', { name: 'Ann Lee' }).first().click()
    expect(new URL(page.url()).search).toBe('?manager=m-0&manager_depth=1')
  })
})

test('on a phone a person is a card, and the first one is on the first screen', async () => {
  await previews.open('/overdue', { viewport: { width: 390, height: 844 } }, async (page) => {
    const card = await page.locator('#people tbody tr').first().boundingBox()
    expect((card?.y ?? 844) + (card?.height ?? 0)).toBeLessThan(844)
    expect(card?.height).toBeLessThan(100)
    expect(await page.locator('#people tbody tr').first().innerText()).toMatch(
      /Ada Moreno[\s\S]*1 overdue[\s\S]*120 days/,
    )
  })
})

test('prints everyone with one button', async () => {
  const prepare = (context: BrowserContext) =>
    context.addInitScript('window.print = () => (window.printed = true)')
  await previews.open('/overdue?team=g-north', { prepare }, async (page) => {
    await page.locator('#print').getByRole('link', { name: 'Print' }).click()
    await page.waitForFunction('window.printed === true')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#people tbody tr').count()).toBe(43)
    for (const each of await page.locator('.no-print').all()) expect(await each.isVisible()).toBe(false)
  })
})

testLong(
  'an age, a state of the review and a week of grades lead to their assignments on the same page',
  async () => {
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
  },
)
