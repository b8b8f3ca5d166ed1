import { t } from '../../../language/translate.ts'
import { Ranking } from '../../components/ranking.tsx'
import { href, withChange } from '../../scope/page-url.ts'
import { GradeFigure, TrendFigure, type BlockHref, type DrawnChart } from '../../components/figures/figures.tsx'
import { FunnelFigure } from '../../components/figures/share-figures.tsx'
import { Headlines } from '../../components/figures/headlines.tsx'
import { DaysFigure, type DaysBin } from './days-figure.tsx'
import { LateList } from './late-list.tsx'
import { OwnPast, type Standing } from './own-past.tsx'
import { allFilters } from '../../scope/follow.ts'
import type { Reports } from '../../../reporting/statements/groups.ts'
import { Figure } from '../../components/figure.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { objectHref, type ObjectKind } from '../../components/group-url.ts'
import { arrange, type Line } from './all-state.ts'
import { LinesTable, type LinesTableProps } from './lines-table.tsx'
import type { Reminded } from '../../components/remind.tsx'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { Person } from '../../../reporting/statements/learners.ts'

/** The view of the page of one challenge, team or manager. */
export type OnePageProps = {
  /** Its filters are those besides the object. */
  context: PageContext
  kind: ObjectKind
  id: string
  name: string
  overview: Overview
  /** The whole scope as the API reads it, with the object. */
  rowParams: URLSearchParams
  /** The manager as a person: whom they report to, and their page as a learner. `null`: not known as a person. */
  person: Person | null
  /** Whether everybody below a manager counts, or direct reports only. */
  reports: 'direct' | 'all'
  notices: string[]
  /** `null` where the scope is empty. */
  blocks: Blocks | null
}

type Blocks = {
  charts: { trend: DrawnChart; grades: DrawnChart }
  bins: readonly DaysBin[]
  days: DrawnChart
  late: readonly AssignmentRow[]
  /** By person. */
  reminded: ReadonlyMap<string, Reminded>
  /** Reports; of managers only. */
  below: Reports | null
  /** Now and earlier, the newest first. */
  standings: readonly Standing[]
}

/** The results of one challenge, team or manager. */
export function OneBlocks(props: OnePageProps & { blocks: Blocks; block: BlockHref }) {
  const { context, kind, overview, rowParams, blocks, block } = props
  const { charts } = blocks
  const { as_of: asOf, metrics } = overview.answer
  const figure = { context, overview, block }
  const parts = kind === 'challenge' ? 'team' : 'challenge'
  return (
    <>
      <Headlines context={context} overview={overview} rowParams={rowParams} />
      <LateList
        context={context}
        kind={kind}
        rows={blocks.late}
        reminded={blocks.reminded}
        overdue={metrics.overdue.value}
      />
      <Ranking
        context={context}
        overview={overview}
        noun={parts}
        title={parts === 'team' ? t('Which teams find it hard?') : t('Which challenges are hard for them?')}
        csv={block(`by-${parts}`)}
        filters={withChange(rowParams, { as_of: context.params.get('as_of') })}
      />
      <div class="pair">
        <OwnPast context={context} standings={blocks.standings} rowParams={rowParams} />
        <FunnelFigure {...figure} />
      </div>
      <TrendFigure {...figure} drawn={charts.trend} />
      {blocks.below === null ? null : <ReportsFigures {...props} below={blocks.below} />}
      <div class="pair">
        <DaysFigure
          context={context}
          duration={metrics.time_to_complete}
          bins={blocks.bins}
          drawn={blocks.days}
          csv={href('/days.csv', withChange(rowParams, { as_of: asOf }))}
        />
        <GradeFigure {...figure} drawn={charts.grades} />
      </div>
    </>
  )
}

export const reportsOrder = { sort: 'overdue', descending: true, find: '', page: 1 } as const

/** A manager's direct reports: what each has to do, and what those have below them who lead. */
function ReportsFigures({ context, overview, rowParams, below }: OnePageProps & { below: Reports }) {
  const { format } = context
  const free = withChange(rowParams, { manager: null, manager_depth: null })
  const shared = {
    context: { ...context, rows: { params: free, asOf: overview.answer.as_of } },
    nameOf: ({ id, name }: Line) => name || id,
    whole: overview.answer.metrics.on_time_rate.value,
  }
  const file = withChange(rowParams, { as_of: overview.answer.as_of })
  const leads = new Set(below.managers.map(({ id }) => id))
  return (
    <div class="pair">
      <LinesFigure
        id="direct-reports"
        title={t('Direct reports')}
        csv={href('/direct-reports.csv', file)}
        finding={t('{reports} with an assignment in this scope, most overdue first.', {
          reports: counted(format, below.people.length, 'direct report'),
        })}
        table={{
          ...shared,
          head: t('Person'),
          lines: arrange(below.people, reportsOrder),
          narrow: ({ id }) => ({ user: id }),
          page: ({ id }) => objectHref(leads.has(id) ? 'manager' : 'learner', id, allFilters(context)),
        }}
      />
      {below.managers.length === 0 ? null : (
        <LinesFigure
          id="groups-below"
          title={t('Teams below')}
          csv={href('/groups-below.csv', file)}
          finding={t('{reports} {n, plural, one {leads} other {lead}} others.', {
            reports: counted(format, below.managers.length, 'direct report'),
            n: below.managers.length,
          })}
          table={{
            ...shared,
            head: t('Led by'),
            lines: arrange(below.managers, reportsOrder),
            narrow: ({ id }) => ({ manager: id }),
            page: ({ id }) => objectHref('manager', id, allFilters(context)),
          }}
        />
      )}
    </div>
  )
}

type LinesFigureProps = {
  id: string
  title: string
  csv: string
  finding: string
  table: LinesTableProps
}

function LinesFigure({ id, title, csv, finding, table }: LinesFigureProps) {
  return (
    <Figure
      id={id}
      title={title}
      finding={finding}
      defines={['on_time_rate', 'completion_rate']}
      csv={csv}
      folded
      empty={table.lines.length === 0 ? t('Nobody here has an assignment.') : null}
    >
      <LinesTable {...table} />
    </Figure>
  )
}
