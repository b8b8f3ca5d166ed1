import { testAgainstModel } from './against-model.ts'

testAgainstModel(15, 5, 200)
