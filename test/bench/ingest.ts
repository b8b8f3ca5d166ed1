/**
 * How fast ingest acknowledges, beside a server that does nothing: durable acknowledgements per second on the full path
 * (token, JSON, schema, id, log), and the latency at half of that load. Ratios count; figures depend on the machine.
 * Needs wrk 4 (`apt-get install wrk`, `brew install wrk`). `node test/bench/ingest.ts [seconds per run]`;
 * `ingest-kafka.ts` runs the same with Kafka as the log.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const seconds = Number(process.argv[2] ?? 6)
const variants = (process.argv[3] ?? 'bare,ingest,hono').split(',')
/** The one whose latency at half load counts. */
const measured = variants[1] as string
const serverFile = fileURLToPath(new URL('./ingest-server.ts', import.meta.url))
const loadFile = fileURLToPath(new URL('./ingest-load.lua', import.meta.url))

/** `cpu`: microseconds of processor time per request, all threads together. */
type Result = { perSecond: number; p50: string; p99: string; errors: string; count: number; cpu: number }

async function measure(variant: string, connections: number, runSeconds: number, meanDelayMs = 0): Promise<Result> {
  const server = spawn(process.execPath, [serverFile, variant], { stdio: ['ignore', 'pipe', 'inherit'] })
  const readLine = async () => String((await once(server.stdout, 'data'))[0]).trim()
  const readCpu = async () => {
    server.kill('SIGUSR2')
    return Number(await readLine())
  }
  const url = await readLine()
  run(url, connections, 2, meanDelayMs)
  const before = await readCpu()
  const result = run(url, connections, runSeconds, meanDelayMs)
  const after = await readCpu()
  result.cpu = (after - before) / result.count
  server.kill('SIGTERM')
  await once(server, 'close')
  return result
}

function run(url: string, connections: number, runSeconds: number, meanDelayMs: number): Result {
  const options = ['-t1', `-c${connections}`, `-d${runSeconds}s`, '--latency', '-s', loadFile, url]
  const wrk = spawnSync('wrk', meanDelayMs > 0 ? [...options, '--', String(meanDelayMs)] : options, {
    encoding: 'utf8',
  })
  if (wrk.error) throw new Error('wrk is needed: apt-get install wrk, or brew install wrk', { cause: wrk.error })
  const find = (pattern: RegExp) => pattern.exec(wrk.stdout)?.[1] ?? ''
  return {
    perSecond: Number(find(/Requests\/sec:\s+([\d.]+)/)),
    p50: find(/\n\s+50%\s+(\S+)/),
    p99: find(/\n\s+99%\s+(\S+)/),
    count: Number(find(/(\d+) requests in/)),
    cpu: 0,
    errors: find(/(Non-2xx[^\n]*|Socket errors[^\n]*)/),
  }
}

function print(name: string, { perSecond, p50, p99, errors, cpu }: Result, ratio: string): void {
  const columns = [
    name.padEnd(30),
    String(Math.round(perSecond)).padStart(7),
    p50.padStart(9),
    p99.padStart(9),
    cpu.toFixed(1).padStart(9),
    ratio,
  ]
  process.stdout.write(`${columns.join('  ')}  ${errors}\n`)
}

process.stdout.write(`${'server, connections'.padEnd(30)}    req/s        p50        p99     us of CPU  ratio\n`)
for (const connections of [64, 256]) {
  let bare = 0
  let highest = 0
  for (const variant of variants) {
    const result = await measure(variant, connections, seconds)
    if (variant === 'bare') bare = result.perSecond
    if (variant === measured) highest = result.perSecond
    print(`${variant}, ${connections}`, result, (result.perSecond / bare).toFixed(2))
  }
  // Each connection sends every so many milliseconds, so that all together make half of the highest load.
  const half = await measure(measured, connections, seconds, (connections / (highest / 2)) * 1_000)
  print(`${measured} at half load, ${connections}`, half, `${(half.perSecond / highest).toFixed(2)} of highest`)
}
