/** The pulls of an installation: what only the platform knows - leavers and guides. */
import type { Config } from '../../config/config.ts'
import type { Job } from '../../jobs/job.ts'
import type { People } from '../../consumer/store/store-people.ts'
import { createPullGuidesJobs, type PullGuidesDeps } from './pull-guides.ts'
import { createPullUsersJob } from './pull-users.ts'

export type PullSchedules = PullGuidesDeps['schedules'] & Pick<Config, 'pullUsersSchedule'>

export type PullDeps = PullGuidesDeps & {
  /** The consumer's own cache, so that look-ups are shared. */
  people: People
  schedules: PullSchedules
}

export function createPullJobs({ people, ...deps }: PullDeps): Job[] {
  const { client, platform, schedules, pageSize } = deps
  return [
    createPullUsersJob({ client, people, platform, schedule: schedules.pullUsersSchedule, pageSize }),
    ...createPullGuidesJobs(deps),
  ]
}
