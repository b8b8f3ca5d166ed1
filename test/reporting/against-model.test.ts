import { testAgainstModel } from './against-model.ts'

testAgainstModel(25, 5)
