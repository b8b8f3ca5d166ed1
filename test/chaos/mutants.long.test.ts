/** The proof that a run of chaos notices defects: mutants of the product fail it. */
import { expect, test } from 'vitest'
import { isComplete, testComplete } from '../support/thorough.ts'
import { openDistributedInstance } from './distributed-instance.ts'
import { openEmbeddedInstance } from './embedded-instance.ts'
import { findFailures } from './report.ts'
import { canRunDistributed, runShort, unlimited } from './short-run.ts'

const kills = { seed: '1', only: 'kill -9 of Rollcall' }

testComplete('an acknowledgement before the sync is noticed', unlimited, async () => {
  const report = await runShort(openEmbeddedInstance, { ...kills, faults: 4, mutant: 'acknowledges-before-sync' })
  expect(report.lost).not.toEqual([])
  // The product itself knows: ingest has counted receipts of which the log has no records.
  expect(report.ledger.difference).toBeGreaterThan(0)
})

testComplete('a position before the insert is noticed', unlimited, async () => {
  const report = await runShort(openEmbeddedInstance, { ...kills, faults: 6, mutant: 'position-before-insert' })
  // Events, or only the states that follow from them, by where the process was killed.
  expect(findFailures(report)).not.toEqual([])
})

test('states that are written twice are noticed', unlimited, async () => {
  const once = { seed: '1', faults: 1, only: 'restart' }
  const report = await runShort(openEmbeddedInstance, { ...once, mutant: 'forgets-what-is-stored' })
  expect(report.doubled).not.toEqual([])
})

test.runIf(isComplete && canRunDistributed)('a swallowed insert error is noticed', unlimited, async () => {
  const once = { seed: '1', faults: 1, only: 'events cut off' }
  const report = await runShort(openDistributedInstance, { ...once, mutant: 'swallows-insert-errors' })
  // Where the group changes hands meanwhile, lost records are read again, and the ledger alone tells.
  expect(findFailures(report)).not.toEqual([])
})
