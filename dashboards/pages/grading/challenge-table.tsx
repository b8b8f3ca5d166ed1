import { t } from '../../../language/translate.ts'
import type { ChallengeGrading } from '../../../reporting/queries/grading.ts'
import { CountCell } from '../../components/count.tsx'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { challengeName } from './words.ts'
import { href, rowsHref, withChange, type Narrow } from '../../scope/page-url.ts'
import { Listing, numeric, orNoData } from '../../components/listing.tsx'
import { UnknownChallenge } from '../../components/people.tsx'

type ChallengeTableProps = {
  context: PageContext
  rowParams: URLSearchParams
  asOf: string
  challenges: readonly ChallengeGrading[]
}

/** The waiting work by age; how long grades take, and their values. Under n = 10 a median is grey. */
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
        const count = (n: number, narrow: Narrow, what: string, className?: 'optional') => {
          const rows = row.id === '' ? null : rowsHref(rowParams, asOf, { challenge: row.id, ...narrow })
          return <CountCell n={n} href={rows} what={what} format={format} className={className} />
        }
        const { turnaround, grade } = row
        return (
          <tr>
            <th scope="row">
              {row.id === '' ? (
                <UnknownChallenge />
              ) : (
                <a href={href(path, withChange(params, { challenge: row.id }))}>{name}</a>
              )}
            </th>
            {count(row.waiting, { fact: 'awaiting_grading' }, t('waiting, {name}', { name }))}
            <td class="number">
              {row.oldest_ms === null ? <span class="quiet">–</span> : format.duration(row.oldest_ms)}
            </td>
            <td class={`number ${turnaround.n < fewestToRank ? 'quiet' : ''}`}>
              {orNoData(turnaround.p50_ms, format.duration)}
            </td>
            {count(
              turnaround.n,
              { metric: 'grading_turnaround', part: 'n' },
              t('graded, {name}', { name }),
              'optional',
            )}
            <td class={`number ${grade.n < fewestToRank ? 'quiet' : ''}`}>{orNoData(grade.median, format.decimal)}</td>
            {count(grade.n, { metric: 'grade', part: 'n' }, t('grades, {name}', { name }), 'optional')}
          </tr>
        )
      })}
    />
  )
}
