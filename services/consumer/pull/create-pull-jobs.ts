/** The pulls of an installation: what the platform alone knows - people who leave, and guides. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { PlatformClient } from '../../platform/platform-client.ts'
import type { Job } from '../jobs/job.ts'
import type { People } from '../store/store-people.ts'
import { createPullGuideAssignmentsJob } from './pull-guide-assignments.ts'
import { createPullGuideChangesJob } from './pull-guide-changes.ts'
import { createPullGuidesJob } from './pull-guides.ts'
import { createPullUsersJob } from './pull-users.ts'

/** Cron patterns; `undefined`: only when asked. */
export type PullSchedules = {
  users: string | undefined
  guides: string | undefined
  guideChanges: string | undefined
  guideAssignments: string | undefined
}

export type PullDeps = {
  client: ClickHouseClient
  /** The consumer's own, so that what one has looked up the other need not. */
  people: People
  platform: PlatformClient
  schedules: PullSchedules
  /** Items on a page of users and of guide assignments. Default: the most that the platform gives. */
  pageSize?: number
}

export function createPullJobs({ client, people, platform, schedules, pageSize }: PullDeps): Job[] {
  const size = pageSize === undefined ? {} : { pageSize }
  return [
    createPullUsersJob({ client, people, platform, schedule: schedules.users, ...size }),
    createPullGuidesJob({ client, platform, schedule: schedules.guides }),
    createPullGuideChangesJob({ client, platform, schedule: schedules.guideChanges }),
    createPullGuideAssignmentsJob({ client, platform, schedule: schedules.guideAssignments, ...size }),
  ]
}
