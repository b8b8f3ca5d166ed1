/**
 * The waits of a reader: whole answers of the product over HTTP, ms, of every page and the main calls of the API. p50 and p95 of the numbers
 * of now, of one team, of a month ago, and just after new events were stored; then the processor time of the product for an answer of now
 * (on a busy machine, compare that), ms, and how much of it is the engine's, which on a small store is planning; and the height of the page
 * at 1440 px.
 * `node test/bench/pages.ts [assignments=50000] [rounds=21]`; 0 assignments: the sample company of the demo.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { openBrowser } from '../support/browser/browser.ts'
import { day, toBody } from '../support/data/records.ts'
import { readArguments } from './arguments.ts'
import { readCpuSeconds } from './door/receivers.ts'
import { openProduct, toPageName, type Product } from './product.ts'
import { exitIf } from '../support/needs.ts'
import { quantile, time, report } from './report.ts'

const { assignments, rounds } = readArguments({ assignments: 50_000, rounds: 21 })
const aim = assignments === 0 ? 60 : assignments <= 50_000 ? 100 : 150
let asked = 0
exitIf(!existsSync('/proc/self/task') && 'This bench reads processor times from /proc, which only Linux has.')

const product = await openProduct(assignments)
try {
  const firstMs = await time(() => product.read('/api/metrics'))
  console.log(`first answer after the start, while the store is read: ${firstMs.toFixed(0)} ms`)
  report({ what: `first answer after a start, ${nameStore()}`, value: firstMs, unit: 'ms', aim: 1_000 })
  await product.rest()
  const paths = await product.findPages()
  const team = paths.find((path) => path.startsWith('/teams/'))?.slice('/teams/'.length)
  const heights = await readHeights(product, paths)
  const calls = ['/api/metrics', '/api/assignments?per_page=100', `/api/changes?from=${toInstant(7)}`]
  const forms: Record<string, { query: string; before?: () => Promise<unknown> }> = {
    now: { query: '' },
    team: { query: `team=${team}` },
    past: { query: `as_of=${toInstant(30)}` },
    news: { query: '', before: storeSome },
  }
  console.log(
    `| p50, p95 ms | ${Object.keys(forms).join(' | ')} | processor | the engine’s | px at 1440 |\n|${'---|'.repeat(8)}`,
  )
  for (const path of [...paths, ...calls]) {
    const cells: string[] = []
    let cpu = { all: NaN, engine: NaN }
    for (const [form, { query, before }] of Object.entries(forms)) {
      const cpuBefore = readCpuMs()
      const took = await timeAll(path, query, before)
      const cpuAfter = readCpuMs()
      if (form === 'now')
        cpu = { all: cpuAfter.all - cpuBefore.all, engine: Math.max(0, cpuAfter.engine - cpuBefore.engine) }
      cells.push(
        took === null ? '-' : `${Math.round(quantile(took, 0.5))}, ${Math.round(quantile(took, 0.95))}`,
      )
      if (took === null) continue
      report({
        what: `${toPageName(path)}, ${form}, ${nameStore()}, p95`,
        value: Math.round(quantile(took, 0.95)),
        unit: 'ms',
        aim,
      })
    }
    console.log(
      `| ${toPageName(path)} | ${cells.join(' | ')} | ${(cpu.all / (rounds + 4)).toFixed(0)} | ${((100 * cpu.engine) / cpu.all).toFixed(0)} % | ${heights.get(path) ?? ''} |`,
    )
  }
} finally {
  await product.close()
}

/** Processor time of the product so far, each thread in whole ticks of 10 ms: of all, and of those that are not Node’s. */
function readCpuMs(): { all: number; engine: number } {
  const pid = product.process.pid ?? NaN
  const tasks = readdirSync(`/proc/${pid}/task`).map((task) => `${pid}/task/${task}`)
  const ofNode = tasks.filter((task) => /^(node|MainThread|WorkerThread|V8Worker)\n/.test(readName(task)))
  const [all = NaN, ...node] = [String(pid), ...ofNode].map((of) => 1_000 * (readCpuSeconds(of) ?? 0))
  return { all, engine: all - node.reduce((sum, each) => sum + each, 0) }
}

/** The engine plans and answers in threads of its own and in those of libuv. */
function readName(task: string): string {
  try {
    return readFileSync(`/proc/${task}/comm`, 'utf8')
  } catch {
    // It has ended since it was listed.
    return ''
  }
}

function nameStore(): string {
  return assignments === 0 ? 'demo' : `${assignments} assignments`
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
    product.read(`${path}${path.includes('?') ? '&' : '?'}${query}&due_soon_days=${20 + (asked++ % 300)}`)
  const isAnswered = await ask().then(
    () => true,
    () => false,
  )
  if (!isAnswered) return null
  // Code that runs for the first time is compiled, that of new events as well.
  for (let time = 0; time < 3; time++) {
    await before?.()
    await ask()
  }
  const took: number[] = []
  for (let round = rounds; round > 0; round--) {
    await before?.()
    took.push(await time(ask))
  }
  return took
}

/** Ten events, and waits until they are stored, without a question to the store. */
async function storeSome(): Promise<void> {
  const stored = await readStored()
  const now = Date.now() - 1
  for (let index = 0; index < 10; index++) {
    const body = toBody(
      'Created',
      `news-${now}-${index}`,
      now,
      { createdAt: now, dueDate: now + day },
      { id: 1 + index },
    )
    await fetch(product.ingestUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  while ((await readStored()) < stored + 10) await setTimeout(50)
}

async function readStored(): Promise<number> {
  const text = await (await fetch(`${product.adminUrl}/metrics`)).text()
  return Number(/^rollcall_consumer_batch_records_sum (\d+)/m.exec(text)?.[1] ?? 0)
}

async function readHeights(
  { dashboardUrl }: Product,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
    const heights = new Map<string, number>()
    for (const path of paths) {
      await page.goto(`${dashboardUrl}${path}`, { waitUntil: 'load' })
      heights.set(path, await page.evaluate<number>('document.documentElement.scrollHeight'))
    }
    return heights
  } finally {
    await browser.close()
  }
}
