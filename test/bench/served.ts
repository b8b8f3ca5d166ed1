/**
 * The waits of a person: the start of embedded on a store, `/api/metrics` beside a plain SELECT through the same server, and the weight and
 * first paint of every page in a slowed browser. `node test/bench/served.ts [assignments=50000]`
 */
import type { Page } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { readArguments } from './arguments.ts'
import { openProduct, toPageName } from './product.ts'
import { time, median, report, type Result } from './report.ts'

const { assignments } = readArguments({ assignments: 50_000 })
const rounds = 15
const paintRounds = 3

const product = await openProduct(assignments)
try {
  const firstPageMs = product.readyMs + (await time(() => product.read('/')))
  tell({
    what: `start to first page, ${assignments} assignments`,
    value: firstPageMs,
    unit: 'ms',
    aim: 2_000,
  })
  await measureAnswers()
  await measurePages()
} finally {
  await product.close()
}

async function measureAnswers(): Promise<void> {
  const metricsMs: number[] = []
  const selectMs: number[] = []
  // Another question each time, so that no answer is shared.
  for (let round = 0; round < rounds; round++) {
    metricsMs.push(await time(() => product.read(`/api/metrics?due_soon_days=${round + 30}`)))
    selectMs.push(await time(() => product.read(`/api/sql?query=${encodeURIComponent('SELECT 1')}`)))
  }
  const baseline = { what: 'SELECT 1 through /api/sql, ms', value: median(selectMs) }
  tell({
    what: `/api/metrics, ${assignments} assignments`,
    value: median(metricsMs),
    unit: 'ms',
    baseline,
    aim: 60,
  })
}

async function measurePages(): Promise<void> {
  const html = await product.read('/')
  const scripts = [...html.toString().matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = '']) => path)
  const weights = await Promise.all(
    scripts.map(async (path) => (await product.read(path, 'gzip')).byteLength),
  )
  tell({ what: 'scripts of a page', value: weights.reduce((a, b) => a + b, 0) / 1_000, unit: 'kB', aim: 15 })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    for (const path of await product.findPages()) {
      const name = toPageName(path)
      const compressed = (await product.read(path, 'gzip')).byteLength
      tell({ what: `HTML of ${name}`, value: compressed / 1_000, unit: 'kB', aim: 40 })
      const paintMs: number[] = []
      await page.goto(`${product.dashboardUrl}${path}`, { waitUntil: 'load' })
      for (let round = 0; round < paintRounds; round++) {
        await page.reload({ waitUntil: 'load' })
        paintMs.push(await readPaint(page))
      }
      const what = `first paint of ${name} after the first byte, CPU slowed 4 x`
      tell({ what, value: median(paintMs), unit: 'ms', aim: 400 })
    }
  } finally {
    await browser.close()
  }
}

/** As text, because these types are those of a browser. A small page has loaded before it is painted. */
function readPaint(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      if (paint === undefined) requestAnimationFrame(look)
      else resolve(paint.startTime - performance.getEntriesByType('navigation')[0].responseStart)
    }
    look()
  })`)
}

function tell(result: Result): void {
  console.log(`${result.what}: ${result.value.toFixed(1)} ${result.unit}`)
  report(result)
}
