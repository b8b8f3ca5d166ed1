/** The pulls of an installation: what only the platform knows - leavers and guides. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PlatformClient } from '../../platform/platform-client.ts'
import type { Config } from '../../config/config.ts'
import type { Job } from '../../jobs/job.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { createPullGuideAssignmentsJob } from './pull-guide-assignments.ts'
import { createPullGuideChangesJob } from './pull-guide-changes.ts'
import { createPullGuidesJob } from './pull-guides.ts'
import { createPullUsersJob } from './pull-users.ts'

export type PullSchedules = Pick<
  Config,
  'pullUsersSchedule' | 'pullGuidesSchedule' | 'pullGuideChangesSchedule' | 'pullGuideAssignmentsSchedule'
>

export type PullDeps = {
  client: ClickHouseClient
  /** The consumer's own cache, so that look-ups are shared. */
  people: People
  platform: PlatformClient
  schedules: PullSchedules
  /** Page size of users and guide assignments. Default: the platform's maximum. */
  pageSize?: number
}

export function createPullJobs({ client, people, platform, schedules, pageSize }: PullDeps): Job[] {
  const size = pageSize === undefined ? {} : { pageSize }
  return [
    createPullUsersJob({ client, people, platform, schedule: schedules.pullUsersSchedule, ...size }),
    createPullGuidesJob({ client, platform, schedule: schedules.pullGuidesSchedule }),
    createPullGuideChangesJob({ client, platform, schedule: schedules.pullGuideChangesSchedule }),
    createPullGuideAssignmentsJob({ client, platform, schedule: schedules.pullGuideAssignmentsSchedule, ...size }),
  ]
}
