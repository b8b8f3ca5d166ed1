/**
 * How fast the door is: durable acknowledgements per second on the full path (token, JSON, schema, id, log), beside a server
 * that does nothing and beside other receivers. All run at the same time and are measured in turn, round after round, so that
 * a machine that is busy for a while is busy for all. Ratios of one round are compared; medians over the rounds are printed.
 *
 * `bench.ts [--seconds 4] [--rounds 5] [--connections 64,256] [--half] [--ours NAME] RECEIVER ...`
 * A RECEIVER is `bare`, `ingest`, `kafka` (see servers.ts), or `name=URL`, or `name=URL@pid`. All are compared with the first;
 * `--ours` is compared with each of the others, too.
 */
import { parseArgs } from 'node:util'
import { exitIf, isInstalled } from '../../support/needs.ts'
import { median } from '../report.ts'
import { openReceiver, type Receiver } from './receivers.ts'
import { runWrk } from './wrk.ts'

exitIf(!isInstalled('wrk') && 'This bench needs wrk: apt-get install wrk, or brew install wrk.')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64,256' },
    half: { type: 'boolean', default: false },
    ours: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const warmRequests = 40_000

type Run = Awaited<ReturnType<typeof measure>> & { receiver: string; beside: number }

async function measure({ url, cpuSeconds }: Receiver, connections: number, meanDelayMs = 0) {
  const before = cpuSeconds() ?? NaN
  const measured = await runWrk({ url, connections, seconds, meanDelayMs })
  return { ...measured, cpuMicros: (((cpuSeconds() ?? NaN) - before) * 1e6) / measured.requests }
}

async function runRounds(receivers: readonly Receiver[], connections: number): Promise<Run[]> {
  const runs: Run[] = []
  // By requests, not by time: on a busy machine two seconds would measure the compiler.
  for (const { url } of receivers)
    for (let left = warmRequests; left > 0;) left -= (await runWrk({ url, connections, seconds: 2 })).requests
  for (let round = 0; round < Number(values.rounds); round++) {
    let first = NaN
    for (const receiver of receivers) {
      const { name } = receiver
      const highest = await measure(receiver, connections)
      const isFirst = Number.isNaN(first)
      if (isFirst) first = highest.perSecond
      runs.push({ ...highest, receiver: name, beside: highest.perSecond / first })
      if (!values.half || isFirst) continue
      // Each connection pauses so long that all together make half of the load just measured.
      const half = await measure(receiver, connections, (connections / (highest.perSecond / 2)) * 1_000)
      runs.push({ ...half, receiver: `${name}, half load`, beside: half.perSecond / first })
    }
  }
  return runs
}

function print(runs: readonly Run[], connections: number): void {
  const byReceiver = Map.groupBy(runs, ({ receiver }) => receiver)
  for (const [receiver, group] of byReceiver) {
    const of = (read: (run: Run) => number) => median(group.map(read))
    const cells = [
      receiver,
      connections,
      Math.round(of(({ perSecond }) => perSecond)),
      of(({ p50Ms }) => p50Ms).toFixed(1),
      of(({ p99Ms }) => p99Ms).toFixed(1),
      of(({ cpuMicros }) => cpuMicros).toFixed(1),
      of(({ beside }) => beside).toFixed(2),
      group.find(({ errors }) => errors !== '')?.errors ?? '',
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  const { ours } = values
  if (ours === undefined) return
  // Divided by each peer's of the same round.
  for (const [peer, group] of byReceiver) {
    if (peer === ours) continue
    const divide = (read: (run: Run) => number) =>
      median((byReceiver.get(ours) ?? []).map((run, round) => read(run) / read(group[round] as Run))).toFixed(
        2,
      )
    const [rate, tail] = [divide(({ perSecond }) => perSecond), divide(({ p99Ms }) => p99Ms)]
    console.log(`${ours} beside ${peer}, ${connections} connections: ${rate} x the rate, ${tail} x the p99`)
  }
}

const receivers: Receiver[] = []
try {
  for (const name of positionals) receivers.push(await openReceiver(name))
  console.log(
    `| receiver | connections | req/s | p50 ms | p99 ms | CPU us | beside ${positionals[0]} | errors |\n|${'---|'.repeat(8)}`,
  )
  for (const connections of values.connections.split(',').map(Number))
    print(await runRounds(receivers, connections), connections)
} finally {
  for (const receiver of receivers) await receiver.close()
}
