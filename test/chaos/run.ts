/**
 * A chaos run: faults one after another while senders deliver, then peace, then judgement. The seed decides the faults, their
 * details and the bodies; when a fault comes is counted in acknowledgements, not in time, so that a slow machine has the same run.
 */
import { createRandom, integer, pick, type Random } from '../../sample-platform/random.ts'
import { findMarker } from '../support/data/markers.ts'
import { readMetrics } from '../support/processes/child.ts'
import { testToken } from '../support/processes/embedded.ts'
import type { Product } from '../support/processes/product.ts'
import { until } from '../support/wait.ts'
import { listFaults, lostStore, partitionAdded } from './faults.ts'
import { createOracle, type Oracle, type Verdict } from './oracle.ts'
import { startSenders, type Senders } from './senders.ts'
import type { Target } from './target.ts'

export type ChaosOptions = {
  seed: string
  /** How many faults. */
  faults: number
  /** Only faults whose name has one of these in it, apart by commas. Default all. */
  only?: string | undefined
  onFault?: (name: string, at: number) => void
}

export type ChaosReport = Verdict & {
  seed: string
  /** How often each fault was done, and the longest time after it until something was stored again. */
  faults: Map<string, { count: number; stallMs: number }>
  sent: number
}

const fewestBetween = 60
const mostBetween = 250
/** More than this, and the senders wait: a slow machine has a longer run, not a longer queue. */
const mostWaiting = 2_000
const lookIntervalMs = 500

export async function runChaos(target: Target, options: ChaosOptions): Promise<ChaosReport> {
  const { product } = target
  const { seed, only = '', onFault } = options
  const random = createRandom(`faults-${seed}`)
  const oracle = createOracle()
  const faults: ChaosReport['faults'] = new Map()
  const choice = listFaults(target).filter(({ name }) => only.split(',').some((part) => name.includes(part)))
  if (choice.length === 0) throw new Error(`No fault has “${only}” in its name`)
  const failures: string[] = []
  let last = 'Before the first fault'
  const senders = startSenders(product.ingestUrl, seed, oracle)
  const pacing = keepPace(product, senders)
  const describe = () => product.output().slice(-20_000)
  const untilMore = async (count: number) => {
    const before = oracle.acknowledged()
    await until(oracle.acknowledged, (now) => now >= before + count, { describe })
  }
  const stored = () => product.metric('rollcall_consumer_deliveries_total')
  try {
    // Each kind once before any comes again.
    let left = shuffle(random, choice)
    for (let done = 0; done < options.faults; done++) {
      if (left.length === 0) left = shuffle(random, choice)
      const fault = left.pop() as (typeof choice)[number]
      await untilMore(integer(random, fewestBetween, mostBetween))
      await oracle.checkComplete(product)
      last = fault.name
      onFault?.(last, oracle.acknowledged())
      await fault.apply(random)
      const startedAt = performance.now()
      const before = await stored()
      await until(async () => (await stored()) !== before, Boolean, { describe })
      const { count = 0, stallMs = 0 } = faults.get(last) ?? {}
      faults.set(last, { count: count + 1, stallMs: Math.max(stallMs, performance.now() - startedAt) })
    }
    await untilMore(fewestBetween)
  } catch (error) {
    const { message, cause } = error as Error
    failures.push(`${last}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`)
  }
  pacing.end()
  const verdict = await (
    failures.length > 0 ? giveUp() : endAndJudge(product, senders, oracle, faults)
  ).catch((error: Error) => {
    failures.push(`Not everything was stored: ${error.message}`)
    return oracle.refuseToJudge()
  })
  return { ...verdict, problems: [...failures, ...verdict.problems], seed, faults, sent: senders.sent() }

  async function giveUp(): Promise<Verdict> {
    await senders.giveUp()
    return oracle.refuseToJudge()
  }
}

/** Whether what was acknowledged is stored once, whether the numbers are right, and whether anything showed a person or a token. */
export async function endAndJudge(
  product: Product,
  senders: Senders,
  oracle: Oracle,
  faults: ReadonlyMap<string, unknown> = new Map(),
): Promise<Verdict> {
  await senders.stop()
  const stoppedAt = Date.now()
  await untilAllStored(product)
  // What waits is counted once a second. Only this says that nothing has come since.
  await until(product.completeThrough, (at) => at !== null && at >= stoppedAt, { describe: product.output })
  await oracle.checkComplete(product)
  if (product.mode === 'distributed') await untilAudited(product)
  const shown = await Promise.all(product.processes.map(readMetrics))
  const verdict = await oracle.judge(await product.stopAndOpen(), {
    isLedgerPartial: faults.has(lostStore),
    mostTwice: faults.has(partitionAdded) ? senders.sent() - oracle.acknowledged() : 0,
  })
  const said = [product.output(), ...shown].join('\n')
  const leak = findMarker(said) ?? (said.includes(testToken) ? 'the token' : undefined)
  return leak === undefined
    ? verdict
    : { ...verdict, problems: [...verdict.problems, `Logs or metrics show ${leak}`] }
}

