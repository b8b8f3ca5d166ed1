import { rowOnly } from '../../scope/follow.ts'
import type { Hono } from 'hono'
import { gradingTables, queueRows } from './tables.ts'
import type { QueueRow } from '../../../reporting/queries/grading.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { gradeChart } from '../../charts/column-charts.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { gradingKeys, parseGradingList, toListKeys, type GradingList } from './links.ts'
import { draw } from '../../components/figures/draw-charts.ts'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable, tableOf } from '../../http/send-table.ts'
import { backlogChart, turnaroundChart } from './time-figures.tsx'
import { GradingPage } from './page.tsx'

const rowsOnScreen = 10
const rowsAtATime = 5_000

export function mountGrading(app: Hono, routes: RouteContext): void {
  const { queries } = routes

  async function readWholeQueue(scope: Scope, list: GradingList): Promise<QueueRow[]> {
    const rows: QueueRow[] = []
    let after: GradingList['after'] = null
    do {
      const page: Awaited<ReturnType<typeof queries.gradingQueue>> = await queries.gradingQueue(scope, {
        ...list,
        after,
        limit: rowsAtATime,
      })
      for (const row of page.rows) rows.push(row)
      after = page.next
    } while (after !== null)
    return rows
  }

  app.get('/grading', async (c) => {
    const request = pageRequest(c, routes, { ignore: gradingKeys, compares: false, idle: rowOnly })
    const { list, notices } = parseGradingList(request.query)
    // Metrics are shared for a moment: the whole page is of their moment.
    const answer = await queries.metrics(request.scope)
    const scope = { ...request.scope, asOf: Date.parse(answer.as_of) }
    const [grading, queue] = await Promise.all([
      queries.grading(scope),
      queries.gradingQueue(scope, { ...list, limit: rowsOnScreen }),
    ])
    const keeps = { ...toListKeys(list), challenges: list.allChallenges ? 'all' : null }
    const context = { ...request.context(answer.as_of), keeps }
    const [turnaround, backlog, grades] = await Promise.all([
      draw(turnaroundChart(grading, answer.period, context), routes),
      draw(backlogChart(grading, answer.period, context), routes),
      draw(gradeChart(answer.metrics.grade, context.format), routes),
    ])
    return c.html(
      GradingPage({
        context,
        grading,
        answer,
        queue,
        list,
        dueSoonDays: scope.dueSoonDays,
        charts: { turnaround, backlog, grades },
        notices: [...request.notices, ...notices],
      }),
    )
  })

  app.get('/grading/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const { name: what, table } = tableOf(c, gradingTables)
    if (table === undefined && what !== 'queue') return c.notFound()
    const request = pageRequest(c, routes, { ignore: gradingKeys })
    const { query, scope } = request
    const frame = await queries.frame(scope)
    const { list } = parseGradingList(query)
    const rows =
      table === undefined
        ? queueRows(await readWholeQueue(scope, list), scope.asOf, list.graded !== undefined)
        : table(await queries.grading(scope))
    return sendTable(c, `grading-${what}`, rows, request, frame)
  })
}
