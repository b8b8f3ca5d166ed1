/** The dashboards over a store: everything a main needs to serve pages and the JSON API. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Hono } from 'hono'
import { createSqlSignpost } from '../services/sql-endpoint/open-sql-endpoint.ts'
import { sendTestEvent } from '../services/registration/delivery.ts'
import type { RegisterMode, RegistrationResult } from '../services/registration/registration.ts'
import type { DashboardsDeps } from './dashboards-deps.ts'
import { createDashboardsApp, type DashboardsApp } from './app.ts'
import { mayOpen } from './access/route-policy.ts'
import { currentVisitor } from '../services/access/visitor.ts'
import { createApi } from './api/app.ts'
import { toAudienceKey } from '../reporting/audience.ts'
import { readFor } from '../reporting/queries/read-for.ts'
import { createMemory } from '../reporting/columns/follow.ts'
import { openSource } from '../reporting/columns/source.ts'
import { createBlockReader, holdBlocks } from '../reporting/statements/read-blocks.ts'
import { createQueries } from '../reporting/queries/queries.ts'
import type { Telemetry } from '../services/runtime/telemetry.ts'
import { addMemoryMetrics } from './telemetry.ts'
import { createArrival, type ArrivalOptions } from './arrival.ts'
import { openDigest, type DigestOptions } from '../digest/open-digest.ts'
import type { FindWaiting } from '../reporting/queries/receipt.ts'
import { readDictionary } from '../reporting/queries/dictionary.ts'
import { readSetup, type SetupData, type SetupDelivery } from '../reporting/queries/setup.ts'

export type DashboardsOptions = Pick<
  DashboardsDeps,
  'settings' | 'entrance' | 'orders' | 'sqlWithoutNames' | 'charts' | 'fetchExisting' | 'isReady' | 'onError'
> &
  Pick<ArrivalOptions, 'progress' | 'replay' | 'disks'> & {
    client: ClickHouseClient
    /** For exports that stream rows. Default: `client`, which can stream over HTTP. */
    streamer?: ClickHouseClient
    /** The whole ingest URL for the set-up page, asked at each use; left out where this process must not show it, or cannot. */
    ingestUrl?: () => string | undefined
    /** Requests that ingest refused without keeping them, newest first. Left out where this process does not know them. */
    refusals?: () => SetupDelivery[]
    /** As in `DashboardsDeps`, with the URL always given. */
    register?: (mode: RegisterMode, url: string) => Promise<RegistrationResult>
    /** Read-only SQL for analysts. Left out where ClickHouse itself offers it: then the route says so. */
    sql?: Hono
    /** Looks for a delivery in the event log, where this process can. */
    findWaiting?: FindWaiting
    /** Digests and alerts. Left out: none, and no page for them. They need `entrance`. */
    digest?: DigestOptions
    telemetry?: Pick<Telemetry, 'registry'>
    /** Epoch ms. Default: the machine's clock. */
    clock?: () => number
  }

/** `renew`: called after something was stored, by a process that knows. As in `FollowedMemory`. */
export type Dashboards = DashboardsApp & { renew(): void }

export async function openDashboards(options: DashboardsOptions): Promise<Dashboards> {
  const { client, entrance, ingestUrl, register, settings, isReady, onError, clock = Date.now } = options
  // Nothing here reads but for the one who asks: pages have no other client.
  const audience = () => currentVisitor().audience
  const { mostVersions, userAttributes: attributes, timeZone, bodies = 'withheld' } = settings
  const memory = createMemory(openSource(client, options.streamer), { mostVersions, now: clock, onError })
  const reader = readFor(client, { audience, memory, attributes, request: currentVisitor, clock })
  if (options.telemetry) addMemoryMetrics(options.telemetry.registry, memory.status)
  const readBlocks = holdBlocks(createBlockReader(reader), { audienceKey: () => toAudienceKey(audience()) })
  const queries = createQueries(reader, { readBlocks, findWaiting: options.findWaiting })

  const { progress, replay, disks } = options
  const arrival = createArrival({ reader, timeZone, clock, bodies, progress, replay, disks })

  const digest =
    options.digest &&
    entrance &&
    openDigest({
      ...options.digest,
      access: entrance.access,
      audiences: entrance.audiences,
      notes: entrance.notes,
      reader,
      arrival,
      settings,
      mayOpen,
      isReady,
      clock,
      onError,
    })

  async function setup(): Promise<SetupData> {
    const stored = await readSetup(reader, ingestUrl?.() ?? null)
    const deliveries = [...stored.deliveries, ...(options.refusals?.() ?? [])].sort((a, b) =>
      a.received_at < b.received_at ? 1 : -1,
    )
    return { ...stored, deliveries: deliveries.slice(0, 20) }
  }

  const dashboards = await createDashboardsApp({
    queries,
    seenIds: () => reader.seenIds(),
    setup,
    arrival,
    dictionary: () => readDictionary(reader),
    ...(ingestUrl && { sendTestEvent: () => sendTestEvent(ingestUrl() ?? '', clock()) }),
    ...(register && {
      register: (mode: RegisterMode, url: string | null) => register(mode, url ?? ingestUrl?.() ?? ''),
    }),
    ...(options.fetchExisting && { fetchExisting: options.fetchExisting }),
    orders: options.orders,
    settings,
    clock,
    entrance,
    digest: digest?.pages,
    sqlWithoutNames: options.sqlWithoutNames,
    sql: options.sql ?? createSqlSignpost('on_servers'),
    api: createApi({
      queries,
      settings,
      clock,
      onError,
      hasSignIn: entrance !== undefined && entrance.mode !== 'none',
    }),
    isReady,
    onError,
    charts: options.charts,
  })
  let isClosed = false
  return {
    app: dashboards.app,
    renew() {
      if (!isClosed) memory.renew()
    },
    async close() {
      isClosed = true
      await digest?.close()
      await dashboards.close()
    },
  }
}
