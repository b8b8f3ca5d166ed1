/** Short runs of `npm run chaos`, and the proof that they notice defects: mutants of the product fail them. */
import { expect, onTestFinished, test } from 'vitest'
import { findJvmProblem } from '../support/kafka/jvm.ts'
import { isComplete } from '../support/tiers.ts'
import { openDistributedInstance } from './distributed-instance.ts'
import { openEmbeddedInstance } from './embedded-instance.ts'
import type { Instance, InstanceOptions } from './instance.ts'
import { findFailures, toText } from './report.ts'
import { runChaos, type ChaosOptions, type ChaosReport } from './run-chaos.ts'

const canRunDistributed = findJvmProblem() === undefined || process.env.ROLLCALL_REQUIRE_BROKER === '1'

/** Every wait of a run gives up by itself; how long a whole run takes depends on the machine. */
const unlimited = { timeout: 0 }

async function run(
  open: (options: InstanceOptions) => Promise<Instance>,
  options: ChaosOptions & InstanceOptions,
): Promise<ChaosReport> {
  const instance = await open(options)
  onTestFinished(() => instance.dispose(), 0)
  const report = await runChaos(instance, options)
  console.log(toText(report))
  return report
}

test('faults of many kinds lose nothing and double nothing', unlimited, async () => {
  const report = await run(openEmbeddedInstance, { seed: '20261122', faults: isComplete ? 20 : 3 })
  expect(findFailures(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(500)
})

test.runIf(canRunDistributed)('nor do they where the processes run apart', unlimited, async () => {
  const report = await run(openDistributedInstance, { seed: '20261122', faults: isComplete ? 24 : 3 })
  expect(findFailures(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(500)
})

const kills = { seed: '1', only: 'kill -9 of Rollcall' }

test.runIf(isComplete)('an acknowledgement before the sync is noticed', unlimited, async () => {
  const report = await run(openEmbeddedInstance, { ...kills, faults: 4, mutant: 'acknowledges-before-sync' })
  expect(report.lost).not.toEqual([])
})

test.runIf(isComplete)('a position before the insert is noticed', unlimited, async () => {
  const report = await run(openEmbeddedInstance, { ...kills, faults: 6, mutant: 'position-before-insert' })
  // Events, or only the states that follow from them, by where the process was killed.
  expect(findFailures(report)).not.toEqual([])
})

test('states that are written twice are noticed', unlimited, async () => {
  const once = { seed: '1', faults: 1, only: 'restart' }
  const report = await run(openEmbeddedInstance, { ...once, mutant: 'forgets-what-is-stored' })
  expect(report.doubled).not.toEqual([])
})

test.runIf(isComplete && canRunDistributed)('a swallowed insert error is noticed', unlimited, async () => {
  const once = { seed: '1', faults: 1, only: 'events cut off' }
  const report = await run(openDistributedInstance, { ...once, mutant: 'swallows-insert-errors' })
  // Where the group changes hands meanwhile, lost records are read again, and the ledger alone tells.
  expect(findFailures(report)).not.toEqual([])
})
