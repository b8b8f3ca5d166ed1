import type { Hono } from 'hono'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { href } from '../../scope/page-url.ts'
import { pageRequest } from '../../http/page-request.ts'
import { AssignmentsPage } from './page.tsx'
import { parseRowsState, rowsKeys, toRowsKeeps } from './links.ts'

const rowsPerPage = 50

export function mountAssignments(app: Hono, routes: RouteContext): void {
  app.get('/assignments', async (c) => {
    const request = pageRequest(c, routes, { ignore: rowsKeys, rows: true, compares: false })
    const { scope, params, rowParams, notices } = request
    const state = parseRowsState(request.query, scope)
    const { order, cursor, backwards } = state
    const [page, frame] = await Promise.all([
      routes.queries.assignments(scope, { order, cursor, backwards, limit: rowsPerPage, withTotal: true }),
      routes.queries.frame(scope),
    ])
    // Nothing beyond the place: the rows have become fewer since, so this is their beginning.
    if (page.rows.length === 0 && cursor !== null)
      return c.redirect(href('/assignments', params, toRowsKeeps(state, request.query)))
    const context = {
      ...request.context(new Date(scope.asOf).toISOString()),
      keeps: toRowsKeeps(state, request.query),
    }
    const canAssign = routes.assigning !== undefined && currentVisitor().role === 'owner'
    return c.html(
      AssignmentsPage({
        context,
        scope,
        page,
        frame,
        state,
        rowParams,
        canAssign,
        notices: [...notices, ...state.notices],
      }),
    )
  })
}
