/** The pages of rows, of learners and of one assignment, in a real browser over the fixture's company. */
import { join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { faultsOf, layoutFaultsOf, openDetails } from '../../support/browser/faults.ts'
import { openPreviews } from './previews.ts'

/** A folder for pictures of the pages, to look at. Default: none are taken. */
const pictures = process.env['ROLLCALL_PICTURES']

const previews = await openPreviews(['plain', 'nothing'])
afterAll(() => previews.close())

const views = [
  { name: 'light', options: {} },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'dark, 320 px', options: { colorScheme: 'dark', viewport: { width: 320, height: 800 } } },
  { name: 'forced colours', options: { forcedColors: 'active' } },
] satisfies { name: string; options: BrowserContextOptions }[]

const paths = [
  '/assignments?fact=overdue&team=g-north&metric=on_time_rate&part=excluded.not_due_yet',
  '/learners?q=a&with=overdue',
  '/learners/u-1',
  '/assignments/a-1',
]

/** Each in one view; test/dashboards/looks/every-page.long.test.ts has every page in all of them. */
test.each(paths.map((path, at) => [path, views[at]] as const))(
  '%s has no axe violation, no complaint, and no word out of place',
  async (path, view) => {
    await previews.open(path, view?.options ?? {}, async (page) => {
      if (pictures !== undefined) {
        const file = `${view?.name} ${path.replace(/\?.*/, '')}`.replaceAll(/[^\w]+/g, '-')
        await page.screenshot({ path: join(pictures, `${file}.png`), fullPage: true })
      }
      expect(await layoutFaultsOf(page)).toEqual([])
      await openDetails(page)
      expect(await faultsOf(page)).toEqual([])
    })
  },
)

test('nothing found is said, with a way to everything', async () => {
  await previews.open(previews.at('nothing', '/assignments?team=g-north'), {}, async (page) => {
    expect(await page.locator('h1').innerText()).toBe('0 assignments')
    expect(await faultsOf(page)).toEqual([])
  })
})

test('without a script columns are chosen by a form, which keeps the filters and the order', async () => {
  await previews.open('/assignments?fact=overdue&sort=person', { javaScriptEnabled: false }, async (page) => {
    await page.locator('.column-chooser summary').click()
    await page.getByLabel('Grade', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Show these columns' }).click()
    const state = new URL(page.url()).searchParams
    expect([state.get('fact'), state.get('sort')]).toEqual(['overdue', 'person'])
    expect(await page.locator('table.rows thead th').count()).toBe(8)
  })
})

test('paper shows the rows and the filters, and no buttons', async () => {
  await previews.open('/assignments?fact=overdue', { viewport: { width: 760, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.filters-printed').textContent()).toBe('Filters: Only overdue.')
    expect(await page.locator('.rows-words').isVisible()).toBe(false)
    expect(await page.locator('table.rows').isVisible()).toBe(true)
    for (const gone of ['.top', '.filters', '.pages .pill', '.column-chooser'])
      expect(await page.locator(gone).first().isVisible(), gone).toBe(false)
  })
})
