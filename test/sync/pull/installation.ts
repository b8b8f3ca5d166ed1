/** The parts of a process for its jobs, over a real store and a real platform, on a clock that the test turns. */
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { startPlatform, type Platform, type PlatformOptions } from '../../../sample-platform/start.ts'
import { type Clock, systemClock } from '../../../services/platform/clock.ts'
import { createCallBudget } from '../../../services/platform/create-call-budget.ts'
import { createListRecord } from '../../../services/platform/missing-lists.ts'
import { openPlatformClient } from '../../../services/platform/open-platform-client.ts'
import { openJobs, type Jobs } from '../../../services/jobs/open-jobs.ts'
import { toPullSchedules, createPullJobs, type PullSchedules } from '../../../services/sync/pull/pull-jobs.ts'
import { createPeople } from '../../../services/consumer/store/store-people.ts'
import type { TestStore } from '../../support/store/store.ts'

export type Installation = {
  jobs: Jobs
  registry: Registry
  log: Record<string, unknown>[]
  close(): Promise<void>
}

export type InstallationOptions = {
  store: Pick<TestStore, 'writer'>
  baseUrl: string
  token?: string
  schedules?: Partial<PullSchedules>
  isRunner?: () => boolean
  /** The clock of the schedule; the calls have the machine's. */
  clock?: Clock
  tickMs?: number
  pageSize?: number
  retries?: number
  timeoutMs?: number
}

/** A platform with a history, and an installation beside it; both close with the test. */
export const openPlatforms = (
  store: InstallationOptions['store'],
  company: Omit<PlatformOptions, 'url'>,
) => ({
  async start(options: Partial<PlatformOptions> = {}): Promise<Platform> {
    const platform = await startPlatform({ callsPerHour: 100_000, ...company, ...options })
    onTestFinished(() => platform.close())
    await platform.deliverHistory()
    return platform
  },
  open(baseUrl: string, options: Partial<InstallationOptions> = {}): Installation {
    const installation = openInstallation({ store, baseUrl, ...options })
    onTestFinished(() => installation.close())
    return installation
  },
})

export function openInstallation(options: InstallationOptions): Installation {
  const {
    store,
    baseUrl,
    token = 'platform-token',
    clock = systemClock,
    isRunner = () => true,
    pageSize,
  } = options
  const registry = new Registry()
  const log: Record<string, unknown>[] = []
  const logger = pino(
    { level: 'debug' },
    { write: (line: string) => void log.push(JSON.parse(line) as (typeof log)[number]) },
  )
  const budget = createCallBudget({
    // Spread so thin as tests have time for.
    callsPerHour: 3_000_000,
  })
  const platform = openPlatformClient({
    baseUrl,
    token,
    budget,
    clock: systemClock,
    retries: options.retries ?? 1,
    pauseMs: 0.1,
    timeoutMs: options.timeoutMs ?? 600_000,
    onList: createListRecord(store.writer, (list) => list),
  })
  const jobs = openJobs({
    client: store.writer,
    jobs: createPullJobs({
      client: store.writer,
      people: createPeople(store.writer),
      platform,
      schedules: { ...toPullSchedules('off'), ...options.schedules },
      ...(pageSize !== undefined && { pageSize }),
    }),
    isRunner,
    timeZone: 'UTC',
    logger,
    registry,
    clock,
    tickMs: options.tickMs ?? 20,
  })
  return {
    jobs,
    registry,
    log,
    async close() {
      await jobs.close()
      await platform.close()
    },
  }
}
