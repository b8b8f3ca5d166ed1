import { isComplete } from '../../support/thorough.ts'
import { testMemory } from './against-store.ts'

testMemory(Number(process.env.METRICS_RUNS ?? (isComplete ? 10 : 1)), Number(process.env.METRICS_SEED ?? 2026))
