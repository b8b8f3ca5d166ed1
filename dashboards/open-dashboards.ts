/** The dashboards over a store: everything a main needs to serve pages and the JSON API. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Hono } from 'hono'
import { createSqlSignpost } from '../services/sql-endpoint/open-sql-endpoint.ts'
import type { GuideOrders } from '../services/guide-orders/guide-orders.ts'
import { sendTestEvent } from '../services/registration/test-event.ts'
import type { RegisterMode, RegistrationResult } from '../services/registration/registration.ts'
import { createDashboardsApp, type DashboardsApp } from './app.ts'
import { createAssigning } from './assigning.ts'
import { createApi } from './api/app.ts'
import { createBlockReader, holdBlocks } from '../reporting/metrics/block-reader.ts'
import { createQueries } from '../reporting/queries/queries.ts'
import { readSetup } from '../reporting/queries/setup.ts'
import type { DashboardSettings } from './settings.ts'
import type { SetupData, SetupDelivery } from '../reporting/queries/setup-data.ts'

export type DashboardsOptions = {
  client: ClickHouseClient
  /** For exports that stream rows. Default: `client`, which can stream over HTTP. */
  streamer?: ClickHouseClient
  settings: DashboardSettings
  /** The whole ingest URL for the set-up page, asked at each use; left out where this process must not show it. */
  ingestUrl?: () => string
  /** Requests that ingest refused without keeping them, newest first. Left out where this process does not know them. */
  refusals?: () => SetupDelivery[]
  /** As in `DashboardsDeps`, with the URL always given. */
  register?: (mode: RegisterMode, url: string) => Promise<RegistrationResult>
  /** Giving people guides. Left out where another process does it. */
  orders?: GuideOrders
  /** Read-only SQL for analysts. Left out where ClickHouse itself offers it: then the route says so. */
  sql?: Hono
  isReady: () => boolean
  /** Called with the cause of every failed page and answer. */
  onError: (error: unknown) => void
  /** Epoch ms. Default: the machine's clock. */
  clock?: () => number
}

export async function openDashboards(options: DashboardsOptions): Promise<DashboardsApp> {
  const { client, settings, ingestUrl, register, isReady, onError, clock = Date.now } = options
  const readBlocks = holdBlocks(createBlockReader(client))
  const queries = createQueries(client, { streamer: options.streamer, readBlocks })
  const assigning = options.orders && createAssigning(options.orders, queries)

  async function setup(): Promise<SetupData> {
    const stored = await readSetup(client, ingestUrl?.() ?? null)
    const deliveries = [...stored.deliveries, ...(options.refusals?.() ?? [])].sort((a, b) =>
      a.received_at < b.received_at ? 1 : -1,
    )
    return { ...stored, deliveries: deliveries.slice(0, 20) }
  }

  return createDashboardsApp({
    overview: (scope, previous) => queries.overview(scope, previous),
    guides: (scope, guide) => queries.guides(scope, guide),
    setup,
    ...(ingestUrl && { sendTestEvent: () => sendTestEvent(ingestUrl(), clock()) }),
    ...(register && {
      register: (mode: RegisterMode, url: string | null) => register(mode, url ?? ingestUrl?.() ?? ''),
    }),
    ...(assigning && { assigning }),
    settings,
    clock,
    sql: options.sql ?? createSqlSignpost('on_servers'),
    api: createApi({ queries, settings, clock, onError, ...(assigning && { assigning }) }),
    isReady,
    onError,
  })
}
