import { testAgainstModel } from './against-model.ts'

testAgainstModel(Number(process.env.METRICS_RUNS ?? 150))
