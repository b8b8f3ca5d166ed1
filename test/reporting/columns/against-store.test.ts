import { testMemory } from './against-store.ts'

testMemory(1, 7, 5)
