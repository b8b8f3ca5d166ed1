import { t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { isUnlikePages } from '../../../reporting/queries/zones.ts'
import { maxBodyBytes } from '../../../services/sql-endpoint/open-sql-endpoint.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageContext } from '../../http/page-request.ts'
import { DataPage } from './page.tsx'
import type { Ask } from '../../http/ask-inside.ts'
import { exportSql, isSqlOffered, runSql, type SqlResult } from './run-sql.ts'

/** The statement that the page begins with. */
export const firstSql =
  'SELECT effective_status, count() AS number_of_assignments\nFROM assignments\nGROUP BY ALL'

/** `/data`: what each column means, how to connect, and read-only SQL. */
export function mountData(app: Hono, routes: RouteContext, ask: Ask): void {
  // A sample query is named in the address, so that a link to it can be sent; a statement of one's own is not.
  app.get('/data', (c) => answer(c, { sql: null, result: null }))

  app.post('/data', async (c) => {
    const { sql, as } = await c.req.parseBody()
    if (typeof sql !== 'string' || sql.trim() === '') return refuse(c, t('Write one SELECT statement.'))
    if (Buffer.byteLength(sql) > maxBodyBytes) return refuse(c, t('A statement may have 1 MiB at most.'))
    const result = await (as === 'csv' ? exportSql : runSql)(c, ask, sql)
    return result instanceof Response ? result : answer(c, { sql, result })
  })

  const refuse = (c: Context, message: string) =>
    answer(c, { sql: null, result: { kind: 'refused', message } })

  async function answer(c: Context, { sql, result }: { sql: string | null; result: SqlResult | null }) {
    const { timeZone, dueZone } = routes.settings
    const [dictionary, isOffered, sample, zones] = await Promise.all([
      routes.dictionary(),
      isSqlOffered(c, ask),
      routes.queries.isSample(),
      routes.queries.oddZones([timeZone, dueZone]),
    ])
    const oddZones = zones.filter(isUnlikePages).map(({ zone }) => zone)
    const context = pageContext(c, routes)
    const chosen = dictionary.samples.find(({ id }) => id === context.params.get('sample'))
    const origin = routes.entrance?.url ?? new URL(c.req.url).origin
    if (result?.kind === 'refused') c.status(400)
    const text = sql ?? chosen?.sql ?? firstSql
    return c.html(DataPage({ context, dictionary, isOffered, origin, sql: text, result, sample, oddZones }))
  }
}
