/** The pages of all and of one challenge, team or manager, in a real browser. */
import { afterAll, expect } from 'vitest'
import { faultsOf } from '../../support/browser/faults.ts'
import { openPreviews } from './previews.ts'
import { pickCases, test, testBoth, testLong } from '../../support/thorough.ts'

const previews = await openPreviews(['plain', 'nothing', 'many'])
afterAll(() => previews.close())

const paths = [
  '/challenges?team=g-north',
  '/teams?sort=-grade_median&find=s',
  '/managers?reports=all',
  '/challenges/c-002?compare=last_month',
  '/teams/g-north?range=90d&challenge=c-002',
  '/managers/7',
  '/changes?from=week&team=g-north',
  '/changes?kind=became_overdue&cause=time',
]

// A manager whom nobody knows is an error page: objects-page.long.test.ts.
testBoth.each(
  pickCases(
    paths.filter((path) => path !== '/managers/7'),
    4,
  ),
)('%s without a scope to show says so, and where to go on', async (path) => {
  await previews.open(previews.at('nothing', path), {}, async (page) => {
    expect(await faultsOf(page)).toEqual([])
    expect(await page.locator('main a').count()).toBeGreaterThan(0)
  })
})

testLong(
  'without a script the lines are sorted by their heads, searched by the form, and five hundred are reachable',
  async () => {
    await previews.open(
      previews.at('many', '/challenges?team=g-north'),
      { javaScriptEnabled: false },
      async (page) => {
        await page.locator('.lines thead a', { hasText: 'Overdue' }).click()
        expect(await page.locator('th[aria-sort]').innerText()).toContain('Overdue')
        const overdue = await page.locator('.lines tbody td:nth-child(6)').allInnerTexts()
        const numbers = overdue.map((text) => Number(/\d+/.exec(text)?.[0]))
        expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
        const seen = new Set<string>()
        for (;;) {
          for (const name of await page.locator('.lines tbody th').allInnerTexts()) seen.add(name)
          const next = page.getByRole('link', { name: 'Next' })
          if ((await next.count()) === 0) break
          await next.click()
        }
        expect(seen.size).toBeGreaterThan(500)
        await page.getByRole('searchbox', { name: 'Find', exact: true }).fill('price')
        await page.getByRole('button', { name: 'Find', exact: true }).click()
        for (const name of await page.locator('.lines tbody th').allInnerTexts())
          expect(name.toLowerCase()).toContain('price')
        expect(new URL(page.url()).searchParams.get('team')).toBe('g-north')
      },
    )
  },
)

test('a line leads to its page and takes the filters along', async () => {
  await previews.open('/?team=g-north&range=90d', {}, async (page) => {
    await page.locator('#by-challenge th[scope=row] a').first().click()
    await page.waitForURL(/\/challenges\/c-/)
    expect(new URL(page.url()).searchParams.get('team')).toBe('g-north')
    expect(await page.locator('.crumb').innerText()).toBe('Challenges')
    await page.locator('#by-team th[scope=row] a').first().click()
    await page.waitForURL(/\/teams\//)
    // The challenge that the reader came from narrows the team.
    expect(new URL(page.url()).searchParams.get('challenge')).toMatch(/^c-/)
  })
})
