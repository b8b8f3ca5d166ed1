/** On a phone: content wider than the screen shows at its edge that there is more, and nothing else is wider. */
import { afterAll, expect } from 'vitest'
import type { Page } from 'playwright-core'
import { pickCases, test, testBoth } from '../../support/thorough.ts'
import { openPreviews } from './previews.ts'

const phone = { width: 390, height: 844 }

const previews = await openPreviews()
afterAll(() => previews.close())

/** The boxes with more at their right than is seen, as places in the picture of the whole page. */
const wider = `[...document.querySelectorAll('.scroll')]
  .filter((box) => box.checkVisibility() && box.scrollWidth - box.clientWidth > 4)
  .map((box) => {
    const { right, top, height } = box.getBoundingClientRect()
    return { name: box.getAttribute('aria-label') ?? '', right: Math.round(right), top: Math.round(top + scrollY), height: Math.round(height), more: box.scrollWidth - box.clientWidth }
  })`

type Box = { name: string; right: number; top: number; height: number; more: number }

/**
 * How bright the brightest point of a column of pixels is: that of the ground, whatever stands on it. 2 px inside the right edge, where
 * a shadow would be, and 30 px further in. 0 to 255.
 */
const brightness = (picture: string, { right, top, height }: Box) => `(async () => {
  const image = new Image()
  image.src = 'data:image/png;base64,${picture}'
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const brightest = (x) => {
    const { data } = context.getImageData(x, ${top} + 14, 1, Math.max(1, ${height} - 28))
    let most = 0
    for (let at = 0; at < data.length; at += 4) most = Math.max(most, (data[at] + data[at + 1] + data[at + 2]) / 3)
    return most
  }
  return { edge: brightest(${right} - 2), inside: brightest(${right} - 32) }
})()`

/** Boxes whose edge looks as if there were nothing behind it. */
async function withoutHint(page: Page, boxes: readonly Box[]): Promise<string[]> {
  const picture = (await page.screenshot({ fullPage: true })).toString('base64')
  const canvas = await previews.browser.newPage()
  const found: string[] = []
  for (const box of boxes) {
    const { edge, inside } = (await canvas.evaluate(brightness(picture, box))) as {
      edge: number
      inside: number
    }
    if (inside - edge < 10)
      found.push(`${box.name}: ${box.more} px more, ${inside} inside and ${edge} at the edge`)
  }
  await canvas.close()
  return found
}

const pages = [
  '/',
  '/assignments',
  '/learners?with=overdue',
  '/learners/7',
  '/overdue',
  '/overdue?group=manager',
  '/grading',
  '/challenges',
  '/challenges/c-002',
  '/teams',
  '/teams/g-north',
  '/managers',
  '/managers/m-0',
  '/changes',
  '/guides?show=assigned',
  '/health',
  '/data',
  '/setup',
]

const looks = ['en-GB', 'de-DE'].flatMap((locale) => pages.map((path) => [path, locale] as const))

testBoth.each(pickCases(looks, 18))(
  '%s in %s shows where there is more to the right',
  async (path, locale) => {
    await previews.open(path, { locale, viewport: phone }, async (page) => {
      await page.evaluate('document.fonts.ready')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
      const boxes = (await page.evaluate(wider)) as Box[]
      // A picture of the whole page is dear.
      if (boxes.length > 0) expect(await withoutHint(page, boxes)).toEqual([])
    })
  },
)

test('a list with columns beyond the edge has a hint, which goes when they are shown', async () => {
  await previews.open('/assignments', { viewport: phone }, async (page) => {
    const [box] = (await page.evaluate(wider)) as Box[]
    if (box === undefined) throw new Error('the list of assignments is as wide as a phone')
    expect(await withoutHint(page, [box])).toEqual([])
    await page.evaluate(`document.querySelector('.scroll').scrollLeft = 10000`)
    expect(await withoutHint(page, [box])).toHaveLength(1)
  })
})

test('rows of words stay a few lines high, also beyond the edge', async () => {
  for (const path of ['/changes', '/learners?with=overdue', '/setup']) {
    await previews.open(path, { viewport: phone }, async (page) => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
      const heights = await page
        .locator('.scroll tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.clientHeight))
      expect(heights.length).toBeGreaterThan(2)
      expect([path, Math.max(...heights)]).toEqual([
        path,
        expect.toSatisfy((height: number) => height <= 130),
      ])
    })
  }
})
