/** What happened since Monday, on top of Home. */
import { afterAll, expect, test } from 'vitest'
import { filledNow, ids } from '../filled-company.ts'
import { openPreviews } from './previews.ts'

const previews = await openPreviews()
afterAll(() => previews.close())

const stripOf = (html: string) => /<section id="changes"[\s\S]*?<\/section>/.exec(html)?.[0]

test('its numbers lead to their rows', async () => {
  await previews.open(`/?range=90d&team=${ids.team}`, {}, async (page) => {
    expect(await page.locator('#changes').innerText()).toMatch(/Since Monday, 16 Nov/)
    const [strip, results] = await Promise.all(
      ['#changes', '.headlines'].map((id) => page.locator(id).boundingBox()),
    )
    expect((strip?.y ?? NaN) + (strip?.height ?? NaN)).toBeLessThan(results?.y ?? NaN)
    const first = page.locator('#changes a[data-count]').first()
    const n = await first.getAttribute('data-count')
    await first.click()
    const asked = new URL(page.url())
    expect(asked.pathname).toBe('/assignments')
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      team: ids.team,
      assigned_from: '2026-08-23',
      metric: 'trend',
      as_of: new Date(filledNow).toISOString(),
    })
    expect(await page.locator('h1').innerText()).toMatch(new RegExp(`^${n} assignment`))
  })
})

test('a past moment has the week of that moment, a Monday the week before, and a future one none', async () => {
  const leads = [
    ['2026-11-04', 'Since Monday, 2 Nov'],
    ['2026-11-09', 'Last week'],
    ['2027-01-01', undefined],
  ] as const
  for (const [day, lead] of leads) {
    const strip = stripOf(await previews.read(`/?as_of=${day}`))
    expect([day, strip === undefined ? undefined : /<p>([^<]*)/.exec(strip)?.[1]]).toEqual([day, lead])
  }
})