function keepPace(product: Product, senders: Senders): { end(): void } {
  let isLooking = false
  const looks = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void product
      .waiting()
      .then((count) => senders.pause((count ?? 0) > mostWaiting))
      .finally(() => (isLooking = false))
  }, lookIntervalMs)
  return {
    end() {
      clearInterval(looks)
      senders.pause(false)
    },
  }
}

/** However long it takes, as long as it goes on. */
async function untilAllStored(product: Product): Promise<void> {
  for (let waiting = Infinity; waiting > 0;) {
    const before = waiting
    const now = await until(
      product.waiting,
      (count) => count !== undefined && (count === 0 || count < before),
      { describe: () => product.output().slice(-20_000) },
    )
    waiting = now ?? 0
  }
}

/**
 * Two owners of a partition, or of two partitions with events of one assignment, may have written at once. The audit repairs that twelve
 * sessions later; the oracle reports what the audit leaves: versions stored twice or only retracted, assignments with two open versions,
 * and missing reporting lines.
 */
async function untilAudited(product: Product): Promise<void> {
  const counts = ['open_versions', 'closed_versions', 'user_versions', 'link_versions'].map(
    (table) =>
      `SELECT countIf(copies NOT IN (0, 1)) AS rows FROM (SELECT * EXCEPT (sign), sum(sign) AS copies FROM rollcall.${table} GROUP BY ALL)`,
  )
  const open = `SELECT countIf(versions NOT IN (0, 1)) AS rows
    FROM (SELECT akey, sum(sign) AS versions FROM rollcall.open_versions GROUP BY akey)`
  const unlinked = `SELECT count() AS rows FROM (SELECT DISTINCT arrayJoin(managers) AS manager_id, user_id FROM rollcall.user_observations)
    WHERE manager_id != user_id AND (manager_id, user_id) NOT IN (SELECT manager_id, report_id FROM rollcall.link_versions GROUP BY ALL HAVING sum(sign) > 0)`
  const query = `SELECT toUInt32(sum(rows)) AS rows FROM (${[...counts, open, unlinked].join(' UNION ALL ')})`
  await until(
    () => product.select<{ rows: number }>(query),
    ([row]) => row?.rows === 0,
  ).catch(() => undefined)
}

function shuffle<T>(random: Random, list: readonly T[]): T[] {
  const left = [...list]
  const shuffled: T[] = []
  while (left.length > 0) {
    const one = pick(random, left)
    left.splice(left.indexOf(one), 1)
    shuffled.push(one)
  }
  return shuffled
}

/** The failures of a verdict, in words; empty where all is well. */
export function findFailures({ lost, doubled, problems, ledger }: Verdict): string[] {
  const name = (ids: string[], what: string) =>
    ids.length > 0 ? [`${ids.length} ${what}: ${ids.slice(0, 5).join(', ')}`] : []
  return [
    ...name(lost, 'acknowledged deliveries are lost'),
    ...name(doubled, 'are doubled'),
    ...(ledger.difference === 0 && ledger.lost === 0
      ? []
      : [`The ledger has ${ledger.lost} lost, and its difference is ${ledger.difference}`]),
    ...problems,
  ]
}

export function toText(report: ChaosReport): string {
  const { seed, faults, sent, acknowledged, lost, doubled, ledger, answers, completeChecks } = report
  const failures = findFailures(report)
  return [
    `Seed ${seed}: ${[...faults.values()].reduce((sum, { count }) => sum + count, 0)} faults`,
    ...[...faults].map(
      ([name, { count, stallMs }]) =>
        `  ${count} x ${name}: stored again within ${(stallMs / 1_000).toFixed(1)} s of its end`,
    ),
    `Sent ${sent} times, repeats included: ${answers.receipts} answers with a receipt, ${answers.none} times no answer`,
    `Acknowledged ${acknowledged} different deliveries, lost ${lost.length}, doubled ${doubled.length}`,
    `Called complete ${completeChecks} times, and everything acknowledged before was stored`,
    `Ledger: ${ledger.given} records of the log = ${ledger.stored} stored + ${ledger.repeated} repeats + ` +
      `${ledger.failed} failed + ${ledger.lost} lost, difference ${ledger.difference}`,
    ...(failures.length === 0
      ? [
          'Nothing is lost, nothing is doubled, and the numbers are what an undisturbed consumer makes of them.',
        ]
      : ['FAILED:', ...failures.map((words) => `  ${words}`)]),
  ].join('\n')
}
