/** Parts that only the embedded process opens: SQL for analysts, the command line's way in, actions at the platform. */
import { statfsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Hono } from 'hono'
import type { Disk } from '../../dashboards/arrival.ts'
import type { DashboardsOptions } from '../../dashboards/open-dashboards.ts'
import { contractViews } from '../../schemas/clickhouse/contract.ts'
import type { CommandDeps } from '../cli/command-deps.ts'
import { createCommands } from '../cli/commands.ts'
import type { Config } from '../config/config.ts'
import type { ScheduledJobs } from '../consumer-process/open-scheduled-jobs.ts'
import { createGuideOrders } from '../guide-orders/create-guide-orders.ts'
import { checkDelivery, createStoredCheck } from '../registration/delivery.ts'
import { registerWebhook } from '../registration/register.ts'
import { createControlApp } from '../runtime/control/control-app.ts'
import { makeControlToken, removeControlFile, writeControlFile } from '../runtime/control/control-file.ts'
import type { Logger } from '../runtime/logger.ts'
import { fetchJob } from '../sync/reconcile/create-reconcile-job.ts'
import { createSqlSignpost, openSqlEndpoint } from '../sql-endpoint/open-sql-endpoint.ts'
import { openSqlProcess, removeSnapshots, toSnapshots } from '../sql-endpoint/process/open-sql-process.ts'

/** Answers lie on the disk while they are sent. */
const maxSqlAnswerBytes = 256 * 1024 ** 2

export type Sql = {
  sql: Hono
  /** For analysts without the grant, where others may read names. */
  sqlWithoutNames?: Hono
  /** Ends the process of statements, and with it the snapshot that they read. */
  endSnapshot(): Promise<void>
  close(): Promise<void>
}

/** Read-only SQL for analysts, in a process of its own, within the limits that the owner has set. */
export function openSql(client: ClickHouseClient, config: Config, logger: Logger): Sql {
  const nothing = () => Promise.resolve()
  const directory = toSnapshots(config.dataDir)
  if (config.sqlEndpoint === 'off') {
    removeSnapshots(directory)
    return { sql: createSqlSignpost('switched_off'), endSnapshot: nothing, close: nothing }
  }
  const process = openSqlProcess({
    client,
    directory,
    views: contractViews,
    limits: {
      maxExecutionSeconds: config.sqlMaxSeconds,
      maxMemoryBytes: config.sqlMaxMemoryBytes,
      maxResultRows: config.sqlMaxRows,
      maxResultBytes: maxSqlAnswerBytes,
    },
  })
  const onError = (error: unknown) => logger.error({ err: error }, 'A statement of an analyst failed')
  const open = (people: boolean) => openSqlEndpoint({ engine: process, people, onError })
  const opened = { endSnapshot: process.end, close: process.close }
  if (config.sqlPeople !== 'granted') return { sql: open(false), ...opened }
  return { sql: open(true), sqlWithoutNames: open(false), ...opened }
}

/** Longer than storing a pulled page. */
const pullSettleMs = 1_000

/** Lets this machine's command line ask the running process: chDB allows one process per data directory. */
export function openControl(deps: Omit<CommandDeps, 'settle'>, logger: Logger) {
  const token = makeControlToken()
  const { dataDir } = deps.config
  async function settle(): Promise<void> {
    await deps.consumer.exclusively(() => Promise.resolve())
    await pause(pullSettleMs)
  }
  return {
    app: createControlApp({ token, commands: createCommands({ ...deps, settle }), logger }),
    /** Publishes the address in DATA_DIR, for its owner. */
    announce: (adminUrl: string) => writeControlFile(dataDir, { url: adminUrl, token, pid: process.pid }),
    close: () => removeControlFile(dataDir, token),
  }
}

type PlatformPagesDeps = {
  config: Config
  client: ClickHouseClient
  /** Whether only the owner reaches the owner's pages. */
  isTrusted: boolean
  scheduled: Pick<ScheduledJobs, 'platform' | 'jobs'>
}

/** A person waits for the page. */
const deliveryTimeoutMs = 10_000

/** The pages' actions at the platform: registering our webhook, fetching what exists, and giving guides. */
export function toPlatformPages(
  deps: PlatformPagesDeps,
): Pick<DashboardsOptions, 'register' | 'fetchExisting' | 'orders'> {
  const { config, client, isTrusted, scheduled } = deps
  const { platformUrl, assignGuides } = config
  const { platform, jobs } = scheduled
  if (platformUrl === undefined || platform === undefined) return {}
  const isStored = createStoredCheck(client)
  return {
    register: (mode, url) =>
      registerWebhook({
        client: platform,
        url,
        mode,
        platformUrl,
        checkDelivery: (address) => checkDelivery({ url: address, isStored, timeoutMs: deliveryTimeoutMs }),
      }),
    fetchExisting: () => jobs.start(fetchJob),
    // Where nobody signs in, everybody who reaches the pages may do it: only where the owner said so.
    ...((assignGuides === 'on' || (assignGuides === 'auto' && isTrusted)) && {
      orders: createGuideOrders({ client, onPlaced: () => jobs.wake('guide-orders') }),
    }),
  }
}

export function readDisk(directory: string): Disk {
  const { bsize, bavail, blocks } = statfsSync(directory)
  return { name: 'the data directory', free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
