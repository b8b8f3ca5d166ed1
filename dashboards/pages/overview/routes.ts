import type { Hono } from 'hono'
import { overviewTables } from '../../../reporting/exports/overview-tables.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable, tableOf } from '../../http/send-table.ts'

/** Files of the figures of Home and of one group. */
export function mountOverviewFiles(app: Hono, routes: RouteContext): void {
  app.get('/overview/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const { name, table } = tableOf(c, overviewTables)
    if (table === undefined) return c.notFound()
    const request = pageRequest(c, routes, { compares: false })
    const overview = await routes.queries.overview(request.scope, null)
    return sendTable(c, name, table(overview), request, overview)
  })
}
