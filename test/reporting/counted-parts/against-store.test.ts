import { testCountedParts } from './against-store.ts'

testCountedParts(2, 7)
