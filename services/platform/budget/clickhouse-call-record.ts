/** Records calls in ClickHouse: across restarts, and between the processes of a distributed installation. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import type { CallRecord, MinuteCalls } from './create-call-budget.ts'
import { readStatements, selectRows } from '../../clickhouse/statements.ts'
import { insertRows } from '../../clickhouse/insert-rows.ts'

const query = readStatements(join(import.meta.dirname, '..'))('platform-calls')

export function createClickHouseCallRecord(client: ClickHouseClient): CallRecord {
  const process = randomUUID()
  let lastRecordedAt = 0
  return {
    async others(sinceMs) {
      return selectRows<MinuteCalls>(client, query, { since: Math.floor(sinceMs), process })
    },
    async write(calls) {
      // Two rows of one minute within a millisecond still need an order.
      lastRecordedAt = Math.max(Date.now(), lastRecordedAt + 1)
      const rows = calls.map(({ minuteMs, calls }) => ({
        minute: minuteMs / 1000,
        process,
        calls,
        recorded_at: lastRecordedAt,
      }))
      await insertRows(client, 'platform_calls', rows)
    },
  }
}
