import { testCountedParts } from './against-store.ts'

testCountedParts(Number(process.env.METRICS_RUNS ?? 20), Number(process.env.METRICS_SEED ?? 2026))
