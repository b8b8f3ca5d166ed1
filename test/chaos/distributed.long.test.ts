import { expect, test } from 'vitest'
import { openDistributedInstance } from './distributed-instance.ts'
import { isComplete } from '../support/thorough.ts'
import { findFailures } from './report.ts'
import { canRunDistributed, runShort, unlimited } from './short-run.ts'

test.runIf(canRunDistributed)('faults of many kinds lose nothing and double nothing', unlimited, async () => {
  const report = await runShort(openDistributedInstance, { seed: '20261122', faults: isComplete ? 24 : 3 })
  expect(findFailures(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(500)
})
