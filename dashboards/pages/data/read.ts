/** What `/data` shows. */
import type { Context } from 'hono'
import { isUnlikePages } from '../../../reporting/queries/zones.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { Ask } from '../../http/ask-inside.ts'
import { pageContext } from '../../http/page-request.ts'
import { isSqlOffered, type SqlResult } from './run-sql.ts'

export const firstSql =
  'SELECT effective_status, count() AS number_of_assignments\nFROM assignments\nGROUP BY ALL'

export type DataView = Awaited<ReturnType<typeof readData>>

export async function readData(
  c: Context,
  routes: RouteContext,
  ask: Ask,
  typed: string | null,
  result: SqlResult | null,
) {
  const { timeZone, dueZone } = routes.settings
  const [dictionary, isOffered, isSample, zones] = await Promise.all([
    routes.dictionary(),
    isSqlOffered(c, ask),
    routes.queries.isSample(),
    routes.queries.oddZones([timeZone, dueZone]),
  ])
  const context = pageContext(c, routes)
  /** The sample query in the editor. */
  const sample = dictionary.samples.find(({ id }) => id === context.params.get('sample'))
  /** As the reader reaches this page. */
  const origin = routes.entrance?.url ?? new URL(c.req.url).origin
  /** Zones of the settings whose days views can count differently from pages. */
  const oddZones = zones.filter(isUnlikePages).map(({ zone }) => zone)
  const sql = typed ?? sample?.sql ?? firstSql
  return { context, dictionary, isOffered, isSample, sample, origin, oddZones, sql, result }
}
