/** Everything that is done by the clock, in the one process that does it: the same for every way to run. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import { openPlatform, type OpenedPlatform } from '../platform/open-platform.ts'
import type { Config } from '../runtime/config.ts'
import type { Logger } from '../runtime/logger.ts'
import { openJobs, type Jobs } from './jobs/open-jobs.ts'
import { createPullJobs } from './pull/create-pull-jobs.ts'
import type { People } from './store/store-people.ts'

export type ScheduledJobsDeps = {
  config: Config
  /** Reads and writes. */
  client: ClickHouseClient
  /** The consumer's own. */
  people: People
  /** Whether this process is the one that does jobs: `() => reader.assigned().includes(0)`. */
  isRunner: () => boolean
  logger: Logger
  registry: Registry
}

export type ScheduledJobs = {
  jobs: Jobs
  /** `undefined` where none is configured. */
  opened: OpenedPlatform | undefined
  close(): Promise<void>
}

export function openScheduledJobs(deps: ScheduledJobsDeps): ScheduledJobs {
  const { config, client, people, isRunner, logger, registry } = deps
  const opened = openPlatform(config, client, registry)
  const pulls =
    opened === undefined
      ? []
      : createPullJobs({ client, people, platform: opened.platform, schedules: toSchedules(config) })
  const jobs = openJobs({ client, jobs: pulls, isRunner, timeZone: config.timeZone, logger, registry })
  return {
    jobs,
    opened,
    async close() {
      await jobs.close()
      await opened?.platform.close()
    },
  }
}

function toSchedules(config: Config) {
  const toSchedule = (text: string) => (text === 'off' ? undefined : text)
  return {
    users: toSchedule(config.pullUsersSchedule),
    guides: toSchedule(config.pullGuidesSchedule),
    guideChanges: toSchedule(config.pullGuideChangesSchedule),
    guideAssignments: toSchedule(config.pullGuideAssignmentsSchedule),
  }
}
