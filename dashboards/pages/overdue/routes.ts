import { rowOnly } from '../../scope/follow.ts'
import type { Context, Hono } from 'hono'
import { overdueTables } from './tables.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import {
  overdueKeys,
  parseOverdueList,
  listGroups,
  paperSize,
  screenSize,
  toListNotices,
  type ListSize,
} from './links.ts'
import { readReminded } from '../../components/remind.tsx'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable, tableOf } from '../../http/send-table.ts'
import { OverduePage, type OverduePageProps } from './page.tsx'
import { OverduePrintPage } from './print-page.tsx'

const assignmentsOnScreen = 3
const assignmentsOnPaper = 50

export function mountOverdue(app: Hono, routes: RouteContext): void {
  async function read(c: Context, size: ListSize, perPerson: number): Promise<OverduePageProps> {
    const request = pageRequest(c, routes, {
      ignore: overdueKeys,
      compares: false,
      idle: rowOnly.filter((key) => key !== 'aging'),
    })
    const { query, scope, rowParams, notices } = request
    const list = parseOverdueList(query)
    const overdue = await routes.queries.overdue(scope)
    const listed = listGroups(overdue.by_manager, list, size)
    const users = new Set(listed.groups.flatMap(({ shown }) => shown.map(({ user_id }) => user_id)))
    const [late, reminded] = await Promise.all([
      routes.queries.lateAssignments(scope, [...users], perPerson),
      readReminded(routes, [...users]),
    ])
    return {
      context: { ...request.context(overdue.answer.as_of), keeps: { show: list.isDue ? 'due' : null } },
      rowParams,
      overdue,
      list,
      listed,
      late: Map.groupBy(late, ({ user_id }) => user_id),
      reminded,
      notices: [...notices, ...toListNotices(query, overdue.by_manager, list)],
    }
  }

  app.get('/overdue', async (c) => c.html(OverduePage(await read(c, screenSize, assignmentsOnScreen))))

  app.get('/overdue/print', async (c) => c.html(OverduePrintPage(await read(c, paperSize, assignmentsOnPaper))))

  app.get('/overdue/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const { name, table } = tableOf(c, overdueTables)
    if (table === undefined) return c.notFound()
    const request = pageRequest(c, routes, { ignore: overdueKeys })
    const overdue = await routes.queries.overdue(request.scope)
    return sendTable(c, `overdue-${name}`, table(overdue), request, overdue)
  })
}
