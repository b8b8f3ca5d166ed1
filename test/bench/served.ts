/**
 * What a person waits for: the start of embedded on a store, `/api/metrics` beside a plain SELECT through the same server, and the weight and
 * first paint of every page in a slowed browser. `node test/bench/served.ts [assignments=50000]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { pages } from '../../dashboards/navigation.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { startEmbedded } from '../support/processes/embedded.ts'
import { makeBigStore } from './big-store.ts'
import { report, type Result } from './report.ts'

const assignments = Number(process.argv[2] ?? 50_000)
const rounds = 15
const paintRounds = 3

const directory = await mkdtemp(join(tmpdir(), 'rollcall-served-'))
const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
await migrate(clickhouse.writer)
await makeBigStore(clickhouse.writer, assignments)
await clickhouse.close()

// The first start of an installation also compiles the sources, which later ones find.
await (await startEmbedded(directory)).stop()
const startedAt = performance.now()
const embedded = await startEmbedded(directory)
try {
  await read('/')
  tell({
    what: `start to first page, ${assignments} assignments`,
    value: performance.now() - startedAt,
    unit: 'ms',
    aim: 2_000,
  })
  await measureAnswers()
  await measurePages()
} finally {
  await embedded.stop()
  await rm(directory, { recursive: true, force: true })
}

async function measureAnswers(): Promise<void> {
  const metricsMs: number[] = []
  const selectMs: number[] = []
  // Another question each time, so that no answer is shared.
  for (let round = 0; round < rounds; round++) {
    metricsMs.push(await time(() => read(`/api/metrics?due_soon_days=${round + 30}`)))
    selectMs.push(await time(() => read(`/api/sql?query=${encodeURIComponent('SELECT 1')}`)))
  }
  const baseline = { what: 'SELECT 1 through /api/sql, ms', value: median(selectMs) }
  tell({ what: `/api/metrics, ${assignments} assignments`, value: median(metricsMs), unit: 'ms', baseline, aim: 60 })
}

async function measurePages(): Promise<void> {
  const html = await read('/')
  const scripts = [...html.body.toString().matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = '']) => path)
  const weights = await Promise.all(scripts.map(async (path) => (await read(path, 'gzip')).body.byteLength))
  tell({ what: 'scripts of a page', value: weights.reduce((a, b) => a + b, 0) / 1_000, unit: 'kB', aim: 15 })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    for (const path of await findPages()) {
      const name = path === '/' ? 'the Overview' : path.replace(/[^/]{16,}$/, ':id')
      const compressed = (await read(path, 'gzip')).body.byteLength
      tell({ what: `HTML of ${name}`, value: compressed / 1_000, unit: 'kB', aim: 40 })
      const paintMs: number[] = []
      await page.goto(`${embedded.dashboardUrl}${path}`, { waitUntil: 'load' })
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

/** The pages of the navigation that answer here (nobody signs in), and one of each kind of object that they lead to. */
async function findPages(): Promise<string[]> {
  const found: string[] = []
  for (const { path } of pages) {
    const page = await read(path).catch(() => null)
    if (page === null) continue
    found.push(path)
    const one = new RegExp(`href="(${path}/[^"/?#.]+)["?]`).exec(page.body.toString())?.[1]
    if (one !== undefined && path !== '/') found.push(one)
  }
  return found
}

/** Not by fetch, which unpacks what it gets. */
function read(path: string, encoding = 'identity'): Promise<{ body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(`${embedded.dashboardUrl}${path}`, { headers: { 'accept-encoding': encoding } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ body: Buffer.concat(parts) })
        else reject(new Error(`${path} answered ${answer.statusCode}`))
      })
    }).on('error', reject)
  })
}

async function time(use: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await use()
  return performance.now() - before
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

function tell(result: Result): void {
  console.log(`${result.what}: ${result.value.toFixed(1)} ${result.unit}`)
  report(result)
}
