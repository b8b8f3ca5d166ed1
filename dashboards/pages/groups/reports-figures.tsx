import { allFilters } from '../../scope/follow.ts'
import { t } from '../../../language/translate.ts'
import type { Reports } from '../../../reporting/statements/groups.ts'
import { Figure } from '../../components/figure.tsx'
import type { PageContext } from '../../page-context.ts'
import { counted } from '../../../language/format.ts'
import { objectHref } from '../../components/group-url.ts'
import { withChange } from '../../scope/page-url.ts'
import { arrange, type Line } from './all-state.ts'
import { LinesTable, type LinesTableProps } from './lines-table.tsx'
import type { OnePageProps } from './one-view.ts'

const order = { sort: 'overdue', descending: true, find: '', page: 1 } as const

/** A manager's direct reports: what each has to do, and what those have below them who lead. */
export function ReportsFigures({ context, overview, rowParams, below }: OnePageProps & { below: Reports }) {
  const { format } = context
  const free = withChange(rowParams, { manager: null, manager_depth: null })
  const shared = {
    context,
    rowParams: free,
    asOf: overview.answer.as_of,
    nameOf: ({ id, name }: Line) => name || id,
    whole: overview.answer.metrics.on_time_rate.value,
  }
  const leads = new Set(below.managers.map(({ id }) => id))
  return (
    <div class="pair">
      <LinesFigure
        id="direct-reports"
        title={t('Direct reports')}
        finding={t('{reports} with an assignment in this scope, most overdue first.', {
          reports: counted(format, below.people.length, 'direct report'),
        })}
        table={{
          ...shared,
          head: t('Person'),
          lines: arrange(below.people, order),
          narrow: ({ id }) => ({ user: id }),
          page: ({ id }) => objectHref(leads.has(id) ? 'manager' : 'learner', id, allFilters(context)),
        }}
      />
      {below.managers.length === 0 ? null : (
        <LinesFigure
          id="groups-below"
          title={t('Teams below')}
          finding={t('{reports} {n, plural, one {leads} other {lead}} others.', {
            reports: counted(format, below.managers.length, 'direct report'),
            n: below.managers.length,
          })}
          table={{
            ...shared,
            head: t('Led by'),
            lines: arrange(below.managers, order),
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
  finding: string
  table: LinesTableProps & { context: PageContext }
}

function LinesFigure({ id, title, finding, table }: LinesFigureProps) {
  return (
    <Figure id={id} title={title} finding={finding} defines={['on_time_rate', 'completion_rate']} folded>
      {table.lines.length === 0 ? (
        <p class="empty">{t('Nobody here has an assignment.')}</p>
      ) : (
        <LinesTable {...table} />
      )}
    </Figure>
  )
}
