import { expect, test } from 'vitest'
import { openEmbeddedInstance } from './embedded-instance.ts'
import { findFailures } from './report.ts'
import { runShort, unlimited } from './short-run.ts'

test('faults of every kind lose nothing and double nothing', unlimited, async () => {
  const report = await runShort(openEmbeddedInstance, { seed: '20261122', faults: 14 })
  expect(findFailures(report)).toEqual([])
  expect(report.acknowledged).toBeGreaterThan(500)
})
