import { t } from '../../../language/translate.ts'
import type { ChallengeGrading } from '../../../reporting/queries/grading.ts'
import { CountCell } from '../../components/count-cell.tsx'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { challengeName } from './words.ts'
import { href, rowsHref, withChange, type Narrow } from '../../scope/page-url.ts'
import { Listing, numeric } from '../../components/listing.tsx'

type ChallengeTableProps = {
  context: PageContext
  rowParams: URLSearchParams
  asOf: string
  challenges: readonly ChallengeGrading[]
}

/** What waits, for how long; how long grades take and what they are. Under n = 10 a median is grey. */
export function ChallengeTable({ context, rowParams, asOf, challenges }: ChallengeTableProps) {
  const { format, params, path } = context
  return (
    <Listing
      label={t('Grading by challenge')}
      className="ranking grading-challenges"
      columns={[
        t('Challenge'),
        numeric(t('Waiting')),
        numeric(t('Oldest')),
        numeric(t('Turnaround, median')),
        numeric('n', 'optional'),
        numeric(t('Grade, median')),
        numeric('n', 'optional'),
      ]}
      rows={challenges.map((row) => {
        const name = challengeName(row)
        const rows = (narrow: Narrow) =>
          row.id === '' ? null : rowsHref(rowParams, asOf, { challenge: row.id, ...narrow })
        const { turnaround, grade } = row
        return (
          <tr>
            <th scope="row">
              {row.id === '' ? name : <a href={href(path, withChange(params, { challenge: row.id }))}>{name}</a>}
            </th>
            <CountCell
              n={row.waiting}
              href={rows({ fact: 'awaiting_grading' })}
              what={t('waiting, {name}', { name })}
              format={format}
            />
            <td class="number">
              {row.oldest_ms === null ? <span class="quiet">–</span> : format.duration(row.oldest_ms)}
            </td>
            <td class={`number ${turnaround.n < fewestToRank ? 'quiet' : ''}`}>
              {turnaround.p50_ms === null ? (
                <span class="no-data">{t('no data')}</span>
              ) : (
                format.duration(turnaround.p50_ms)
              )}
            </td>
            <CountCell
              n={turnaround.n}
              href={rows({ metric: 'grading_turnaround', part: 'n' })}
              what={t('graded, {name}', { name })}
              format={format}
              className="optional"
            />
            <td class={`number ${grade.n < fewestToRank ? 'quiet' : ''}`}>
              {grade.median === null ? <span class="no-data">{t('no data')}</span> : format.decimal(grade.median)}
            </td>
            <CountCell
              n={grade.n}
              href={rows({ metric: 'grade', part: 'n' })}
              what={t('grades, {name}', { name })}
              format={format}
              className="optional"
            />
          </tr>
        )
      })}
    />
  )
}
