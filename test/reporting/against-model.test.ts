import { testAgainstModel } from './against-model.ts'

testAgainstModel(15, 2, 200)
