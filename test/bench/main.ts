/**
 * Every row of DESIGN's "Numbers to beat", each beside its baseline in the same run: runs the other benchmarks of this folder one after
 * the other and writes one table. About eight minutes on an idle machine.
 *
 * `npm run bench -- [--only door,kafka,freshness,drain,store,pages,served] [--assignments 250000] [--out DIRECTORY]`
 * It writes `bench.json` and `bench.md` into the directory (default: `bench-results`). If one cannot run here (wrk, Java), it says why.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { median, isMet, type Result } from './report.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'door,kafka,freshness,drain,store,pages,served' },
    assignments: { type: 'string', default: '250000' },
    out: { type: 'string', default: 'bench-results' },
  },
})
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-bench-'))
const runsFile = join(scratch, 'runs.json')
const bench = (name: string) => join(import.meta.dirname, `${name}.ts`)
const door = [bench('door/bench'), '--half', '--rounds', '3', '--json', runsFile, 'bare']

type Part = { arguments: string[]; read?: (name: string) => Result[] }
const parts: Record<string, Part> = {
  door: { arguments: [...door, 'ingest'], read: () => readDoor('ingest', 'embedded', 0.6, 10) },
  kafka: {
    arguments: [bench('door/broker'), process.execPath, ...door, 'kafka'],
    read: () => readDoor('kafka', 'one Kafka broker', 0.55, 25),
  },
  freshness: { arguments: [bench('freshness')] },
  drain: { arguments: [bench('drain'), '100000'] },
  store: { arguments: [bench('store'), values.assignments] },
  pages: { arguments: [bench('pages'), values.assignments] },
  served: { arguments: [bench('served')] },
}

const results: (Result & { part: string })[] = []
const missing: { part: string; reason: string }[] = []
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 1e9),
  node: process.version,
  loadBefore: loadavg()[0] ?? NaN,
  at: new Date().toISOString(),
}
try {
  for (const part of values.only.split(',')) {
    const found = parts[part]
    if (found === undefined)
      throw new Error(`There is no part ${part}; there are ${Object.keys(parts).join(', ')}`)
    const file = join(scratch, `${part}.jsonl`)
    const reason = await run(found.arguments, file)
    if (reason !== undefined) missing.push({ part, reason })
    else results.push(...(found.read?.(part) ?? readResults(file)).map((result) => ({ ...result, part })))
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
mkdirSync(values.out, { recursive: true })
writeFileSync(join(values.out, 'bench.json'), `${JSON.stringify({ machine, results, missing }, null, 2)}\n`)
writeFileSync(join(values.out, 'bench.md'), toMarkdown())
console.log(toMarkdown())
process.exitCode = missing.length > 0 ? 1 : 0

/** Gives the reason where it failed. */
function run(args: string[], file: string): Promise<string | undefined> {
  console.log(`> node ${args.join(' ')}`)
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, BENCH_RESULTS: file },
    })
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)))
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (code) => resolve(code === 0 ? undefined : toReason(said, code)))
  })
}

function toReason(said: string, code: number | null): string {
  const lines = said.trim().split('\n')
  return (
    lines.find((line) => /^\w*Error/.test(line)) ??
    (code === 2 ? lines.at(-1) : undefined) ??
    `it ended with ${code}`
  )
}

function readResults(file: string): Result[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Result)
}

type DoorRun = { receiver: string; connections: number; perSecond: number; p99Ms: number; beside: number }

/** Ratios of one round, as medians over the rounds. */
function readDoor(ours: string, where: string, aim: number, tailAimMs: number): Result[] {
  const runs = JSON.parse(readFileSync(runsFile, 'utf8')) as DoorRun[]
  return [64, 256].flatMap((connections) => {
    const of = (receiver: string, read: (run: DoorRun) => number) =>
      median(runs.filter((one) => one.receiver === receiver && one.connections === connections).map(read))
    const bare = { what: 'bare node:http, req/s', value: of('bare', ({ perSecond }) => perSecond) }
    const bareTail = { what: 'bare node:http at full load, ms', value: of('bare', ({ p99Ms }) => p99Ms) }
    const place = `${where}, ${connections} connections`
    const rate: Result = {
      what: `acknowledged, ${place}`,
      value: of(ours, ({ beside }) => beside),
      unit: 'x',
      baseline: bare,
      aim,
    }
    const tail: Result = {
      what: `p99 at half of that load, ${place}`,
      value: of(`${ours}, half load`, ({ p99Ms }) => p99Ms),
      unit: 'ms',
      baseline: bareTail,
      aim: tailAimMs,
    }
    return [rate, tail]
  })
}

function toMarkdown(): string {
  const { cpu, cores, memoryGb, node, loadBefore, at } = machine
  const rows = results.map((result) => {
    const { what, value, unit, baseline, aim } = result
    const met = isMet(result)
    const cells = [
      what,
      `${round(value)} ${unit}`,
      baseline === undefined ? '' : `${baseline.what}: ${round(baseline.value)}`,
      aim === undefined ? '' : `${unit === 'x' ? '>=' : '<='} ${aim} ${unit}`,
      met === undefined ? '' : met ? 'met' : 'missed',
    ]
    return `| ${cells.join(' | ')} |`
  })
  const notMeasured = missing.map(({ part, reason }) => `- Not measured: ${part} (${reason})`)
  return [
    `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, load ${round(loadBefore)} before the run, ${at}`,
    '',
    '| what | measured | beside | aim | |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    ...notMeasured,
    '',
  ].join('\n')
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
