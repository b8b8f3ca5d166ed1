/** The pages' actions at the platform: registering our webhook, and giving guides. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { DashboardsOptions } from '../../dashboards/open-dashboards.ts'
import type { ScheduledJobs } from '../consumer-process/open-scheduled-jobs.ts'
import { createGuideOrders } from '../guide-orders/create-guide-orders.ts'
import { checkDelivery, createStoredCheck } from '../registration/delivery.ts'
import { registerWebhook } from '../registration/register.ts'
import type { Config } from '../config/config.ts'
import { statfsSync } from 'node:fs'
import type { Disk } from '../../dashboards/arrival.ts'

type PlatformPagesDeps = {
  config: Config
  client: ClickHouseClient
  /** Whether only the owner reaches the owner's pages. */
  isTrusted: boolean
  scheduled: Pick<ScheduledJobs, 'opened' | 'orders'>
}

/** A person waits for the page. */
const deliveryTimeoutMs = 10_000

export function toPlatformPages(deps: PlatformPagesDeps): Pick<DashboardsOptions, 'register' | 'orders'> {
  const { config, client, isTrusted, scheduled } = deps
  const { platformUrl, assignGuides } = config
  const { opened, orders } = scheduled
  if (platformUrl === undefined || opened === undefined) return {}
  const isStored = createStoredCheck(client)
  return {
    register: (mode, url) =>
      registerWebhook({
        client: opened.platform,
        url,
        mode,
        platformUrl,
        checkDelivery: (address) => checkDelivery({ url: address, isStored, timeoutMs: deliveryTimeoutMs }),
      }),
    // Where nobody signs in, everybody who reaches the pages may do it: only where the owner said so.
    ...((assignGuides === 'on' || (assignGuides === 'auto' && isTrusted)) && {
      orders: createGuideOrders({
        client,
        onPlaced: () => orders?.nudge(),
        takeBackPath: config.platformTakeBackPath,
      }),
    }),
  }
}

export function readDisk(directory: string): Disk {
  const { bsize, bavail, blocks } = statfsSync(directory)
  return { name: 'the data directory', free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
