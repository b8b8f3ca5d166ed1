import { t } from '../../../language/translate.ts'
import type { Context, Hono } from 'hono'
import { toTable, type TableColumns } from '../../../reporting/exports/csv.ts'
import type { RankingRow } from '../../../reporting/metrics/overview.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { toAttributeKey } from '../../../reporting/scope/filters.ts'
import { toParams } from '../../api/api-context.ts'
import { present } from '../../../services/runtime/control/command.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { type ObjectKind, objectKinds, objectPaths } from '../../components/group-url.ts'
import { rowOnly } from '../../scope/follow.ts'
import { answerOf } from '../../components/stamp.tsx'
import { toKeyNotices } from '../../scope/parse-page.ts'
import { pageRequest } from '../../http/page-request.ts'
import { sendTable } from '../../http/send-table.ts'
import { AllPage, type AllPageProps } from './all-page.tsx'
import { arrange, type Line, linesKeys, parseLinesState } from './all-state.ts'
import { earlier, pastDays } from './own-past.tsx'

export function mountGroups(app: Hono, routes: RouteContext): void {
  for (const kind of objectKinds) {
    app.get(objectPaths[kind], (c) => showAll(c, routes, kind))
    for (const extension of ['csv', 'xlsx'])
      app.get(`${objectPaths[kind]}.${extension}`, (c) => sendAll(c, routes, kind))
  }
}

async function showAll(c: Context, routes: RouteContext, kind: ObjectKind): Promise<Response> {
  const request = readRequest(c, routes, kind)
  const { scope, by, reports } = request
  const [{ whole, ...all }, counts] = await Promise.all([
    readAll(routes, kind, request),
    kind === 'manager' ? routes.queries.counts(scope) : undefined,
  ])
  const answer = answerOf(scope)
  const { sort, descending, find } = all.state
  const keeps = {
    by,
    reports: kind === 'manager' && reports === 'all' ? reports : null,
    sort: request.query.has('sort') ? `${descending ? '-' : ''}${sort}` : null,
    find,
  }
  const page = AllPage({
    ...all,
    context: { ...request.context(answer.as_of), keeps },
    kind,
    answer,
    isEmpty: (counts?.assigned.value ?? whole?.assigned ?? 0) === 0,
    whole: (counts ?? whole)?.on_time_rate.value ?? null,
  })
  return c.html(page)
}

function readRequest(c: Context, routes: RouteContext, kind: ObjectKind) {
  const query = toParams(c)
  // Nothing to compare with: a line is one moment.
  const params = new URLSearchParams([...query].filter(([key]) => key !== 'compare'))
  const idle = kind === 'manager' ? ([...rowOnly, 'manager', 'manager_depth'] as const) : rowOnly
  const parsed = pageRequest(c, routes, { query: params, ignore: linesKeys, idle })
  const reports = kind === 'manager' ? toReports(query) : undefined
  const by = kind === 'team' ? routes.settings.userAttributes?.find((name) => name === query.get('by')) : undefined
  parsed.notices.push(...toKeyNotices(query, { reports, by }))
  return { ...parsed, query: query, reports: reports ?? 'direct', by }
}

/** Whose assignments count on a manager's line. */
export const toReports = (query: URLSearchParams) =>
  (['direct', 'all'] as const).find((each) => each === query.get('reports'))

async function readAll(routes: RouteContext, kind: ObjectKind, request: ReturnType<typeof readRequest>) {
  const { query, ...parsed } = request
  const { scope, reports, by } = parsed
  const { state, notices } = parseLinesState(kind, query)
  const past = earlier(scope, pastDays[0])
  const [current, before, frame] = await Promise.all([
    readLines(routes, scope, kind, { reports, by }),
    readLines(routes, past, kind, { reports, by, withGrades: false }),
    routes.queries.frame(scope),
  ])
  const rates = new Map(before.lines.map(({ id, on_time_rate }) => [id, on_time_rate]))
  const options = kind === 'team' ? frame.options.teams : frame.options.challenges
  const names = new Map(by === undefined ? options.map(({ id, name }) => [id, name]) : [])
  const lines = current.lines.map((line) => ({
    ...line,
    name: kind === 'manager' ? line.name : (names.get(line.id) ?? line.id),
    before: rates.get(line.id) ?? null,
  }))
  return {
    ...parsed,
    notices: [
      ...parsed.notices,
      ...notices,
      ...(query.has('compare') && query.get('compare') !== '' ? [t('This page compares lines and no moments.')] : []),
    ],
    state,
    frame,
    lines: arrange(lines, state),
    whole: current.whole,
    since: new Date(past.asOf).toISOString(),
  }
}

async function readLines(
  { queries }: RouteContext,
  scope: Scope,
  kind: ObjectKind,
  { reports, by, withGrades }: Pick<AllPageProps, 'reports' | 'by'> & { withGrades?: boolean },
): Promise<{ lines: Line[]; whole?: RankingRow }> {
  if (kind === 'manager')
    return { lines: await queries.managers(scope, reports === 'direct' ? 1 : undefined, withGrades) }
  return queries.groups(scope, by === undefined ? kind : toAttributeKey(by), withGrades)
}

async function sendAll(c: Context, routes: RouteContext, kind: ObjectKind): Promise<Response> {
  const all = await readAll(routes, kind, readRequest(c, routes, kind))
  const { scope, rowParams, by, reports, lines, frame, state } = all
  const own = present([
    state.find !== '' && { key: 'find', id: state.find, label: t('Name or id'), value: state.find },
    kind === 'manager' &&
      reports === 'all' && {
        key: 'reports',
        id: reports,
        label: t('Whose assignments count'),
        value: t('All their reports'),
      },
  ])
  const query = { scope, rowParams, own }
  return sendTable(c, by ?? objectPaths[kind].slice(1), toTable(toColumns(by ?? kind), lines), query, frame)
}

function toColumns(kind: string): TableColumns<Line> {
  return {
    ...lineColumns(kind),
    on_time_rate_4_weeks_before: ({ before }) => before?.value ?? null,
    on_time_denominator_4_weeks_before: ({ before }) => before?.denominator ?? 0,
    ...(kind === 'manager' && peopleColumns),
  }
}

export const peopleColumns: TableColumns<Line> = {
  people: ({ people }) => people ?? 0,
  direct_reports: ({ reports }) => reports ?? 0,
}

/** `kind`: of what the lines are, for the columns of its id and name. */
export function lineColumns(kind: string): TableColumns<Line> {
  return {
    [`${kind}_id`]: ({ id }) => id,
    [`${kind}_name`]: ({ name }) => name,
    assigned: ({ assigned }) => assigned,
    completion_rate: ({ completion_rate }) => completion_rate.value,
    completion_numerator: ({ completion_rate }) => completion_rate.numerator,
    on_time_rate: ({ on_time_rate }) => on_time_rate.value,
    on_time_numerator: ({ on_time_rate }) => on_time_rate.numerator,
    on_time_denominator: ({ on_time_rate }) => on_time_rate.denominator,
    overdue: ({ overdue }) => overdue,
    awaiting_grading: ({ awaiting_grading }) => awaiting_grading,
    grade_median: ({ grade }) => grade.median,
    grade_n: ({ grade }) => grade.n,
  }
}
