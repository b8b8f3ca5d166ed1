import { testAgainstModel } from './against-model.ts'

testAgainstModel(50, 7)
