import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { isUnlikePages } from '../../../reporting/queries/zones.ts'
import { maxBodyBytes } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import type { Ask } from '../../http/ask-inside.ts'
import { pageContext } from '../../http/page-request.ts'
import { DataPage } from './page.tsx'
import { exportSql, isSqlOffered, runSql, type SqlResult } from './run-sql.ts'

export const firstSql =
  'SELECT effective_status, count() AS number_of_assignments\nFROM assignments\nGROUP BY ALL'

/** `/data`: what each column means, how to connect, and read-only SQL. */
export function mountData(app: Hono, routes: RouteContext, ask: Ask): void {
  const answer = async (c: Context, sql: string | null, result: SqlResult | null) =>
    c.html(DataPage(await readPage(c, routes, ask, sql, result)), result?.kind === 'refused' ? 400 : 200)

  app.get('/data', (c) => answer(c, null, null))

  app.post('/data', async (c) => {
    const { sql, as } = await c.req.parseBody()
    const refuse = (message: string) =>
      answer(c, typeof sql === 'string' ? sql : '', { kind: 'refused', message })
    if (typeof sql !== 'string' || sql.trim() === '') return refuse(t('Write one SELECT statement.'))
    if (Buffer.byteLength(sql) > maxBodyBytes) return refuse(t('A statement may have 1 MiB at most.'))
    const result = await (as === 'csv' ? exportSql : runSql)(c, ask, sql)
    return result instanceof Response ? result : answer(c, sql, result)
  })
}

export type DataView = Awaited<ReturnType<typeof readPage>>

async function readPage(
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
