/** Short runs of `npm run chaos`, and the proof that they notice defects: mutants of the product fail them. */
import { expect, onTestFinished, test } from 'vitest'
import { findJvmProblem } from '../support/kafka/jvm.ts'
import { isComplete } from '../support/tiers.ts'
import type { Mode } from '../support/processes/product.ts'
import type { MutantName } from './preload/mutants.ts'
import { findFailures, runChaos, toText, type ChaosOptions, type ChaosReport } from './run.ts'
import { openTarget } from './target.ts'

const canRunDistributed = findJvmProblem() === undefined || process.env.ROLLCALL_REQUIRE_BROKER === '1'

/** Every wait of a run gives up by itself; how long a whole run takes depends on the machine. */
const unlimited = { timeout: 0 }

async function run(
  mode: Mode,
  options: Omit<ChaosOptions, 'seed'>,
  mutant?: MutantName,
): Promise<ChaosReport> {
  const target = await openTarget(mode, mutant)
  onTestFinished(() => target.dispose(), 0)
  const report = await runChaos(target, { seed: mutant ? '1' : '20261122', ...options })
  console.log(toText(report))
  return report
}

test.for<[mode: Mode, only: string, faults: number]>([
  ['embedded', '', isComplete ? 24 : 3],
  ['embedded', 'at the start,full while,kill -9 while a statement,no room', 4],
  ['distributed', '', isComplete ? 36 : 3],
  ['distributed', 'at an insert,stopped while', isComplete ? 12 : 4],
  ['distributed', 'full,ingest starts,partition', 5],
])(
  'faults lose and double nothing, and show no person: %s, %s',
  unlimited,
  async ([mode, only, faults], { skip }) => {
    skip(mode === 'distributed' && !canRunDistributed, 'it needs a broker')
    const report = await run(mode, { only, faults })
    expect(findFailures(report)).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(200)
    expect(report.completeChecks).toBeGreaterThan(0)
  },
)

const kills = { only: 'kill -9 of Rollcall' }

test.runIf(isComplete)('an acknowledgement before the sync is noticed', unlimited, async () => {
  const report = await run('embedded', { ...kills, faults: 4 }, 'acknowledges-before-sync')
  expect(report.lost).not.toEqual([])
})

test.runIf(isComplete)('a position before the insert is noticed', unlimited, async () => {
  const report = await run('embedded', { ...kills, faults: 6 }, 'position-before-insert')
  // Events, or only the states that follow from them, by where the process was killed.
  expect(findFailures(report)).not.toEqual([])
})

test('states that are written twice are noticed', unlimited, async () => {
  const report = await run('embedded', { faults: 1, only: 'restart' }, 'forgets-what-is-stored')
  expect(report.doubled).not.toEqual([])
})

test.runIf(isComplete && canRunDistributed)('a swallowed insert error is noticed', unlimited, async () => {
  const report = await run('distributed', { faults: 1, only: 'events cut off' }, 'swallows-insert-errors')
  // Where the group changes hands meanwhile, lost records are read again, and the ledger alone tells.
  expect(findFailures(report)).not.toEqual([])
})
