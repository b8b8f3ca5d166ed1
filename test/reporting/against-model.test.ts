import { testAgainstModel } from './against-model.ts'

testAgainstModel(15, 3, 200)
