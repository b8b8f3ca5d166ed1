/** What every page stands in: navigation, font, sizes. In a real browser, over the Overview of the fixture. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages, type PageEntry } from '../../../dashboards/navigation.ts'
import { reader } from '../../support/browser/browser.ts'
import { layoutFaultsOf } from '../../support/browser/faults.ts'
import { openPreviews, type Previews } from './previews.ts'
import { arrivalFixture, healthFixture } from './health-fixture.ts'
import { setupFixture, startPreview } from './serve.ts'
import { reading, toReading } from '../../../language/language.ts'
import { lookUp } from '../../../language/translate.ts'
import { pickCases } from '../../support/thorough.ts'

let previews: Previews
beforeAll(async () => {
  previews = await openPreviews()
})
afterAll(() => previews?.close())

function namesOf(group: PageEntry['group']): string[] {
  return pages.filter((page) => page.group === group).map(({ name }) => name)
}

/** Fills the bar with what this server does not show: pages such as those of signing in, and the menu of saved views. */
const allPages = (namesOf: (group: PageEntry['group']) => string[]) => `(() => {
  const [daily, more] = document.querySelectorAll('#pages .nav-group')
  const fill = (group, names) => names.forEach((name) => {
    if ([...group.children].some((link) => link.textContent === name)) return
    const link = group.lastElementChild.cloneNode()
    link.textContent = name
    link.removeAttribute('aria-current')
    group.append(link)
  })
  fill(daily, ${JSON.stringify(namesOf('daily'))})
  fill(more, ${JSON.stringify(namesOf('more'))})
  const tools = document.querySelector('.top-tools')
  if (tools.querySelector('.view-menu') === null) tools.append(tools.querySelector('.tool').cloneNode(true))
})()`

/** How far the bar stands out of the column of the page, in px. */
const edges = `(() => {
  const main = document.querySelector('main')
  const { paddingLeft, paddingRight } = getComputedStyle(main)
  const column = main.getBoundingClientRect()
  const ends = [...document.querySelectorAll('.top-inner > *')].filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
  const left = column.left + parseFloat(paddingLeft) - Math.min(...ends.map((each) => each.left))
  const right = Math.max(...ends.map((each) => each.right)) - (column.right - parseFloat(paddingRight))
  return { left: Math.max(0, Math.round(left)), right: Math.max(0, Math.round(right)) }
})()`

describe('the navigation', () => {
  test.each([
    { locale: 'en-GB', widths: [1600, 1440, 1313, 1312, 1281, 1280, 1137, 1136, 1001] },
    { locale: 'de-DE', widths: [1600, 1440, 1280, 1313, 1312, 1217, 1216, 1137, 1136, 1073, 1072, 1001] },
  ])('shows all pages in one line in $locale at every width', async ({ locale, widths }) => {
    const namesIn = (group: PageEntry['group']) =>
      reading(toReading(undefined, locale), () => namesOf(group).map(lookUp))
    const names = [...namesIn('daily'), ...namesIn('more')].toSorted()
    await previews.open('/', { locale, viewport: { width: 1600, height: 800 } }, async (page) => {
      await page.evaluate(allPages(namesIn))
      await page.evaluate('document.fonts.ready')
      const links = page.locator('#pages a:visible')
      for (const width of pickCases(widths, 6)) {
        await page.setViewportSize({ width, height: 800 })
        const shown = await links.allInnerTexts()
        expect([width, shown.map((name) => name.trim()).toSorted()]).toEqual([width, names])
        const tops = await links.evaluateAll((each) => each.map((a) => a.getBoundingClientRect().y))
        expect([width, tops]).toEqual([width, tops.map(() => tops[0])])
        expect([width, await layoutFaultsOf(page)]).toEqual([width, []])
        expect([width, await page.evaluate(edges)]).toEqual([width, { left: 0, right: 0 }])
      }
    })
  })

  test.each(['en-GB', 'de-DE'])('ends with the column on a phone in %s', async (locale) => {
    await previews.open('/', { locale, viewport: { width: 390, height: 800 } }, async (page) => {
      await page.getByRole('button', { name: 'Live' }).waitFor()
      expect(await page.evaluate(edges)).toEqual({ left: 0, right: 0 })
    })
  })

  test.each([1000, 390, 320])('folds behind a button at %s px, also without a script', async (width) => {
    await previews.open('/', { viewport: { width, height: 700 }, javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('#pages').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'choose a page' }).click()
      expect(await page.getByRole('link', { name: 'Guides' }).isVisible()).toBe(true)
      await page.getByRole('link', { name: 'Guides' }).click()
      expect(new URL(page.url()).pathname).toBe('/guides')
    })
  })

  test('marks where the reader is', async () => {
    await previews.open('/', {}, async (page) => {
      expect(await page.locator('#pages [aria-current=page]').allInnerTexts()).toEqual(['Overview'])
    })
  })
})

