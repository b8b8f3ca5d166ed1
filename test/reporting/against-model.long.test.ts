import { describe } from 'vitest'
import { isComplete } from '../support/thorough.ts'
import { testAgainstModel } from './against-model.ts'

// The short run has the first fifty of these histories.
describe.runIf(isComplete || process.env.METRICS_RUNS !== undefined)('with more histories', () => {
  testAgainstModel(Number(process.env.METRICS_RUNS ?? 150))
})
