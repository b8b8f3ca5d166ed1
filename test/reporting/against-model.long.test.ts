import { isComplete } from '../support/thorough.ts'
import { testAgainstModel } from './against-model.ts'

testAgainstModel(Number(process.env.METRICS_RUNS ?? (isComplete ? 150 : 30)), isComplete ? 15 : 5)