describe('the bar of filters', () => {
  test('offers to compare where the page then says what it compares with, and nowhere else', async () => {
    const preview = await startPreview()
    const get = async (path: string) => (await preview.app.request(path)).text()
    const paths = [...pages.map(({ path }) => path), '/managers', '/challenges/c-002', '/teams/g-north', '/managers/70']
    const offering: string[] = []
    const applying: string[] = []
    for (const path of paths) {
      const page = await get(`${path}?compare=week`)
      if (page.includes('name="compare"')) offering.push(path)
      if (page.includes('class="compared"')) applying.push(path)
      // Nor does it travel on from a page that does not use it.
      else if (page.includes('data-filters'))
        expect([path, /name="compare"|compare=week/.test(page)]).toEqual([path, false])
    }
    await preview.close()
    expect(offering).toEqual(['/', '/challenges/c-002', '/teams/g-north', '/managers/70'])
    expect(applying).toEqual(offering)
  })
})

/** Pairs of cards with less than 8 px between them, and words outside the card that they belong to. */
const crowded = `(() => {
  const cards = [...document.querySelectorAll('main :is(.figure, .attention, .setup-steps > li, .setup-pulls)')]
    .filter((card) => card.checkVisibility() && card.parentElement.closest('.figure') === null)
  const name = (card) => (card.querySelector('h2, h3')?.textContent ?? card.className).trim()
  const faults = cards.length < 2 ? ['fewer than two cards'] : []
  cards.forEach((card, at) => {
    const a = card.getBoundingClientRect()
    for (const other of cards.slice(at + 1)) {
      const b = other.getBoundingClientRect()
      const apart = Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom)
      if (apart < 8) faults.push(name(card) + ' / ' + name(other) + ': ' + Math.round(apart) + ' px')
    }
    for (const words of card.querySelectorAll('h2, h3, p, text, .legend')) {
      if (words.closest('.scroll, .panel, .visually-hidden') !== null || !words.checkVisibility()) continue
      const { left, right } = words.getBoundingClientRect()
      if (left < a.left - 1 || right > a.right + 1) faults.push(name(card) + ' does not hold: ' + words.textContent.slice(0, 40))
    }
  })
  return faults
})()`

describe('cards', () => {
  const paths = ['/', '/overdue', '/grading', '/challenges/c-002', '/guides', '/health', '/data', '/setup']

  test.each([1440, 390])('stand apart from each other, and hold their words at %s px', async (width) => {
    for (const path of pickCases(paths, 3, width)) {
      await previews.open(path, { viewport: { width, height: 900 } }, async (page) => {
        expect([path, await page.evaluate(crowded)]).toEqual([path, []])
      })
    }
  })
})

/** What they show is the same whatever is stored. */
const withoutNumbers: readonly string[] = ['/data', '/help', '/views', '/access', '/digest']

