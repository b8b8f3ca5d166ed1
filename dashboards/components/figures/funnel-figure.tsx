import type { Overview } from '../../../reporting/metrics/overview.ts'
import { Figure } from '../figure.tsx'
import { canOpen } from '../access.tsx'
import { ShareTable } from '../share-table.tsx'
import type { PageContext } from '../../page-context.ts'
import type { FigureLinks } from './figures.tsx'
import { funnelFinding, stageName } from './findings.ts'
import { rowsHref } from '../../scope/page-url.ts'
import { t } from '../../../language/translate.ts'

type FunnelFigureProps = {
  context: PageContext
  overview: Overview
  links: FigureLinks
  /** The scope as the API reads it: where the rows behind the numbers are. */
  rowParams: URLSearchParams
}

/** How far assignments have come: each stage with its rows. */
export function FunnelFigure({ context, overview, links, rowParams }: FunnelFigureProps) {
  const { as_of: asOf, metrics } = overview.answer
  const { format } = context
  const failed = metrics.statuses.find(({ status }) => status === 'failed')?.count ?? 0
  return (
    <Figure
      id="funnel"
      title={t('Where do people get stuck?')}
      finding={funnelFinding(metrics.funnel, format, failed)}
      defines={['funnel']}
      csv={links.block('funnel')}
      sql={links.explain('funnel')}
    >
      <ShareTable
        head={t('Stage')}
        whole={metrics.funnel[0]?.count ?? 0}
        wholeName={t('Of assigned')}
        format={format}
        noteHead={t('Of step before')}
        rows={metrics.funnel.map(({ stage, count }, i) => {
          const before = metrics.funnel[i - 1]?.count
          return {
            name: stageName(stage),
            count,
            series: 'completed',
            note: before === undefined || before === 0 ? '' : format.percent(count / before),
            rows: canOpen(context, '/assignments')
              ? rowsHref(rowParams, asOf, { metric: 'funnel', part: stage })
              : null,
          }
        })}
      />
    </Figure>
  )
}
