/** The configured platform: its client, and the budget that all callers share. */
import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import { insertRows } from '../clickhouse/insert-rows.ts'
import { readStatements, selectRows } from '../clickhouse/statements.ts'
import type { Config } from '../config/config.ts'
import { defaultPaths, type PlatformPaths } from '../config/values/platform-paths.ts'
import { createMeters } from '../runtime/telemetry.ts'
import { type CallRecord, createCallBudget, type MinuteCalls } from './create-call-budget.ts'
import { systemClock } from './clock.ts'
import { openPlatformClient } from './open-platform-client.ts'
import type { PlatformClient } from './platform-client.ts'
import { createListRecord, createNoticeRecord } from './platform-notices.ts'

type PlatformConfig = Pick<Config, 'platformUrl' | 'platformToken' | 'platformPaths' | 'platformCallsPerHour'>

export const timeoutMs = 30_000
/** A platform without pages answers with all of its people at once. */
const maxAnswerBytes = 64 * 1024 ** 2

/** `undefined` where no platform is configured. `client` is the store in which calls are counted. */
export function openPlatform(
  config: PlatformConfig,
  client: ClickHouseClient,
  registry: Registry,
): PlatformClient | undefined {
  const { platformUrl, platformToken, platformPaths = defaultPaths, platformCallsPerHour: callsPerHour } = config
  const paths: PlatformPaths = platformPaths
  if (platformUrl === undefined || platformToken === undefined) return undefined
  const budget = createCallBudget({ callsPerHour, record: createClickHouseCallRecord(client) })
  const { counter, reading } = createMeters(registry)
  const calls = counter(
    'rollcall_platform_calls_total',
    "Calls to the platform's API, by endpoint and by what became of them.",
    ['endpoint', 'outcome'],
  )
  reading(
    'rollcall_platform_budget_used',
    "Calls to the platform's API within the last hour, of this process and, as far as it knows, of others.",
    () => budget.state().used,
  )
  return openPlatformClient({
    baseUrl: platformUrl,
    token: platformToken,
    paths,
    budget,
    clock: systemClock,
    timeoutMs,
    maxAnswerBytes,
    takeBackPath: paths.take_back_guide,
    onCall: ({ endpoint, outcome }) => calls.inc({ endpoint, outcome }),
    onNotice: createNoticeRecord(client, (endpoint) => paths[endpoint]),
    onList: createListRecord(client, (list) => paths[list]),
  })
}

// Records calls in ClickHouse: across restarts, and between the processes of a distributed installation.

const query = readStatements(import.meta.dirname)('platform-calls')

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
