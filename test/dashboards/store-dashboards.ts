/** The dashboards over a real store, at a moment that stands still. */
import { expect } from 'vitest'
import type { Hono } from 'hono'
import type { DashboardsApp } from '../../dashboards/app.ts'
import type { DashboardSettings } from '../../dashboards/settings.ts'
import { openDashboards } from '../../dashboards/open-dashboards.ts'
import { toContents } from '../support/data/store-bodies.ts'
import { openTestStore, type StoreContents, type TestStore } from '../support/store/store.ts'
import { settings } from './ui/serve.ts'
import { charts } from './charts.ts'
import { filledEvents, filledNow } from './filled-company.ts'
import { openSqlEndpoint } from '../../services/sql-endpoint/open-sql-endpoint.ts'
import { toEngine } from '../support/store/analyst-engine.ts'

export type StoreDashboards = {
  store: TestStore
  dashboards: DashboardsApp
  /** The body of a page or file; anything but 200 is an error. */
  get(path: string): Promise<string>
  /** The dashboards, then the store. */
  close(): Promise<void>
}

export type StoreDashboardsOptions = {
  /** Epoch milliseconds. */
  now: number
  fill?(store: TestStore): Promise<unknown>
  contents?: StoreContents
  /** Besides those of all pages. */
  more?: Partial<DashboardSettings>
}

export async function openStoreDashboards({
  now,
  fill,
  contents,
  more,
}: StoreDashboardsOptions): Promise<StoreDashboards> {
  const store = await openTestStore({ ...(contents && { contents }) })
  await fill?.(store)
  const dashboards = await openDashboards({
    charts,
    client: store.reader,
    streamer: store.streamer,
    settings: { ...settings, ...more },
    isReady: () => true,
    onError: (error) => {
      throw error
    },
    clock: () => now,
  })
  return {
    store,
    dashboards,
    async get(path) {
      const response = await dashboards.app.request(path)
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    },
    async close() {
      await dashboards.close()
      await store.close()
    },
  }
}

/** Over the deliveries of the filled company. `extra`: others besides. */
export function openCompanyDashboards(extra: readonly Uint8Array[] = []): Promise<StoreDashboards> {
  return openStoreDashboards({
    now: filledNow,
    contents: toContents([...filledEvents(), ...extra]),
  })
}

/** Where analysts run SQL, over the store of a test. */
export async function openAnalystEndpoint(store: TestStore): Promise<Hono> {
  const client = await store.openAnalyst({
    maxExecutionSeconds: 60,
    maxMemoryBytes: 1_000_000_000,
    maxResultRows: 10_000,
    maxResultBytes: 10_000_000,
  })
  return openSqlEndpoint({ engine: toEngine(client), people: false })
}

type SqlRow = Record<string, string | number | null>

/** The rows of a statement as it stands. Anything but 200 is an error with the words of the endpoint. */
export async function runSql(endpoint: Hono, sql: string): Promise<SqlRow[]> {
  const answer = await endpoint.request('/?default_format=JSONEachRow', { method: 'POST', body: sql })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}\n${sql.slice(0, 4_000)}`)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SqlRow)
}
