import { t } from '../../../language/translate.ts'
import { type Context, Hono } from 'hono'
import type { Cell } from '../../../reporting/exports/csv.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { toAttributeKey } from '../../../reporting/scope/filters.ts'
import { toParams } from '../../api/api-context.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { type ObjectKind, objectKinds, objectPaths, withoutObject } from '../../components/group-url.ts'
import { rowOnly } from '../../scope/follow.ts'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable } from '../../http/send-table.ts'
import { AllPage, type AllPageProps } from './all-page.tsx'
import { arrange, type Line, linesKeys, parseLinesState } from './all-state.ts'
import { earlier, pastDays } from './own-past.tsx'

export function allRoutes(routes: RouteContext): Hono {
  const app = new Hono()
  for (const kind of objectKinds) {
    app.get(objectPaths[kind], (c) => showAll(c, routes, kind))
    for (const extension of ['csv', 'xlsx'])
      app.get(`${objectPaths[kind]}.${extension}`, (c) => sendAll(c, routes, kind))
  }
  return app
}

async function showAll(c: Context, routes: RouteContext, kind: ObjectKind): Promise<Response> {
  const request = await readAll(c, routes, kind)
  const { scope, rowParams, notices, state, reports, by, lines, frame, whole, since } = request
  const asOf = new Date(scope.asOf).toISOString()
  const context = request.context(asOf)
  const stamped = { as_of: asOf, time_zone: scope.timeZone, due_zone: scope.dueZone }
  const page = { context, kind, answer: stamped, frame, lines, whole, since, state, reports, by, rowParams, notices }
  return c.html(AllPage(page))
}

function readRequest(c: Context, routes: RouteContext, kind: ObjectKind) {
  const given = toParams(c)
  // Nothing to compare with: a line is one moment.
  const params = new URLSearchParams([...given].filter(([key]) => key !== 'compare'))
  const idle = kind === 'manager' ? ([...rowOnly, 'manager', 'manager_depth'] as const) : rowOnly
  const parsed = pageRequest(c, routes, { given: params, ignore: linesKeys, idle })
  const reports = given.get('reports') === 'all' ? ('all' as const) : ('direct' as const)
  const by = kind === 'team' ? routes.settings.userAttributes?.find((name) => name === given.get('by')) : undefined
  return { ...parsed, given, reports, by }
}

async function readAll(c: Context, routes: RouteContext, kind: ObjectKind) {
  const { given, ...parsed } = readRequest(c, routes, kind)
  const { scope, reports, by } = parsed
  const { state, notices } = parseLinesState(kind, given)
  const past = earlier(scope, pastDays[0])
  const [found, before, { metrics }, frame] = await Promise.all([
    readLines(routes, scope, kind, { reports, by }),
    readLines(routes, past, kind, { reports, by }),
    routes.queries.metrics(scope),
    routes.queries.frame(scope),
  ])
  const rates = new Map(before.map(({ id, on_time_rate }) => [id, on_time_rate]))
  const options = kind === 'team' ? frame.options.teams : frame.options.challenges
  const names = new Map(by === undefined ? options.map(({ id, name }) => [id, name]) : [])
  const lines = found.map((line) => ({
    ...line,
    name: kind === 'manager' ? line.name : (names.get(line.id) ?? line.id),
    before: rates.get(line.id) ?? null,
  }))
  return {
    ...parsed,
    notices: [
      ...parsed.notices,
      ...notices,
      ...(given.has('compare') && given.get('compare') !== '' ? [t('This page compares lines and no moments.')] : []),
    ],
    state,
    frame,
    lines: arrange(lines, state),
    whole: metrics.on_time_rate.value,
    since: new Date(past.asOf).toISOString(),
  }
}

function readLines(
  { queries }: RouteContext,
  scope: Scope,
  kind: ObjectKind,
  { reports, by }: Pick<AllPageProps, 'reports' | 'by'>,
): Promise<Line[]> {
  if (kind === 'manager') return queries.managers(scope, reports === 'direct' ? 1 : undefined)
  return queries.groups(scope, by === undefined ? kind : toAttributeKey(by))
}

async function sendAll(c: Context, routes: RouteContext, kind: ObjectKind): Promise<Response> {
  const { scope, rowParams, by, lines, frame } = await readAll(c, routes, kind)
  const asked = { scope, rowParams: withoutObject(kind, rowParams) }
  return sendTable(c, by ?? objectPaths[kind].slice(1), toTable(by ?? kind, lines), asked, frame)
}

function toTable(kind: string, lines: readonly Line[]): Cell[][] {
  return [
    [
      `${kind}_id`,
      `${kind}_name`,
      'assigned',
      'completion_rate',
      'completion_numerator',
      'on_time_rate',
      'on_time_numerator',
      'on_time_denominator',
      'overdue',
      'awaiting_grading',
      'grade_median',
      'grade_n',
      'on_time_rate_4_weeks_before',
      'on_time_denominator_4_weeks_before',
      ...(kind === 'manager' ? ['people', 'direct_reports'] : []),
    ],
    ...lines.map((line) => [
      line.id,
      line.name,
      line.assigned,
      line.completion_rate.value,
      line.completion_rate.numerator,
      line.on_time_rate.value,
      line.on_time_rate.numerator,
      line.on_time_rate.denominator,
      line.overdue,
      line.awaiting_grading,
      line.grade.median,
      line.grade.n,
      line.before?.value ?? null,
      line.before?.denominator ?? 0,
      ...(kind === 'manager' ? [line.people ?? 0, line.reports ?? 0] : []),
    ]),
  ]
}
