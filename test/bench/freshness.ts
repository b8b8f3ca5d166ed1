/**
 * From the moment a webhook is sent until `/api/metrics` counts it, under a steady load: every event creates an assignment, so
 * the count of assignments says how far the numbers have come. Usage: node test/bench/freshness.ts [perSecond=1000] [seconds=20]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../support/processes/embedded.ts'
import { toBody } from '../support/data/records.ts'
import { readArguments } from './arguments.ts'
import { describeTimes, quantile, report } from './report.ts'

const { perSecond, seconds } = readArguments({ perSecond: 1_000, seconds: 20 })
const stepMs = 20

const directory = await mkdtemp(join(tmpdir(), 'rollcall-fresh-'))
const embedded = await startEmbedded(directory)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
/** When the n-th event was sent; events are counted, not told apart, which a steady rate allows. */
const sentAt: number[] = []
const visibleAt: number[] = []
const acknowledgedMs: number[] = []
const total = perSecond * seconds

const polling = poll()
const startedAt = performance.now()
for (let step = 1; sentAt.length < total; step++) {
  while (sentAt.length < Math.min(total, (step * stepMs * perSecond) / 1000)) send(sentAt.length)
  await sleep(Math.max(0, startedAt + step * stepMs - performance.now()))
}
const sendingSeconds = (performance.now() - startedAt) / 1000
await polling
await embedded.stop()
agent.destroy()
await rm(directory, { recursive: true, force: true })

const latencies = visibleAt.map((at, index) => at - (sentAt[index] ?? at))
console.log(
  `sent          ${total} events in ${sendingSeconds.toFixed(1)} s, ${Math.round(total / sendingSeconds)}/s`,
)
console.log(`acknowledged  ${describeTimes(acknowledgedMs)}`)
console.log(`visible       ${describeTimes(latencies)}`)

for (const [share, aim] of [
  [0.95, 2_000],
  [0.99, 5_000],
] as const) {
  const baseline = { what: 'acknowledged, ms', value: quantile(acknowledgedMs, share) }
  const what = `received to visible at ${perSecond}/s, p${share * 100}`
  report({ what, value: quantile(latencies, share), unit: 'ms', baseline, aim })
}

function send(index: number): void {
  const at = performance.now()
  sentAt.push(at)
  const now = Date.now() - 1
  const body = toBody('Created', `a${index}`, now, { createdAt: now, dueDate: null }, { id: index % 2_000 })
  const sent = request(
    embedded.ingestUrl,
    { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
    (answer) => {
      answer.resume()
      answer.on('end', () => acknowledgedMs.push(performance.now() - at))
    },
  )
  sent.end(body)
}

async function poll(): Promise<void> {
  while (visibleAt.length < total) {
    const answer = await fetch(`${embedded.dashboardUrl}/api/metrics`)
    const { metrics } = (await answer.json()) as { metrics: { assigned: { value: number } } }
    const at = performance.now()
    while (visibleAt.length < metrics.assigned.value) visibleAt.push(at)
    await sleep(200)
  }
}
