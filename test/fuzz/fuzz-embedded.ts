/**
 * The product as a user starts it, attacked over HTTP. An oracle remembers every receipt; at the end each of them must be in the
 * store, an honest delivery must be counted, and the process must end by itself when it is told to.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toEventId } from '../../schemas/webhook/parse-delivery.ts'
import { openEmbeddedClickHouse } from '../../services/clickhouse/open-embedded.ts'
import { startEmbedded, type Embedded } from '../support/processes/embedded.ts'
import { monday, toBody } from '../support/data/records.ts'
import { until } from '../support/wait.ts'
import type { FuzzOptions } from './fuzz-inside.ts'
import { sampleBodies, type HostileBody } from './hostile-bodies.ts'
import { createWorst, findLost, storedIdsSql, type FuzzReport } from './report.ts'
import { forms, sendBody, type Answer, type Form } from './send-body.ts'

const connections = 8

export async function fuzzEmbedded({ seed, runs, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-fuzz-'))
  const product = await startEmbedded(directory)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const outcomes = new Map<string, number>()
  const problems: string[] = []
  const worst = createWorst()
  const promised = new Set<string>()
  try {
    const bodies = sampleBodies(seed, runs)
    let done = 0
    async function sendNext(): Promise<void> {
      for (const hostile of bodies) {
        const form = done % 3 === 0 ? (forms[(done / 3) % forms.length] as Form) : (forms[0] as Form)
        done++
        await sendOne(hostile, form)
        if (done % 1_000 === 0) onProgress?.(done)
      }
    }
    async function sendOne({ kind, bytes }: HostileBody, form: Form): Promise<void> {
      const startedAt = performance.now()
      const answer = await sendBody(product.ingestUrl, agent, bytes, form).catch((error: Error) => error)
      worst.add(`${kind}, ${form.name}`, bytes, performance.now() - startedAt)
      const problem = judge(answer, bytes, promised)
      const status = answer instanceof Error ? answer.message : String(answer.status)
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
      if (problem !== undefined) problems.push(`${kind}, ${form.name}: ${problem}: ${toSample(bytes)}`)
    }
    await Promise.all(Array.from({ length: connections }, sendNext))
    const honest = toBody('Created', 'after-all', monday)
    await sendOne({ kind: 'honest', bytes: honest }, forms[0] as Form)
    await untilStored(product).catch((error: unknown) =>
      problems.push(`Not everything is stored: ${String(error)}`),
    )
    const code = await product.stop()
    if (code !== 0) problems.push(`The process ended with ${code}: ${product.output().slice(-2_000)}`)
    const { ids, counted } = await readStore(directory)
    if (counted !== 1) problems.push('The honest delivery at the end is not counted')
    problems.push(...findLost(promised, ids))
    return { mode: 'embedded', seed, runs, outcomes, problems, worst: worst.list() }
  } finally {
    agent.destroy()
    await product.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

/** The fault of an answer. A receipt is a promise, and remembered. */
export function judge(answer: Answer | Error, body: Uint8Array, promised: Set<string>): string | undefined {
  if (answer instanceof Error) return `no answer (${answer.message})`
  const { status } = answer
  if (status >= 500) return `answered ${status} ${answer.body}`
  if (![200, 400, 413, 415, 422].includes(status)) return `answered ${status}, which says nothing of a body`
  if (status === 413 || status === 415) return undefined
  const { receipt } = JSON.parse(answer.body) as { receipt?: string }
  if (receipt !== toEventId(body)) return `receipt ${receipt} is not that of the body`
  promised.add(receipt)
  return undefined
}

function toSample(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 200)).toString('base64')
}

async function readStore(directory: string): Promise<{ ids: Set<string>; counted: number }> {
  const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
  const read = async <Row>(query: string) =>
    (await clickhouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
  try {
    const ids = await read<{ id: string }>(storedIdsSql)
    const counted = await read(`SELECT 1 FROM rollcall.assignments WHERE assignment_id = 'after-all'`)
    return { ids: new Set(ids.map(({ id }) => id)), counted: counted.length }
  } finally {
    await clickhouse.close()
  }
}

/** However long it takes, as long as it goes on. */
async function untilStored(product: Embedded): Promise<void> {
  for (let waiting = Infinity; waiting > 0;) {
    const before = waiting
    const now = await until(
      async () => readWaiting(await readMetricsIfAlive(product)),
      (count) => count !== undefined && (count === 0 || count < before),
      { describe: () => product.output().slice(-2_000) },
    )
    waiting = now ?? 0
  }
}

async function readMetrics({ adminUrl }: Embedded): Promise<string> {
  return (await fetch(`${adminUrl}/metrics`)).text()
}

/** Empty where a busy process has just closed the idle connection. Throws with its last words where it is no longer there. */
async function readMetricsIfAlive(product: Embedded): Promise<string> {
  const { exitCode, signalCode } = product.process
  if (exitCode !== null || signalCode !== null) {
    throw new Error(`The process ended with ${exitCode ?? signalCode}: ${product.output().slice(-2_000)}`)
  }
  return readMetrics(product).catch(() => '')
}

/** `undefined` while it is not said. */
function readWaiting(metrics: string): number | undefined {
  const found = /rollcall_consumer_lag_records\{partition="0"\} (\d+)/.exec(metrics)?.[1]
  return found === undefined ? undefined : Number(found)
}
