/**
 * The waits of a reader: whole answers of the product over HTTP, ms, of every page and the main calls of the API, p50 and p95 of the numbers
 * of now, of one team, of a month ago, and just after new events were stored; then the processor time of the product for an answer of now
 * (on a busy machine, compare that), ms; weight, height at 1440 px and first paint of each page, slowed 4 x.
 * Arguments: [assignments=50000] [rounds=21] [directory]; 0 assignments: the sample company of the demo. A named directory is kept.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pages } from '../../dashboards/navigation.ts'
import { startPlatform } from '../../sample-platform/start.ts'
import { migrate } from '../../services/clickhouse/migrate.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { day, toBody } from '../support/data/records.ts'
import { exitIf } from '../support/needs.ts'
import { readMetric, readMetrics } from '../support/processes/child.ts'
import { deliver, startEmbedded } from '../support/processes/embedded.ts'
import { until } from '../support/wait.ts'
import { makeBigStore } from './big-store.ts'
import { readCpuSeconds } from './door/receivers.ts'
import { median, quantile, readNumbers, report, time } from './report.ts'

const [assignments, rounds] = readNumbers(50_000, 21)
const kept = process.argv[4]
const aim = assignments === 0 ? 60 : assignments <= 50_000 ? 100 : 150
const store = assignments === 0 ? 'demo' : `${assignments} assignments`
exitIf(!existsSync('/proc/self') && 'This bench reads processor times from /proc, which only Linux has.')

const directory = kept ?? mkdtempSync(join(tmpdir(), 'rollcall-pages-'))
if (assignments > 0 && !existsSync(join(directory, 'clickhouse'))) await makeStore()
// The first start of an installation also compiles the sources, which later ones find.
const first = await startEmbedded(directory)
if (assignments === 0) {
  const to = Date.now()
  const company = { seed: 'rollcall', people: 240, from: to - 180 * day, to }
  const platform = await startPlatform({ ...company, url: first.ingestUrl, retry: true })
  await platform.deliverHistory()
  await platform.close()
}
await first.stop()

let asked = 0
const startedAt = performance.now()
const product = await startEmbedded(directory)
const browser = await openBrowser()
try {
  const told = (what: string, value: number, most: number, unit = 'ms') =>
    report({ what: `${what}, ${store}`, value, unit, aim: most })
  await read('/')
  told('start to first page', performance.now() - startedAt, 2_000)
  told('first answer after a start', await time(() => read('/api/metrics')), 1_000)
  await rest()
  const html = (await read('/')).toString()
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = '']) => read(path, 'gzip'))
  const bytes = (await Promise.all(scripts)).reduce((sum, { byteLength }) => sum + byteLength, 0)
  told('scripts of a page', bytes / 1_000, 15, 'kB')
  const paths = await findPages()
  const team = paths.find((path) => path.startsWith('/teams/'))?.slice('/teams/'.length)
  const forms: Record<string, { query: string; before?: () => Promise<unknown> }> = {
    now: { query: '' },
    team: { query: `team=${team}` },
    past: { query: `as_of=${toInstant(30)}` },
    news: { query: '', before: storeSome },
  }
  const heads = [...Object.keys(forms), 'processor', 'kB', 'px at 1440', 'paint']
  console.log(`| p50, p95 ms | ${heads.join(' | ')} |\n|${'---|'.repeat(heads.length + 1)}`)
  const calls = ['/api/metrics', '/api/assignments?per_page=100', `/api/changes?from=${toInstant(7)}`]
  const missed: string[] = []
  for (const path of [...paths, ...calls]) {
    const cells: (string | number)[] = []
    let cpuMs = NaN
    for (const [form, { query, before }] of Object.entries(forms)) {
      const cpuBefore = readCpuMs()
      const took = await timeAll(path, query, before)
      if (form === 'now') cpuMs = (readCpuMs() - cpuBefore) / (rounds + 4)
      const p95 = quantile(took ?? [], 0.95)
      cells.push(took === null ? '-' : `${Math.round(median(took))}, ${Math.round(p95)}`)
      if (p95 > aim) missed.push(`${toName(path)} (${form})`)
    }
    cells.push(Math.round(cpuMs), ((await read(path, 'gzip')).byteLength / 1_000).toFixed(1))
    if (paths.includes(path)) cells.push(...(await look(path)))
    console.log(`| ${toName(path)} | ${cells.join(' | ')} |`)
  }
  console.log(`p95 above ${aim} ms: ${missed.join(', ') || 'none'}`)
} finally {
  await browser.close()
  await product.stop()
  if (kept === undefined) rmSync(directory, { recursive: true })
}

async function makeStore(): Promise<void> {
  const { reader, writer, close } = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  await migrate(writer)
  await makeBigStore(writer, assignments, { now: Date.now() })
  const answer = await reader.query({
    query: `SELECT sum(bytes_on_disk) / sumIf(rows, table = 'event_rows') AS n FROM system.parts
      WHERE active AND database = 'rollcall'`,
    format: 'JSONEachRow',
  })
  const [bytes] = await answer.json<{ n: number }>()
  report({ what: 'storage, all tables', value: bytes?.n ?? NaN, unit: 'B an event', aim: 130 })
  await close()
}

/** Not by fetch, which unpacks the answer. */
function read(path: string, encoding = 'identity'): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(new URL(path, product.dashboardUrl), { headers: { 'accept-encoding': encoding } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(parts))
        else reject(new Error(`${path} answered ${answer.statusCode}`))
      })
    }).on('error', reject)
  })
}

