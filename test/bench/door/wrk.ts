/** One run of wrk against a receiver, and its results. Needs wrk 4 (`apt-get install wrk`, `brew install wrk`). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const loadFile = fileURLToPath(new URL('./load.lua', import.meta.url))

export type Load = {
  url: string
  connections: number
  seconds: number
  /** Mean pause of a connection before each request; 0: none. */
  meanDelayMs?: number
}

export type Measured = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  requests: number
  /** The lines of wrk about refusals and broken connections; '' when there were none. */
  errors: string
}

export async function runWrk({ url, connections, seconds, meanDelayMs = 0 }: Load): Promise<Measured> {
  const options = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '--latency',
    '-s',
    loadFile,
    url,
  ]
  const wrk = spawn('wrk', meanDelayMs > 0 ? [...options, '--', String(meanDelayMs)] : options)
  let output = ''
  wrk.stdout.on('data', (chunk) => (output += chunk))
  wrk.stderr.on('data', (chunk) => (output += chunk))
  await once(wrk, 'close')
  const find = (pattern: RegExp) => pattern.exec(output)?.[1] ?? ''
  if (!output.includes('requests in')) throw new Error(`wrk failed: ${output}`)
  return {
    perSecond: Number(find(/Requests\/sec:\s+([\d.]+)/)),
    p50Ms: toMs(find(/\n\s+50%\s+(\S+)/)),
    p99Ms: toMs(find(/\n\s+99%\s+(\S+)/)),
    requests: Number(find(/(\d+) requests in/)),
    errors: find(/(Non-2xx[^\n]*|Socket errors[^\n]*)/),
  }
}

function toMs(text: string): number {
  const [, value, unit] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? []
  return Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit ?? ''] ?? NaN)
}
