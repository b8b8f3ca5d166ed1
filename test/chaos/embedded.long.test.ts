import { expect, test } from 'vitest'
import { openEmbeddedInstance } from './embedded-instance.ts'
import { isComplete } from '../support/thorough.ts'
import { findFailures } from './report.ts'
import { runShort, unlimited } from './short-run.ts'

test('faults of many kinds lose nothing and double nothing', unlimited, async () => {
  const report = await runShort(openEmbeddedInstance, { seed: '20261122', faults: isComplete ? 20 : 3 })
  expect(findFailures(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(500)
})
