/** Short runs of `npm run chaos`, and the proof that they would notice: mutants of the product must fail them. */
import { afterEach, describe, expect, test } from 'vitest'
import { findJvmProblem } from '../support/kafka/jvm.ts'
import { openDistributedInstance } from './distributed-instance.ts'
import { openEmbeddedInstance } from './embedded-instance.ts'
import type { Instance, InstanceOptions } from './instance.ts'
import { findFailures, toText } from './report.ts'
import { runChaos, type ChaosOptions } from './run-chaos.ts'

let instance: Instance | undefined
afterEach(() => instance?.dispose())

async function run(open: (options: InstanceOptions) => Promise<Instance>, options: ChaosOptions & InstanceOptions) {
  instance = await open(options)
  const report = await runChaos(instance, options)
  console.log(toText(report))
  return report
}

const hasBroker = findJvmProblem() === undefined || process.env.ROLLCALL_REQUIRE_BROKER === '1'

// Every wait of a run gives up by itself and says for what it waited; how long a whole run takes depends on the machine.
describe('embedded', { timeout: 0 }, () => {
  test('faults of every kind lose nothing and double nothing', async () => {
    const report = await run(openEmbeddedInstance, { seed: '20261122', faults: 14 })
    expect(findFailures(report)).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(500)
  })

  test('an acknowledgement before the sync is noticed', async () => {
    const report = await run(openEmbeddedInstance, {
      seed: '1',
      faults: 4,
      only: 'kill -9 of Rollcall',
      mutant: 'acknowledges-before-sync',
    })
    expect(report.lost).not.toEqual([])
    // The product itself knows: ingest has counted receipts of which the log has no records.
    expect(report.ledger.difference).toBeGreaterThan(0)
  })

  test('a position before the insert is noticed', async () => {
    const report = await run(openEmbeddedInstance, {
      seed: '1',
      faults: 6,
      only: 'kill -9 of Rollcall',
      mutant: 'position-before-insert',
    })
    // Events, or only the states that follow from them, by where the process was killed.
    expect(findFailures(report)).not.toEqual([])
  })

  test('states that are written twice are noticed', async () => {
    const report = await run(openEmbeddedInstance, {
      seed: '1',
      faults: 1,
      only: 'restart',
      mutant: 'forgets-what-is-stored',
    })
    expect(report.doubled).not.toEqual([])
  })
})

describe.runIf(hasBroker)('distributed', { timeout: 0 }, () => {
  test('faults of ten kinds lose nothing and double nothing', async () => {
    const report = await run(openDistributedInstance, { seed: '20261122', faults: 10 })
    expect(findFailures(report)).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(500)
  })

  test('a swallowed insert error is noticed', async () => {
    const report = await run(openDistributedInstance, {
      seed: '1',
      faults: 1,
      only: 'events cut off',
      mutant: 'swallows-insert-errors',
    })
    expect(report.lost).not.toEqual([])
  })
})
