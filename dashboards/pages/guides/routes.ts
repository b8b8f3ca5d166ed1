import { t } from '../../../language/translate.ts'
import type { Hono } from 'hono'
import { toAttribute } from '../../../reporting/scope/filters.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import { parseScope } from '../../../reporting/scope/parse-scope.ts'
import { toKeyNotices, toPageNotices } from '../../scope/parse-page.ts'
import { isGuideParameter } from '../../api/routes/guides.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { GuidesPage } from './page.tsx'
import { guideParts, type GuideRowPage, type GuideRowRequest } from '../../../reporting/statements/guides.ts'
import { guideRowKeys } from './links.ts'
import { guideRowsPerPage, partNames, type GuideRowState } from './lists.tsx'
import { toParams } from '../../api/api-context.ts'
import { leavePeriod, pageParams, withChange } from '../../scope/page-url.ts'
import { sendTable, tableOf } from '../../http/send-table.ts'
import { pageContext, unknownKeyNotices } from '../../http/page-request.ts'
import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import type { GuidesAnswer } from '../../../schemas/answers/guides.ts'
import { toTable, type Cell, type TableColumns } from '../../../reporting/exports/csv.ts'

const ownKeys = ['guide', ...guideRowKeys]
const isGuideKey = (key: string) => ownKeys.includes(key) || isGuideParameter(key)
/** The most managers in a list to choose from. */
const mostLeaders = 300
/** A file is read so many rows at a time. */
const rowsAtATime = 100_000

export function mountGuides(app: Hono, routes: RouteContext): void {
  app.get('/guides', async (c) => {
    const now = routes.clock()
    const address = toParams(c)
    const guideParams = new URLSearchParams([...address].filter(([key]) => isGuideKey(key)))
    const idle = new URLSearchParams([...pageParams(address)].filter(([key]) => !isGuideKey(key)))
    const { scope, problems } = parseScope(guideParams, { now, settings: routes.settings, ignore: ownKeys })
    for (const { parameter } of problems)
      if (toAttribute(parameter) !== undefined) guideParams.delete(parameter)
    const { state, problem } = parseRowState(guideParams)
    const guide = guideParams.getAll('guide')
    const waiting = withChange(idle, { compare: null, ...leavePeriod(idle) })
    const context = {
      ...pageContext(c, routes, { now, params: guideParams, idle: waiting }),
      keeps: { guide, show: state?.part },
    }
    const notices = [
      ...unknownKeyNotices(address, [...ownKeys, ...pageParams(address).keys()]),
      ...toPageNotices(problems),
      ...problem,
    ]
    const offset = ((state?.page ?? 1) - 1) * guideRowsPerPage
    const [guides, leaders, frame, page] = await Promise.all([
      routes.queries.guides(scope, guide),
      routes.queries.leaders(scope, mostLeaders),
      idle.has('challenge') ? routes.queries.frame(scope) : null,
      state && routes.queries.guideRows(scope, { guide, part: state.part, offset, limit: guideRowsPerPage }),
    ])
    const rows = state === null || page === null ? null : { state, page }
    const challenges = frame?.options.challenges ?? []
    return c.html(GuidesPage({ context, guides, leaders, challenges, rows, notices }))
  })

  app.get('/guides/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const { name, table } = tableOf(c, guideTables)
    if (table === undefined && name !== 'rows') return c.notFound()
    const now = routes.clock()
    const params = new URLSearchParams([...toParams(c)].filter(([key]) => isGuideKey(key)))
    const { scope, applied } = parseScope(params, { now, settings: routes.settings, ignore: ownKeys })
    const guide = params.getAll('guide')
    const guides = await routes.queries.guides(scope, guide)
    const part = parseRowState(params).state?.part ?? 'assigned'
    const rows =
      table === undefined
        ? guideAssignmentRows(await readAllRows(routes, scope, { guide, part }))
        : table(guides)
    const { options, sample } = guides
    const own = guide.map((id) => {
      return {
        key: 'guide',
        id,
        label: t('Guide'),
        value: options.guides.find((each) => each.id === id)?.name || id,
      }
    })
    if (table === undefined)
      own.push({ key: 'show', id: part, label: t('Status'), value: t(partNames[part]) })
    const query = { scope: { ...scope, asOf: now }, rowParams: applied, own }
    const frame = { freshness: { sample }, options: { ...options, challenges: [] } }
    return sendTable(c, `guides-${name}`, rows, query, frame)
  })
}

function parseRowState(params: URLSearchParams): { state: GuideRowState | null; problem: string[] } {
  const show = params.get('show') ?? ''
  const page = /^[1-9]\d{0,4}$/.exec(params.get('page') || '1')?.[0]
  const part = guideParts.find((each) => each === show)
  const problem = toKeyNotices(params, { show: part, page })
  return { state: part === undefined ? null : { part, page: Number(page ?? 1) }, problem }
}

/** The rankings of the Guides page as tables: the content of their CSV and XLSX links. */
const numbers: TableColumns<GuideMetrics> = {
  assigned: ({ assigned }) => assigned.value,
  completed: ({ completed }) => completed.value,
  completion_rate: ({ completion_rate }) => completion_rate.value,
  on_time_rate: ({ on_time_rate }) => on_time_rate.value,
  on_time_numerator: ({ on_time_rate }) => on_time_rate.numerator,
  on_time_denominator: ({ on_time_rate }) => on_time_rate.denominator,
  overdue: ({ overdue }) => overdue.value,
}

const guideTables = {
  'by-guide': ({ by_guide }) =>
    toTable({ guide_id: ({ guide_id }) => guide_id, guide: ({ guide }) => guide, ...numbers }, by_guide),
  'by-team': ({ by_team }) =>
    toTable({ team_id: ({ team_id }) => team_id, team: ({ team }) => team, ...numbers }, by_team),
} satisfies Record<string, (guides: GuidesAnswer) => Cell[][]>

async function readAllRows(
  { queries }: RouteContext,
  scope: Scope,
  asked: Pick<GuideRowRequest, 'guide' | 'part'>,
): Promise<GuideRowPage['rows']> {
  const rows: GuideRowPage['rows'] = []
  let page: GuideRowPage
  do {
    page = await queries.guideRows(scope, { ...asked, offset: rows.length, limit: rowsAtATime })
    for (const row of page.rows) rows.push(row)
  } while (page.rows.length === rowsAtATime)
  return rows
}

function guideAssignmentRows(rows: GuideRowPage['rows']): Cell[][] {
  return toTable(
    {
      assignment_id: (row) => row.assignment_id,
      guide_id: (row) => row.guide_id,
      guide: (row) => row.guide,
      user_id: (row) => row.user_id,
      user_name: (row) => row.user_name,
      completed: (row) => String(row.completed),
      overdue: (row) => String(row.overdue),
      due_date: (row) => row.due_date,
      completed_at: (row) => row.completed_at,
    },
    rows,
  )
}
