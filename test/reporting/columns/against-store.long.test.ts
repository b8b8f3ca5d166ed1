import { testMemory } from './against-store.ts'

testMemory(Number(process.env.METRICS_RUNS ?? 10), Number(process.env.METRICS_SEED ?? 2026))
