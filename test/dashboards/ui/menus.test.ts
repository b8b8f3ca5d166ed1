/** Menus of the frame: with pointer, keys and on a phone. */
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { openPreviews } from './previews.ts'

const previews = await openPreviews()
afterAll(() => previews.close())

const isOpen = (page: Page, id: string) => page.evaluate(`document.getElementById('${id}').open`)
const waitForFocus = (page: Page, words: string) =>
  page.locator(':focus', { hasText: new RegExp(`^\\s*${words}\\s*$`) }).waitFor()

describe('a menu', () => {
  test('applies what arrow keys choose and closes on Enter', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-compare > summary').press('Enter')
      await page.keyboard.press('Tab')
      await page.locator('input[name=compare]:focus').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForURL(/compare=last_month/)
      expect(await isOpen(page, 'menu-compare')).toBe(true)
      await page.keyboard.press('Enter')
      expect(await isOpen(page, 'menu-compare')).toBe(false)
      await waitForFocus(page, 'vs. last month')
    })
  })

  test('leads by Tab to its links; Escape closes it and keeps the focus', async () => {
    await previews.open('/', {}, async (page) => {
      await page.locator('#menu-admin > summary').press('Enter')
      await page.keyboard.press('Tab')
      await waitForFocus(page, 'Health')
      await page.keyboard.press('Escape')
      expect(await isOpen(page, 'menu-admin')).toBe(false)
      await waitForFocus(page, 'Admin')
    })
  })
})

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 } }

  test.each([true, false])(
    'filters are behind one button that counts them; with a script: %s',
    async (hasScript) => {
      await previews.open(
        '/overdue?team=g-north',
        { ...phone, javaScriptEnabled: hasScript },
        async (page) => {
          expect(await page.locator('form.filters :is(button, summary):visible').count()).toBe(2)
          expect((await page.locator('#results').boundingBox())?.y).toBeLessThan(500)
          await page.getByRole('button', { name: 'Filters (1)' }).click()
          await page.locator('#menu-team > summary').click()
          await page.locator('#menu-team label').nth(1).click()
          if (hasScript) await page.waitForURL(/team=.*team=/)
          else await page.getByRole('button', { name: 'Close' }).click()
        },
      )
    },
  )

  test('saving, links, files and paper are behind another', async () => {
    await previews.open('/overdue', phone, async (page) => {
      await page.getByRole('button', { name: 'Save, send, export or print' }).click()
      for (const name of ['Copy link', 'Print'])
        expect([name, await page.getByRole('button', { name, exact: true }).isVisible()]).toEqual([
          name,
          true,
        ])
      await page.locator('#menu-export > summary').click()
      const file = await page.locator('#menu-export a').first().boundingBox()
      expect((file?.x ?? 0) + (file?.width ?? 999)).toBeLessThan(390)
    })
  })
})
