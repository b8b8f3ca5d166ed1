import { testCountedParts } from './against-store.ts'

testCountedParts(1, 7)
