import { Hono } from 'hono'
import { currentVisitor } from '../../../services/access/visitor.ts'
import { toParams } from '../../api/api-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { href } from '../../scope/page-url.ts'
import { parsePage } from '../../scope/parse-page.ts'
import { pageContext } from '../../http/page-request.ts'
import { dataProblem } from '../../http/problems.ts'
import { AssignmentsPage } from './page.tsx'
import { parseRowsState, rowsKeys } from './links.ts'

const rowsPerPage = 100

export function assignmentsRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  app.get('/assignments', async (c) => {
    const given = toParams(c)
    const { scope, params, rowParams, notices } = parsePage(given, {
      now: routes.clock(),
      settings: routes.settings,
      ignore: rowsKeys,
      rows: true,
    })
    params.delete('compare')
    const state = parseRowsState(given, scope)
    const { order, cursor, backwards } = state
    try {
      const [page, frame] = await Promise.all([
        routes.rows.assignments(scope, { order, cursor, backwards, limit: rowsPerPage, withTotal: true }),
        routes.rows.frame(scope),
      ])
      // Nothing beyond the place: the rows have become fewer since, so this is their beginning.
      if (page.rows.length === 0 && cursor !== null) return c.redirect(href('/assignments', params))
      const context = pageContext(c, routes, { now: scope.now, timeZone: scope.timeZone, params })
      const canAssign = routes.assigning !== undefined && currentVisitor().role === 'owner'
      return await c.html(
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
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
