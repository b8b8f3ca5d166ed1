import { Hono, type Context } from 'hono'
import { overdueRows, overdueTables, type OverdueTable } from './tables.ts'
import { toParams } from '../../api/api-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { overdueKeys, parseOverdueList } from './links.ts'
import { parsePage } from '../../scope/parse-page.ts'
import { pageContext } from '../../http/page-request.ts'
import { dataProblem } from '../../http/problems.ts'
import { sendTable } from '../../http/send-table.ts'
import { listGroups, paperSize, screenSize, type ListSize } from './list-groups.ts'
import { OverduePage, type OverduePageProps } from './page.tsx'
import { OverduePrintPage } from './print-page.tsx'

const assignmentsOnScreen = 3
const assignmentsOnPaper = 50

export function overdueRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  async function read(c: Context, size: ListSize, perPerson: number): Promise<OverduePageProps> {
    const given = toParams(c)
    const { scope, params, rowParams, notices } = parsePage(given, {
      now: routes.clock(),
      settings: routes.settings,
      ignore: overdueKeys,
    })
    const list = parseOverdueList(given)
    const overdue = await routes.late.overdue(scope)
    const listed = listGroups(overdue.by_manager, list, size)
    const users = new Set(listed.groups.flatMap(({ shown }) => shown.map(({ user_id }) => user_id)))
    const late = await routes.late.lateAssignments(scope, [...users], perPerson)
    params.delete('compare')
    const context = pageContext(c, routes, { now: scope.now, timeZone: scope.timeZone, params })
    return { context, rowParams, overdue, list, listed, late: Map.groupBy(late, ({ user_id }) => user_id), notices }
  }

  app.get('/overdue', async (c) => {
    try {
      return await c.html(OverduePage(await read(c, screenSize, assignmentsOnScreen)))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  app.get('/overdue/print', async (c) => {
    try {
      return await c.html(OverduePrintPage(await read(c, paperSize, assignmentsOnPaper)))
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  app.get('/overdue/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const [what = '', extension = ''] = c.req.param('file').split('.')
    const table = overdueTables.find((each) => each === what) as OverdueTable | undefined
    if (table === undefined) return c.notFound()
    const { scope, rowParams } = parsePage(toParams(c), {
      now: routes.clock(),
      settings: routes.settings,
      ignore: overdueKeys,
    })
    try {
      const overdue = await routes.late.overdue(scope)
      const { sample } = overdue.freshness
      const rows = overdueRows(overdue, table)
      return sendTable(c, { what: `overdue-${table}`, extension, rows, asOf: scope.asOf, params: rowParams, sample })
    } catch (error) {
      return dataProblem(c, routes, error)
    }
  })

  return app
}
