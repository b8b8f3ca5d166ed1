/**
 * How fast the door is: durable acknowledgements per second on the full path (token, JSON, schema, id, log), beside a server
 * that does nothing and beside other receivers. All run at the same time and are measured in turn, round after round, so that
 * a machine that is busy for a while is busy for all. Ratios of one round are compared; medians over the rounds are printed.
 *
 * `node test/bench/door/bench.ts [--seconds 4] [--rounds 5] [--connections 64,256] [--half] [--ours NAME] [--json FILE] RECEIVER ...`
 * A RECEIVER is `bare`, `ingest`, `kafka` (see servers.ts), or `name=URL`, or `name=URL@pid`. All are compared with the first;
 * `--ours` is compared with each of the others, too.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openReceiver, type Receiver } from './receivers.ts'
import { runWrk, type Measured } from './wrk.ts'
import { exitIf, isInstalled } from '../../support/needs.ts'

exitIf(!isInstalled('wrk') && 'This bench needs wrk: apt-get install wrk, or brew install wrk.')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64,256' },
    half: { type: 'boolean', default: false },
    ours: { type: 'string' },
    json: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const warmRequests = 40_000
const connectionCounts = values.connections.split(',').map(Number)
const names = positionals.length > 0 ? positionals : ['bare', 'ingest']

type Run = Measured & {
  receiver: string
  connections: number
  round: number
  cpuMicros: number | undefined
  beside: number
}

async function measure(receiver: Receiver, connections: number, meanDelayMs = 0) {
  const before = receiver.cpuSeconds()
  const measured = await runWrk({ url: receiver.url, connections, seconds, meanDelayMs })
  const after = receiver.cpuSeconds()
  const cpuMicros =
    before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / measured.requests
  return { ...measured, cpuMicros }
}

/** By requests, not by time: on a busy machine two seconds would measure the compiler. */
async function warm(url: string, connections: number): Promise<void> {
  let requests = 0
  while (requests < warmRequests) requests += (await runWrk({ url, connections, seconds: 2 })).requests
}

async function runRounds(receivers: readonly Receiver[], connections: number): Promise<Run[]> {
  const runs: Run[] = []
  for (const { url } of receivers) await warm(url, connections)
  for (let round = 0; round < rounds; round++) {
    let first = NaN
    for (const [index, receiver] of receivers.entries()) {
      const highest = await measure(receiver, connections)
      if (index === 0) first = highest.perSecond
      runs.push({
        ...highest,
        receiver: receiver.name,
        connections,
        round,
        beside: highest.perSecond / first,
      })
      if (!values.half || index === 0) continue
      // Each connection pauses so long that all together make half of the load just measured.
      const half = await measure(receiver, connections, (connections / (highest.perSecond / 2)) * 1_000)
      runs.push({
        ...half,
        receiver: `${receiver.name}, half load`,
        connections,
        round,
        beside: half.perSecond / first,
      })
    }
  }
  return runs
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.filter((number) => !Number.isNaN(number)).sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

function print(runs: readonly Run[], connections: number): void {
  const groups = Map.groupBy(runs, ({ receiver }) => receiver)
  for (const [receiver, group] of groups) {
    const of = (read: (run: Run) => number | undefined) => median(group.map((run) => read(run) ?? NaN))
    const range = group.map(({ beside }) => beside)
    const cells = [
      receiver,
      connections,
      Math.round(of(({ perSecond }) => perSecond)),
      of(({ p50Ms }) => p50Ms).toFixed(1),
      of(({ p99Ms }) => p99Ms).toFixed(1),
      of(({ cpuMicros }) => cpuMicros).toFixed(1),
      `${of(({ beside }) => beside).toFixed(2)} (${Math.min(...range).toFixed(2)}-${Math.max(...range).toFixed(2)})`,
      group.map(({ errors }) => errors).filter(Boolean)[0] ?? '',
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
}

/** Rate and p99 of ours, divided by each peer's of the same round. */
function printBesidePeers(runs: readonly Run[], connections: number, ours: string): void {
  const byReceiver = Map.groupBy(runs, ({ receiver }) => receiver)
  const own = byReceiver.get(ours) ?? []
  for (const [peer, group] of byReceiver) {
    if (peer === ours) continue
    const rates = own.map((run, round) => run.perSecond / (group[round]?.perSecond ?? NaN))
    const tails = own.map((run, round) => run.p99Ms / (group[round]?.p99Ms ?? NaN))
    const [rate, tail] = [median(rates).toFixed(2), median(tails).toFixed(2)]
    process.stdout.write(
      `${ours} beside ${peer}, ${connections} connections: ${rate} x the rate, ${tail} x the p99\n`,
    )
  }
}

const receivers: Receiver[] = []
const runs: Run[] = []
try {
  for (const name of names) receivers.push(await openReceiver(name))
  const head = [
    'receiver',
    'connections',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU us',
    `beside ${receivers[0]?.name}`,
    'errors',
  ]
  process.stdout.write(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}\n`)
  for (const connections of connectionCounts) {
    const measured = await runRounds(receivers, connections)
    print(measured, connections)
    runs.push(...measured)
  }
  if (values.ours !== undefined) {
    for (const connections of connectionCounts) {
      printBesidePeers(
        runs.filter((run) => run.connections === connections),
        connections,
        values.ours,
      )
    }
  }
} finally {
  for (const receiver of receivers) await receiver.close()
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(runs, null, 2)}\n`)
