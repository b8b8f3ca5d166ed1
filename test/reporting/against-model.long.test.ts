import { isComplete } from '../support/thorough.ts'
import { testAgainstModel } from './against-model.ts'

testAgainstModel(Number(process.env.METRICS_RUNS ?? (isComplete ? 150 : 50)), isComplete ? 15 : 8)
