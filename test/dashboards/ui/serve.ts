/** The pages of the filled company without signing in, and ways to replace what they read where a test is about failing. */
import { type DashboardsApp, createDashboardsApp } from '../../../dashboards/app.ts'
import { createArrival } from '../../../dashboards/arrival.ts'
import type { DashboardsDeps } from '../../../dashboards/dashboards-deps.ts'
import { parsePage } from '../../../dashboards/scope/parse-page.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { createMemory } from '../../../reporting/columns/follow.ts'
import { openSource } from '../../../reporting/columns/source.ts'
import { readDictionary } from '../../../reporting/queries/dictionary.ts'
import { createQueries, type Queries } from '../../../reporting/queries/queries.ts'
import { readFor } from '../../../reporting/queries/read-for.ts'
import { readSetup } from '../../../reporting/queries/setup.ts'
import { anybody, currentVisitor, runAs } from '../../../services/access/visitor.ts'
import { createSqlSignpost } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import { openSharedStore, type TestStore } from '../../support/store/store.ts'
import { charts } from '../charts.ts'
import { filledContents, filledNow } from '../filled-company.ts'

export { listen, type Running } from '../listen.ts'

export const settings = {
  timeZone: 'Europe/Berlin',
  dueZone: 'Europe/Berlin',
  dueEnd: 'end_of_day',
} as const

export const ingestUrl = 'http://127.0.0.1:8080/webhooks/Zm9vYmFyYmF6cXV4cXV1eGNvcmdl'

export type PreviewOptions = {
  /** Default: that of the filled company, which files share. */
  store?: Store
  /** Epoch ms. Default: the moment of the filled company. */
  clock?: () => number
  /** In place of what the product has. */
  deps?: Partial<DashboardsDeps> | ((own: DashboardsDeps) => Partial<DashboardsDeps>)
  queries?: Partial<Queries> | ((own: Queries) => Partial<Queries>)
}

/** Set-up before the first delivery. */
export const beforeFirst = (own: DashboardsDeps): Partial<DashboardsDeps> => ({
  setup: async () => ({
    ...(await own.setup()),
    deliveries: [],
    totals: { stored: 0, failed: 0 },
    has: { challenge_events: false },
  }),
})

type Store = Pick<TestStore, 'reader' | 'streamer'>

const onError = (error: unknown) => console.error(error)

/** What the product reads with, over a store. */
function openReaders({ reader: client, streamer }: Store, clock: () => number) {
  const memory = createMemory(openSource(client, streamer), { now: clock, onError })
  const audience = () => currentVisitor().audience
  const reader = readFor(client, { audience, memory, request: currentVisitor, clock })
  return { reader, queries: createQueries(reader) }
}

/** The answer of Home for the filled company, compared with four weeks ago. `query`: filters. */
export async function filledOverview(query = ''): Promise<Overview> {
  const { queries } = openReaders(await openSharedStore(filledContents), () => filledNow)
  const { scope, previous } = parsePage(new URLSearchParams(query), { now: filledNow, settings })
  return runAs(anybody, () => queries.overview(scope, previous))
}

export async function startPreview({
  store,
  clock = () => filledNow,
  deps = {},
  queries = {},
}: PreviewOptions = {}): Promise<DashboardsApp> {
  const { reader, queries: ownQueries } = openReaders(store ?? (await openSharedStore(filledContents)), clock)
  const own: DashboardsDeps = {
    charts,
    queries: { ...ownQueries, ...(typeof queries === 'function' ? queries(ownQueries) : queries) },
    setup: () => readSetup(reader, ingestUrl),
    sendTestEvent: async () => ({ outcome: 'accepted', receipt: 'd41d8cd98f00b204e9800998ecf8427e' }),
    arrival: createArrival({ reader, timeZone: settings.timeZone, clock, bodies: 'withheld' }),
    dictionary: () => readDictionary(reader),
    sql: createSqlSignpost('on_servers'),
    settings,
    clock,
    isReady: () => true,
    onError,
    seenIds: () => reader.seenIds(),
  }
  return createDashboardsApp({ ...own, ...(typeof deps === 'function' ? deps(own) : deps) })
}
