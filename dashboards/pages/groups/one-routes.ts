import { t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { toTable, type Cell } from '../../../reporting/exports/csv.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { createScope } from '../../../reporting/scope/parse-scope.ts'
import { toParams } from '../../api/api-context.ts'
import { daysChart, toDaysBins } from './days-figure.tsx'
import type { RouteContext } from '../../dashboards-deps.ts'
import { type ObjectKind, objectKinds, objectPaths, withoutObject } from '../../components/group-url.ts'
import { readPace } from '../../components/figures/pace.ts'
import { draw, drawCharts } from '../../components/figures/draw-charts.ts'
import { rowOnly } from '../../scope/follow.ts'
import { pageParams } from '../../scope/page-url.ts'
import { toKeyNotices } from '../../scope/parse-page.ts'
import { readReminded } from '../../components/remind.tsx'
import { mostValues, pageContext, pageRequest } from '../../http/page-request.ts'
import { notAmongOwnPeople } from '../../http/problems.ts'
import { ProblemPage } from '../../components/plain-page.tsx'
import { sendScopeTable, tableOf } from '../../http/send-table.ts'
import { lineColumns, peopleColumns, toReports } from './all-routes.ts'
import { arrange } from './all-state.ts'
import { mostLate } from './late-list.tsx'
import { OnePage } from './one-page.tsx'
import { reportsOrder } from './one-blocks.tsx'
import { earlier, pastColumns, pastDays } from './own-past.tsx'
import { objectWords } from './words.ts'

export function mountGroup(app: Hono, routes: RouteContext): void {
  for (const kind of objectKinds) {
    app.get(`${objectPaths[kind]}/:id`, async (c) => showOne(c, routes, kind, c.req.param('id')))
  }

  app.get('/:file{(?:own-past|direct-reports|groups-below)\\.(csv|xlsx)}', (c) => {
    const { name, table } = tableOf(c, tables)
    return sendScopeTable(c, routes, name, async (scope) => (await table?.(routes.queries, scope)) ?? [])
  })

  app.get('/:file{days\\.(csv|xlsx)}', (c) =>
    sendScopeTable(c, routes, 'days-to-complete', async (scope) => {
      const took = await routes.queries.daysToComplete(scope)
      return [['days', 'completed'], ...took.map(({ days, n }) => [days, n])]
    }),
  )
}

/** The figures of the page that have no file elsewhere, by their ids. */
const tables: Record<string, (queries: RouteContext['queries'], scope: Scope) => Promise<Cell[][]>> = {
  async 'own-past'(queries, scope) {
    const moments = [scope, ...pastDays.map((days) => earlier(scope, days))]
    return toTable(pastColumns, await Promise.all(moments.map((each) => queries.metrics(each))))
  },
  async 'direct-reports'(queries, scope) {
    const { people } = await queries.reports(scope, scope.manager[0] ?? '')
    return toTable(lineColumns('user'), arrange(people, reportsOrder))
  },
  async 'groups-below'(queries, scope) {
    const { managers } = await queries.reports(scope, scope.manager[0] ?? '')
    return toTable({ ...lineColumns('manager'), ...peopleColumns }, arrange(managers, reportsOrder))
  },
}

async function showOne(c: Context, routes: RouteContext, kind: ObjectKind, id: string): Promise<Response> {
  const request = readRequest(c, routes, kind, id)
  const { scope, previous, params, rowParams, notices, reports } = request
  // Most of the time is the engine's planning, so everything is asked at once.
  const numbers = routes.queries.overview(scope, previous)
  const reading = readParts(routes, scope, kind, id)
  reading.catch(() => undefined)
  const overview = await numbers
  const options = {
    challenge: overview.options.challenges,
    team: overview.options.teams,
    manager: overview.options.people,
  }
  const name = options[kind].find((option) => option.id === id)?.name
  const { as_of, metrics } = overview.answer
  const isEmpty = metrics.assigned.value === 0
  if (name === undefined && isEmpty && !(await isKnown(routes, scope, kind, id)))
    return unknownObject(c, routes, kind, id)

  const { person, took, late, below, standings } = await reading
  const ofNumbers = request.context(as_of)
  const context = {
    ...ofNumbers,
    ...(await readPace(routes, scope, ofNumbers, metrics)),
    params: withoutObject(kind, params),
    idle: request.idle,
    idleKeys: [...rowOnly, kind],
    ...(kind === 'manager' && reports === 'all' && { keeps: { reports } }),
  }
  const shared = { context, kind, id, name: name || id, overview, rowParams, notices, reports, person }
  if (isEmpty) return c.html(OnePage({ ...shared, blocks: null }) as unknown as string)
  const bins = toDaysBins(took)
  const [charts, days, reminded] = await Promise.all([
    drawCharts(overview, context, routes),
    draw(daysChart(bins, context.format), routes),
    readReminded(
      routes,
      late.rows.flatMap(({ user_id }) => user_id ?? []),
    ),
  ])
  const blocks = {
    charts,
    bins,
    days,
    late: late.rows,
    reminded,
    below,
    standings: [{ as_of, metrics }, ...standings],
  }
  return c.html(OnePage({ ...shared, blocks }) as unknown as string)
}

/** The parts of the page besides its numbers. */
async function readParts({ queries }: RouteContext, scope: Scope, kind: ObjectKind, id: string) {
  const isManager = kind === 'manager'
  const [person, took, late, below, standings] = await Promise.all([
    isManager ? queries.person(id, scope) : null,
    queries.daysToComplete(scope),
    queries.assignments(
      { ...scope, fact: ['overdue'] },
      { order: { by: 'days_late', descending: true }, limit: mostLate, withTotal: false },
    ),
    isManager ? queries.reports(scope, id) : null,
    Promise.all(pastDays.map((days) => queries.metrics(earlier(scope, days)))),
  ])
  return { person, took, late, below, standings }
}

/** The id in the path is a filter like any other. Of managers direct reports count first. */
function readRequest(c: Context, routes: RouteContext, kind: ObjectKind, id: string) {
  const address = toParams(c)
  const asked = kind === 'manager' ? toReports(address) : undefined
  const choice = asked ?? (kind === 'manager' ? 'direct' : 'all')
  // The levels below a manager are those of the choice.
  const isOther = ([key]: [string, string]) => key !== kind && (kind !== 'manager' || key !== 'manager_depth')
  const params = new URLSearchParams([...[...address].filter(isOther), [kind, id]])
  if (choice === 'direct') params.set('manager_depth', '1')
  const parsed = pageRequest(c, routes, { query: params, ignore: ['reports'], idle: rowOnly })
  if (kind === 'manager') parsed.notices.push(...toKeyNotices(address, { reports: asked }))
  // Filters by other objects of this kind wait.
  const idle = new URLSearchParams(parsed.idle)
  for (const each of address.getAll(kind).slice(0, mostValues)) idle.append(kind, each)
  return { ...parsed, idle: pageParams(idle), reports: choice }
}

/** Whether anything was ever assigned there, whatever the filters and the moment. */
async function isKnown({ queries }: RouteContext, scope: Scope, kind: ObjectKind, id: string): Promise<boolean> {
  const bare = { ...createScope(scope.now, scope), includeLeavers: true, [kind]: [id] }
  const { metrics } = await queries.metrics(bare)
  return metrics.assigned.value > 0
}

function unknownObject(c: Context, routes: RouteContext, kind: ObjectKind, id: string): Response | Promise<Response> {
  const refusal = notAmongOwnPeople(c, routes, kind === 'manager' ? 'person' : kind)
  if (refusal !== undefined) return refusal
  const { noSuch, allOf, unknown } = objectWords[kind]
  c.status(404)
  return c.html(
    ProblemPage({
      context: pageContext(c, routes),
      title: t(noSuch, { id }),
      explanation: `${t(unknown)} ${t('It may be mistyped, or from another platform.')}`,
      retry: { href: objectPaths[kind], name: t(allOf) },
    }),
  )
}
