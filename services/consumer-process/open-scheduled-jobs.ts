/** All scheduled work, in the one process that runs it: the same in both modes. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Registry } from 'prom-client'
import { toOrdersTask } from '../guide-orders/orders-task.ts'
import { createGuideOrderRunner } from '../guide-orders/runner.ts'
import { openPlatform } from '../platform/open-platform.ts'
import type { PlatformClient } from '../platform/open-platform-client.ts'
import type { Config } from '../config/config.ts'
import type { LogRecord } from '../event-log/event-log.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Job } from '../jobs/job.ts'
import { createAudit, createAuditJob, type AuditJobOptions } from '../jobs/audit/audit.ts'
import type { Consumer } from '../consumer/consumer.ts'
import { openJobs } from '../jobs/open-jobs.ts'
import type { Task } from '../runtime/runner.ts'
import { createPullJobs, toPullSchedules } from '../sync/pull/pull-jobs.ts'
import { createFetchJob, createReconcileJob } from '../sync/reconcile/create-reconcile-job.ts'
import { createRetentionJob } from '../jobs/retention-job.ts'
import { createReconcile } from '../sync/reconcile/reconcile.ts'
import type { People } from '../consumer/store/store-people.ts'

export type ScheduledJobsDeps = {
  config: Config
  client: ClickHouseClient
  people: People
  /** Into the event log: resolves once all are durable. */
  append: (records: LogRecord[]) => Promise<void>
  /** The consumer's own: no batch of this process runs meanwhile. */
  exclusively: Consumer['exclusively']
  /** Ends what reads a snapshot of the store, before a removal is said to be done. */
  endSnapshots?: (() => Promise<void>) | undefined
  /** Takeovers that the audit covers. Only if several processes read the log. */
  takeovers?: AuditJobOptions['takeovers']
  /** Whether this process runs jobs: `() => reader.assigned().includes(0)`. */
  isRunner: () => boolean
  /** What the process repeats beside the jobs. Default: nothing. */
  tasks?: readonly Task[]
  logger: Logger
  registry: Registry
}

export type ScheduledJobs = ReturnType<typeof openScheduledJobs>

export function openScheduledJobs(deps: ScheduledJobsDeps) {
  const { config, client, people, append, exclusively, isRunner, logger, registry } = deps
  const platform = openPlatform(config, client, registry)
  const audit = createAuditJob(createAudit({ client, people, exclusively }), { takeovers: deps.takeovers })
  const retention = createRetentionJob(client, config.retention, deps.endSnapshots)
  const pulls =
    platform === undefined
      ? []
      : createPullJobs({ client, people, platform, schedules: toPullSchedules(config.pullSchedule) })
  const todo = [audit, retention, ...pulls, ...(platform === undefined ? [] : toReconcileJobs(platform))]
  const runsOrders = platform !== undefined && config.assignGuides !== 'off'
  const tasks = [
    ...(deps.tasks ?? []),
    ...(runsOrders ? [toOrdersTask(createGuideOrderRunner({ client, platform }))] : []),
  ]
  const { timeZone } = config
  const jobs = openJobs({ client, jobs: todo, tasks, isRunner, timeZone, logger, registry })

  function toReconcileJobs(platform: PlatformClient): Job[] {
    const reconcile = createReconcile({ client, platform, append })
    const sweep = createReconcileJob({
      reconcile,
      schedule: config.reconcileSchedule,
      // The rest of the calls is for pulls and people.
      peoplePerRun: Math.floor(config.platformCallsPerHour / 4),
      repair: config.reconcileRepair === 'on',
    })
    return [sweep, ...pulls.slice(0, 1).map((users) => createFetchJob({ reconcile, users }))]
  }

  return {
    jobs,
    /** The names of the jobs that only read from the platform, in their order. */
    pulls: pulls.map(({ name }) => name),
    platform,
    async close(): Promise<void> {
      await jobs.close()
      await platform?.close()
    },
  }
}
