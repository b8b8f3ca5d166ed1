/** Records calls in ClickHouse: across restarts, and between the processes of a distributed installation. */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { CallRecord, MinuteCalls } from './call-budget.ts'
import { sql } from '../statements.ts'

const query = sql('platform-calls')

export function createClickHouseCallRecord(client: ClickHouseClient): CallRecord {
  const process = randomUUID()
  let lastRecordedAt = 0
  return {
    async others(sinceMs) {
      const answer = await client.query({
        query,
        query_params: { since: Math.floor(sinceMs), process },
        format: 'JSONEachRow',
      })
      return answer.json<MinuteCalls>()
    },
    async write(calls) {
      // Two rows of one minute within a millisecond still need an order.
      lastRecordedAt = Math.max(Date.now(), lastRecordedAt + 1)
      await client.insert({
        table: 'rollcall.platform_calls',
        values: calls.map(({ minuteMs, calls }) => ({
          minute: minuteMs / 1000,
          process,
          calls,
          recorded_at: lastRecordedAt,
        })),
        format: 'JSONEachRow',
      })
    },
  }
}

/** For a caller without a store: forgets the calls at its end. */
export function createMemoryCallRecord(): CallRecord {
  return { others: async () => [], write: async () => {} }
}
