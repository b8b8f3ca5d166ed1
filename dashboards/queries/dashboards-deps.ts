/** What the dashboards need, over a store: the one place where pages, the API and queries meet. */
import type { ClickHouseClient } from '@clickhouse/client'
import { createApi } from '../api/app.ts'
import { parseScope } from '../api/scope.ts'
import type { DashboardsDeps, OverviewRequest, OverviewResult } from '../app.ts'
import { sendTestEvent } from '../send-test-event.ts'
import type { DashboardSettings } from '../settings.ts'
import { createQueries } from './queries.ts'
import { readSetup } from './setup.ts'

export type DashboardsStore = {
  client: ClickHouseClient
  settings: DashboardSettings
  /** The whole URL with its token, `null` where this process does not know it; asked for whenever it is shown. */
  ingestUrl: () => string | null
  isReady?: () => boolean
  onError?: (error: unknown) => void
  /** Epoch ms; default the machine's clock. */
  clock?: () => number
}

export function createDashboardsDeps(store: DashboardsStore): DashboardsDeps {
  const { client, settings, ingestUrl, clock = Date.now } = store
  const queries = createQueries(client)
  const hooks = {
    ...(store.isReady !== undefined && { isReady: store.isReady }),
    ...(store.onError !== undefined && { onError: store.onError }),
  }

  async function overview({ params, previousParams, now }: OverviewRequest): Promise<OverviewResult> {
    const parsed = parseScope(params, { now, settings, strict: false })
    if (!parsed.ok) return parsed
    const previous = previousParams === null ? null : parseScope(previousParams, { now, settings, strict: false })
    const previousScope = previous?.ok === true ? previous.scope : null
    return { ok: true, overview: await queries.overview(parsed.scope, previousScope), notices: parsed.notices }
  }

  return {
    overview,
    setup: () => readSetup(client, ingestUrl()),
    sendTestEvent: async () => {
      const url = ingestUrl()
      return url === null
        ? { kind: 'unreachable', reason: 'this process does not know the ingest URL' }
        : sendTestEvent(url, clock())
    },
    settings,
    clock,
    api: createApi({ queries, settings, clock, ...(store.onError !== undefined && { onError: store.onError }) }),
    ...hooks,
  }
}
