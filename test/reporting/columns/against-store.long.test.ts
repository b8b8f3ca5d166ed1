import { describe } from 'vitest'
import { isComplete } from '../../support/thorough.ts'
import { testMemory } from './against-store.ts'

// The short run has one of such runs.
describe.runIf(isComplete || process.env.METRICS_RUNS !== undefined)('in more runs', () => {
  testMemory(Number(process.env.METRICS_RUNS ?? 10), Number(process.env.METRICS_SEED ?? 2026))
})
