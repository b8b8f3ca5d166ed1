/** Pages on paper, as a real Chromium lays them out. */
import { afterAll, expect } from 'vitest'
import { openPreviews } from './previews.ts'
import { pickCases, test, testBoth } from '../../support/thorough.ts'

const previews = await openPreviews()
afterAll(() => previews.close())

/** Pages, and whether each lies across its sheet. */
const pages: [string, boolean][] = [
  ['/assignments', true],
  ['/overdue', false],
  ['/challenges', true],
  ['/teams', true],
  ['/learners', true],
  ['/grading', false],
  ['/', false],
  ['/challenges/c-1', false],
]

testBoth.each(pickCases(pages, 4))(
  'the tables of %s are whole on paper, and charts are not divided',
  async (path, isAcross) => {
    // The part of A4 within the margins, across or upright.
    const [width, height] = isAcross ? [1_032, 688] : [703, 1_016]
    await previews.open(path, { viewport: { width, height } }, async (page) => {
      await page.emulateMedia({ media: 'print' })
      const sheet = await page.evaluate(`({
      across: getComputedStyle(document.body).getPropertyValue('page') === 'across',
      beyond: [...document.querySelectorAll('main table')].filter((table) => table.getBoundingClientRect().right > innerWidth + 1).length,
      unbreakable: [...document.querySelectorAll('main .figure')].filter(
        (figure) => getComputedStyle(figure).breakInside === 'avoid' && figure.getBoundingClientRect().height > ${height},
      ).length,
      broken: [...document.querySelectorAll('main .figure:has(.plot)')].filter(
        (figure) => getComputedStyle(figure).breakInside !== 'avoid',
      ).length,
      controls: [...document.querySelectorAll('main :is(button, input, select, textarea, a.pill)')].filter(
        (control) => control.checkVisibility(),
      ).length,
    })`)
      const none = { beyond: 0, unbreakable: 0, broken: 0, controls: 0 }
      expect(sheet).toEqual({ across: isAcross, ...none })
      const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1')
      const [, wide, high] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(pdf) ?? []
      expect(Number(wide) > Number(high)).toBe(isAcross)
    })
  },
)

test('a comma stays on the line of the name before it, also where that name takes several lines', async () => {
  await previews.open('/learners', {}, async (page) => {
    await page.emulateMedia({ media: 'print' })
    const lines = await page.evaluate(`[...document.querySelectorAll('main td > a + .sep')].map((mark) => {
      mark.closest('table').style.width = '1px'
      mark.previousElementSibling.textContent = 'Field sales of the north'
      const comma = document.createRange()
      comma.setStart(mark.firstChild, 0)
      comma.setEnd(mark.firstChild, 1)
      const { top, height } = comma.getBoundingClientRect()
      const end = [...mark.previousElementSibling.getClientRects()].at(-1)
      const next = mark.nextElementSibling.getClientRects()[0]
      const middle = top + height / 2
      return { isWithName: end.top <= middle && middle <= end.bottom, isLast: next.top > middle }
    })`)
    expect(lines).toContainEqual({ isWithName: true, isLast: true })
    expect(lines).not.toContainEqual(expect.objectContaining({ isWithName: false }))
  })
})
