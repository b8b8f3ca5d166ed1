import { rowOnly } from '../../scope/follow.ts'
import type { Context, Hono } from 'hono'
import { t } from '../../../language/translate.ts'
import { toParams } from '../../api/api-context.ts'
import { overdueTables } from './tables.ts'
import { rowName } from '../../components/figures/findings.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import {
  overdueKeys,
  parseOverdueList,
  toListParams,
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
    const { request, list } = readRequest(c, routes)
    const { query, scope, notices } = request
    const overdue = await routes.queries.overdue(scope)
    const listed = listGroups(overdue.by_manager, list, size)
    // The list may be of a manager who has nobody late.
    const asked = list.of !== null && listed.groups.length === 0 ? await routes.queries.person(list.of, scope) : null
    const users = new Set(listed.groups.flatMap(({ shown }) => shown.map(({ user_id }) => user_id)))
    const [late, reminded] = await Promise.all([
      routes.queries.lateAssignments(scope, [...users], perPerson),
      readReminded(routes, [...users]),
    ])
    return {
      context: { ...request.context(overdue.answer.as_of), keeps: { show: list.isDue ? 'due' : null } },
      overdue,
      list,
      listed,
      askedName: asked?.user_name ?? '',
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
    const { request, list } = readRequest(c, routes, name === 'due-days')
    const overdue = await routes.queries.overdue(request.scope)
    if (name !== 'people' || list.of === null) return sendTable(c, `overdue-${name}`, table(overdue), request, overdue)
    const group = overdue.by_manager.find(({ id }) => id === list.of)
    const value = group === undefined ? list.of : rowName(group, 'manager')
    const own = Object.entries(toListParams(list.of)).map(([key, id]) => ({ key, id, label: t('Manager'), value }))
    return sendTable(
      c,
      'overdue-people',
      table({ ...overdue, people: group?.people ?? [] }),
      { ...request, own },
      overdue,
    )
  })
}

/** What falls due soon is not late: there a filter by days overdue means nothing. */
function readRequest(c: Context, routes: RouteContext, isDueFile = false) {
  const list = parseOverdueList(toParams(c))
  const idle = rowOnly.filter((key) => key !== 'aging' || list.isDue || isDueFile)
  return { request: pageRequest(c, routes, { ignore: overdueKeys, compares: false, idle }), list }
}
