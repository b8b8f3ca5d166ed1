import { agingBuckets, type Metrics } from '../../../schemas/metrics/answer.ts'
import { t } from '../../../language/translate.ts'
import type { PageContext } from '../../page-context.ts'
import { rowsHref, type Narrow } from '../../scope/page-url.ts'
import { canOpen } from '../access.tsx'
import { Figure } from '../figure.tsx'
import { ShareTable } from '../share-table.tsx'
import { agingFinding } from './findings.ts'

type AgingFigureProps = {
  context: PageContext
  aging: Metrics['aging']
  /** The sum of all buckets; rounded numbers need not add up to it. */
  overdue: number
  /** The scope as the API reads it, and the moment: where the rows are. */
  rowParams: URLSearchParams
  asOf: string
  csv: string
  sql: string | undefined
  folded?: boolean
  className?: string
  /** The page with only the people of a bucket. Left out: buckets are not links. */
  linkTo?: (narrow: Narrow) => string
}

/** How long overdue work has been so. */
export function AgingFigure({ context, aging, overdue, rowParams, asOf, csv, sql, linkTo, ...look }: AgingFigureProps) {
  const { format } = context
  return (
    <Figure
      id="aging"
      {...look}
      title={t('How long overdue?')}
      finding={agingFinding(aging, overdue, format)}
      defines={['aging', 'overdue']}
      csv={csv}
      sql={sql}
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
            rows: canOpen(context, '/assignments') ? rowsHref(rowParams, asOf, { aging: bucket }) : null,
          }
        })}
      />
    </Figure>
  )
}
