/** The configured platform: its client, and the budget that all callers share. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { defaultPaths, type PlatformPaths } from '../config/values/platform-paths.ts'
import { createMeters } from '../runtime/telemetry.ts'
import { createCallBudget } from './create-call-budget.ts'
import { systemClock } from './clock.ts'
import { createListRecord } from './missing-lists.ts'
import { openPlatformClient } from './open-platform-client.ts'
import type { PlatformClient } from './open-platform-client.ts'

type PlatformConfig = Pick<Config, 'platformUrl' | 'platformToken' | 'platformPaths' | 'platformCallsPerHour'>

/** `undefined` if no platform is configured. `client`: the store that keeps which lists there are. */
export function openPlatform(
  config: PlatformConfig,
  client: ClickHouseClient,
  registry: Registry,
): PlatformClient | undefined {
  const { platformUrl, platformToken, platformPaths, platformCallsPerHour: callsPerHour } = config
  if (platformUrl === undefined || platformToken === undefined) return undefined
  const paths: PlatformPaths = platformPaths ?? defaultPaths
  const budget = createCallBudget({ callsPerHour })
  const { counter, reading } = createMeters(registry)
  const calls = counter(
    'rollcall_platform_calls_total',
    "Calls to the platform's API, by endpoint and by what became of them.",
    ['endpoint', 'outcome'],
  )
  reading(
    'rollcall_platform_calls_left',
    "Calls to the platform's API that this process may make at once.",
    () => budget.left(),
  )
  return openPlatformClient({
    baseUrl: platformUrl,
    token: platformToken,
    paths,
    budget,
    clock: systemClock,
    onCall: ({ endpoint, outcome }) => calls.inc({ endpoint, outcome }),
    onList: createListRecord(client, (list) => paths[list]),
  })
}
