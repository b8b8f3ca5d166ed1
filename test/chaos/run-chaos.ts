/**
 * A chaos run: faults one after another while senders deliver, then peace, then judgement. The seed decides the faults, their
 * details and the bodies; when a fault comes is counted in acknowledgements, not in time, so that a slow machine has the same run.
 */
import { createRandom, integer, pick } from '../../sample-platform/random.ts'
import { until } from '../support/wait.ts'
import { lostStore, partitionAdded } from './faults/common.ts'
import type { Instance } from './instance.ts'
import { createOracle, type Verdict } from './oracle.ts'
import { startSenders, type Senders } from './senders.ts'

export type ChaosOptions = {
  seed: string
  /** How many faults. */
  faults: number
  /** Only faults whose name has this in it. Default all. */
  only?: string | undefined
  onFault?: (name: string, at: number) => void
  /** Something is stored again after a fault. `output`: of the processes. */
  onStored?: (name: string, stallMs: number, output: string) => void
}

export type ChaosReport = Verdict & {
  seed: string
  /** How often each fault was done, in the order of the first time. */
  faults: Map<string, number>
  missing: readonly string[]
  sent: number
  /** The longest time after each kind of fault until something was stored again. */
  stallsMs: Map<string, number>
}

const fewestBetween = 60
/** More than this, and the senders wait: a slow machine has a longer run, not a longer queue. */
const mostWaiting = 1_000
const lookIntervalMs = 500
const mostBetween = 250

export async function runChaos(instance: Instance, options: ChaosOptions): Promise<ChaosReport> {
  const { seed, only = '', onFault, onStored } = options
  const random = createRandom(`faults-${seed}`)
  const oracle = createOracle()
  const faults = new Map<string, number>()
  const choice = instance.faults.filter(({ name }) => name.includes(only))
  if (choice.length === 0) throw new Error(`No fault has “${only}” in its name`)
  const failures: string[] = []
  let last = 'Before the first fault'
  const stallsMs = new Map<string, number>()

  const senders = startSenders(instance.ingestUrl, seed, oracle)
  const pacing = keepPace(instance, senders)
  const untilMore = async (count: number) => {
    const before = oracle.acknowledged()
    await until(oracle.acknowledged, (now) => now >= before + count, { describe: instance.output })
  }
  try {
    // Each kind once before any comes again.
    let left = shuffle(random, choice)
    for (let done = 0; done < options.faults && failures.length === 0; done++) {
      if (left.length === 0) left = shuffle(random, choice)
      const fault = left.pop() as (typeof choice)[number]
      await untilMore(integer(random, fewestBetween, mostBetween))
      last = fault.name
      onFault?.(fault.name, oracle.acknowledged())
      faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1)
      await fault.apply(random)
      const startedAt = performance.now()
      const stored = await instance.stored()
      await until(async () => (await instance.stored()) !== stored, Boolean, { describe: instance.output })
      const stallMs = performance.now() - startedAt
      stallsMs.set(fault.name, Math.max(stallsMs.get(fault.name) ?? 0, stallMs))
      onStored?.(fault.name, stallMs, instance.output())
    }
    await untilMore(fewestBetween)
  } catch (error) {
    const { message, cause } = error as Error
    failures.push(`${last}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`)
  }
  pacing.end()
  const verdict = await endAndJudge()
  return {
    ...verdict,
    problems: [...failures, ...verdict.problems],
    seed,
    faults,
    missing: instance.missing,
    sent: senders.sent(),
    stallsMs,
  }

  async function endAndJudge(): Promise<Verdict> {
    if (failures.length > 0) {
      await senders.giveUp()
      return oracle.refuseToJudge()
    }
    try {
      await senders.stop()
      await untilAllStored(instance)
    } catch (error) {
      failures.push(`Not everything was stored: ${(error as Error).message}`)
    }
    return oracle.judge(await instance.stopAndOpen(), {
      isLedgerPartial: faults.has(lostStore),
      mostTwice: faults.has(partitionAdded) ? senders.sent() - oracle.acknowledged() : 0,
    })
  }
}

function keepPace({ waiting }: Instance, senders: Senders): { end(): void } {
  let isLooking = false
  const looks = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void waiting()
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
async function untilAllStored(instance: Instance): Promise<void> {
  for (let waiting = Infinity; waiting > 0;) {
    const before = waiting
    const now = await until(
      instance.waiting,
      (count) => count !== undefined && (count === 0 || count < before),
      {
        describe: instance.output,
      },
    )
    waiting = now ?? 0
  }
}

function shuffle<T>(random: ReturnType<typeof createRandom>, list: readonly T[]): T[] {
  const left = [...list]
  const shuffled: T[] = []
  while (left.length > 0) {
    const one = pick(random, left)
    left.splice(left.indexOf(one), 1)
    shuffled.push(one)
  }
  return shuffled
}