test('a sample is marked on every page that has its numbers', async () => {
  const deps = {
    arrival: { ...arrivalFixture({ isBroken: false }), health: async () => ({ ...healthFixture, sample: true }) },
    setup: async () => ({ ...setupFixture, sample: true }),
  }
  const preview = await startPreview({ deps })
  const unmarked: string[] = []
  for (const { path } of pages.filter((each) => !withoutNumbers.includes(each.path))) {
    const page = await (await preview.app.request(path)).text()
    if (!page.includes('class="sample-banner"')) unmarked.push(path)
  }
  await preview.close()
  expect(unmarked).toEqual([])
})

describe('the font', () => {
  test('comes from this server, is kept for ever, and only the files that the page needs are loaded', async () => {
    const context = await previews.browser.newContext({ ...reader, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const fonts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'font') fonts.push(request.url())
    })
    await page.goto(previews.at('plain'))
    await page.evaluate('document.fonts.ready')
    expect(await page.evaluate(`document.fonts.check('16px "Inter Variable"')`)).toBe(true)
    expect(new Set(fonts).size).toBe(1)
    expect(fonts[0]).toMatch(new RegExp(`^${previews.at('plain')}assets/inter-latin-wght-normal-`))
    await context.close()
    const response = await fetch(fonts[0] ?? '')
    expect(response.headers.get('content-type')).toBe('font/woff2')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('wOF2')
  })

  test('has digits of one width', async () => {
    await previews.open('/', {}, async (page) => {
      await page.evaluate('document.fonts.ready')
      const widths = (await page.evaluate(`['1111', '8888', '0407'].map((text) => {
        const cell = document.createElement('span')
        cell.textContent = text
        document.querySelector('td').append(cell)
        return cell.getBoundingClientRect().width
      })`)) as number[]
      expect(new Set(widths.map((width) => width.toFixed(2))).size).toBe(1)
    })
  })
})

describe('sizes', () => {
  test('rows of a ranking are 36 to 40 px high, its bars at most 200 px long, its links at least 24 px high', async () => {
    await previews.open('/', {}, async (page) => {
      const heights = await page
        .locator('.ranking tbody:first-of-type tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
      expect(heights.length).toBeGreaterThan(10)
      for (const height of heights) expect(height).toSatisfy((px: number) => px >= 36 && px <= 40)
      const bars = await page
        .locator('.ranking .bar')
        .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width))
      expect(Math.max(...bars)).toBeLessThanOrEqual(200)
    })
  })

  test.each([1440, 390])('everything that can be pressed at %s px is at least 24 px wide and high', async (width) => {
    await previews.open('/', { viewport: { width, height: 900 } }, async (page) => {
      // Links within a sentence are as high as its lines, as WCAG allows.
      const small = (await page.evaluate(`[...document.querySelectorAll('a, button, summary, label, input')]
        .filter((one) => one.checkVisibility() && !one.closest('p, label *, .skip, .visually-hidden, [hidden]'))
        .filter((one) => !(one.matches('input') && one.closest('label')))
        .map((one) => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 23.9))
        .map(([text, box]) => text + ' ' + box.width + ' x ' + box.height)`)) as string[]
      expect(small).toEqual([])
    })
  })

  test('every text size, margin, padding and gap is one of the scale in the tokens', () => {
    const folder = new URL('../../../dashboards/styles/', import.meta.url)
    const strays = readdirSync(folder).flatMap((file) =>
      file === 'tokens.css' || file === 'print.css'
        ? []
        : readFileSync(new URL(file, folder), 'utf8')
            .split('\n')
            .map((line, i) => `${file}:${i + 1}: ${line.trim()}`)
            .filter((line) => /: (padding|margin|gap|row-gap|column-gap|font-size)[a-z-]*: /.test(line))
            .filter((line) => /[\d.]+rem/.test(line)),
    )
    expect(strays).toEqual([])
  })
})