/** The pages of the navigation that answer here (nobody signs in), and one of each kind of object that they lead to. */
async function findPages(): Promise<string[]> {
  const found: string[] = []
  for (const { path } of pages) {
    const page = await read(path).catch(() => null)
    if (page === null) continue
    found.push(path)
    const one = new RegExp(`href="(${path}/[^"/?#.]+)["?]`).exec(page.toString())?.[1]
    if (one !== undefined && path !== '/') found.push(one)
  }
  return found
}

/** Without the id of an object. */
function toName(path: string): string {
  return path === '/' ? 'Home' : path.replace(/\?.*/, '').replace(/^(\/(?!api\/)\w+)\/.+$/, '$1/:id')
}

/** Until no scheduled job has run for ten seconds: a store that was never audited is at the first start. */
async function rest(): Promise<void> {
  for (let seconds = 0; seconds < 10; seconds++) {
    await setTimeout(1_000)
    if (/^rollcall_job_running\{.*\} 1$/m.test(await readMetrics(product))) seconds = -1
  }
}

function readCpuMs(): number {
  return 1_000 * (readCpuSeconds(product.process.pid ?? NaN) ?? NaN)
}

function toInstant(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * day).toISOString()
}

/** `null`: the page does not answer this. */
async function timeAll(
  path: string,
  query: string,
  before?: () => Promise<unknown>,
): Promise<number[] | null> {
  // Another question each time, so that no answer is shared.
  const ask = () =>
    read(`${path}${path.includes('?') ? '&' : '?'}${query}&due_soon_days=${20 + (asked++ % 300)}`)
  if ((await ask().catch(() => null)) === null) return null
  const took: number[] = []
  // Code that runs for the first time is compiled, that of new events as well.
  for (let round = -3; round < rounds; round++) {
    await before?.()
    const ms = await time(ask)
    if (round >= 0) took.push(ms)
  }
  return took
}

/** Ten events, and waits until they are stored, without a question to the store. */
async function storeSome(): Promise<void> {
  const readStored = () => readMetric(product, 'rollcall_consumer_batch_records_sum')
  const stored = await readStored()
  const now = Date.now() - 1
  for (let index = 0; index < 10; index++) {
    const assignment = { createdAt: now, dueDate: now + day }
    await deliver(
      product.ingestUrl,
      toBody('Created', `news-${now}-${index}`, now, assignment, { id: 1 + index }),
    )
  }
  await until(readStored, (count) => count >= stored + 10)
}

/** The height of a page, and its first paint after the first byte, of three. */
async function look(path: string): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(`${product.dashboardUrl}${path}`, { waitUntil: 'load' })
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  const paintMs: number[] = []
  for (let round = 0; round < 3; round++) {
    await page.reload({ waitUntil: 'load' })
    // As text, because these types are those of a browser. A small page has loaded before it is painted.
    const paint = await page.evaluate<number>(`new Promise((resolve) => {
      const look = () => {
        const [paint] = performance.getEntriesByName('first-contentful-paint')
        if (paint === undefined) requestAnimationFrame(look)
        else resolve(paint.startTime - performance.getEntriesByType('navigation')[0].responseStart)
      }
      look()
    })`)
    paintMs.push(paint)
  }
  await page.close()
  return [height, Math.round(median(paintMs))]
}
