import type { Overview } from '../../../reporting/metrics/overview.ts'
import { explainHref, Figure } from '../figure.tsx'
import { rowsOf } from '../count.tsx'
import { ShareTable } from '../bar.tsx'
import type { PageContext } from '../../page-context.ts'
import type { BlockHref } from './figures.tsx'
import { funnelFinding, stageName, agingFinding } from './findings.ts'
import type { Narrow } from '../../scope/page-url.ts'
import { t } from '../../../language/translate.ts'
import { agingBuckets, type Metrics } from '../../../schemas/metrics/answer.ts'

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

type AgingFigureProps = {
  context: PageContext
  aging: Metrics['aging']
  /** The sum of all buckets. */
  overdue: number
  csv: string
  className?: string
  /** The page with only the people of a bucket. Left out: buckets are not links. */
  linkTo?: (narrow: Narrow) => string
}

/** How long overdue work has been so. */
export function AgingFigure({ context, aging, overdue, csv, linkTo, className }: AgingFigureProps) {
  const { format } = context
  return (
    <Figure
      id="aging"
      {...(className !== undefined && { className })}
      folded
      title={t('How long overdue?')}
      finding={agingFinding(aging, overdue, format)}
      defines={['aging', 'overdue']}
      csv={csv}
      sql={explainHref(context, 'aging')}
    >
      <ShareTable
        head={t('Days overdue')}
        whole={overdue}
        wholeName={t('Share§part')}
        format={format}
        rows={aging.map(({ bucket, count }) => {
          const name = bucket.replace('-', '–')
          return {
            name: count === 0 || linkTo === undefined ? name : <a href={linkTo({ aging: bucket })}>{name}</a>,
            count,
            series: `age-${agingBuckets.indexOf(bucket)}`,
            rows: rowsOf(context, { aging: bucket }),
          }
        })}
      />
    </Figure>
  )
}
