/** A client of the platform for tests: its own budget, short pauses. */
import { createCallBudget } from '../../services/platform/create-call-budget.ts'
import {
  openPlatformClient,
  type PlatformClientOptions,
} from '../../services/platform/open-platform-client.ts'
import type { PlatformClient } from '../../services/platform/open-platform-client.ts'
import { systemClock } from '../../services/platform/clock.ts'

export function openTestClient(
  baseUrl: string,
  token: string,
  options: Partial<PlatformClientOptions> = {},
): PlatformClient {
  return openPlatformClient({
    baseUrl,
    token,
    budget: createCallBudget({ callsPerHour: 2_000 }),
    clock: systemClock,
    // Not the subject of most tests: no machine is so slow.
    timeoutMs: 600_000,
    retries: 1,
    pauseMs: 0.1,
    ...options,
  })
}
