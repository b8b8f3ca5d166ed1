import type { Overview } from '../../../reporting/metrics/overview.ts'
import { explainHref, Figure } from '../figure.tsx'
import { rowsOf } from '../count.tsx'
import { ShareTable } from '../bar.tsx'
import type { PageContext } from '../../page-context.ts'
import type { BlockHref } from './figures.tsx'
import { funnelFinding, stageName } from './findings.ts'
import { t } from '../../../language/translate.ts'

type FunnelFigureProps = { context: PageContext; overview: Overview; block: BlockHref }

/** How far assignments have come: each stage with its rows. */
export function FunnelFigure({ context, overview, block }: FunnelFigureProps) {
  const { metrics } = overview.answer
  const { format } = context
  const failed = metrics.statuses.find(({ status }) => status === 'failed')?.count ?? 0
  return (
    <Figure
      id="funnel"
      title={t('Where do people get stuck?')}
      finding={funnelFinding(metrics.funnel, format, failed)}
      defines={['funnel']}
      csv={block('funnel')}
      sql={explainHref(context, 'funnel')}
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
            rows: rowsOf(context, { metric: 'funnel', part: stage }),
          }
        })}
      />
    </Figure>
  )
}
