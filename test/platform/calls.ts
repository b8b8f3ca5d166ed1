import type { CallRecord } from '../../services/platform/create-call-budget.ts'

/** For a caller without a store: forgets the calls at its end. */
export function createMemoryCallRecord(): CallRecord {
  return { others: async () => [], write: async () => {} }
}

const hourMs = 3_600_000

/** The most of these moments that lie within any hour. */
export function mostInAnHour(times: readonly number[]): number {
  return Math.max(...times.map((first) => times.filter((at) => at >= first && at < first + hourMs).length))
}
