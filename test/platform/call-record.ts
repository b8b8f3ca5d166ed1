import type { CallRecord } from '../../services/platform/create-call-budget.ts'

/** For a caller without a store: forgets the calls at its end. */
export function createMemoryCallRecord(): CallRecord {
  return { others: async () => [], write: async () => {} }
}
