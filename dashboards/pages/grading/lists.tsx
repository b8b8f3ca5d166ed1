import { isolateText, t } from '../../../language/translate.ts'
import type { QueuePage, QueueRow, ChallengeGrading } from '../../../reporting/queries/grading.ts'
import { challengeName, PlatformLink, UnknownChallenge } from '../../components/people.tsx'
import type { PageContext } from '../../page-context.ts'
import { allFilters } from '../../scope/follow.ts'
import { href, withChange, type Narrow } from '../../scope/page-url.ts'
import { Listing, numeric, orNoData } from '../../components/listing.tsx'
import { CountCell, rowsOf } from '../../components/count.tsx'
import { fewestToRank, rowName } from '../../components/figures/findings.ts'

type QueueTableProps = {
  context: PageContext
  asOf: string
  queue: QueuePage
  /** Whether these were graded, instead of waiting. */
  graded: boolean
}

/** Single assignments, handed in longest ago first. Nobody is named as the one who is to grade: the platform does not say. */
export function QueueTable({ context, asOf, queue, graded }: QueueTableProps) {
  const { format, path } = context
  const leads = context.settings.platformLinks?.grading !== undefined
  return (
    <Listing
      label={graded ? t('Graded assignments') : t('What waits for a grade')}
      className="queue"
      columns={[
        t('Person'),
        t('Challenge'),
        graded ? t('Handed in') : t('Waiting since'),
        graded ? t('Graded') : t('Reviewers’ due date'),
        numeric(graded ? t('Took') : t('Waiting§age')),
        leads ? t('At the platform') : null,
      ]}
      cells={queue.rows.map((row) => {
        const person = isolateText(row.user_name || row.user_id) || t('Unknown person')
        const rows = row.user_id === '' ? null : rowsOf(context, { user: row.user_id })
        return [
          rows === null ? person : <a href={rows}>{person}</a>,
          row.challenge_id === '' ? (
            challengeName(row)
          ) : (
            <a href={href(path, withChange(allFilters(context), { challenge: row.challenge_id }))}>
              {challengeName(row)}
            </a>
          ),
          <>
            <time datetime={row.submitted_at}>{format.instantDay(row.submitted_at)}</time>
            {row.submission_known ? null : <span class="quiet"> {t('or earlier')}</span>}
            {graded ? null : <QueueNote row={row} />}
          </>,
          graded ? <GradedAt context={context} row={row} /> : <ReviewDue context={context} row={row} />,
          format.duration(Date.parse((graded ? row.graded_at : null) ?? asOf) - Date.parse(row.submitted_at)),
          leads ? <PlatformLink context={context} to="grading" ids={row} /> : null,
        ]
      })}
    />
  )
}

function QueueNote({ row }: { row: QueueRow }) {
  if (row.graded_at !== null) return <span class="quiet">{t(' (resubmitted)')}</span>
  return row.partly_graded ? <span class="quiet">{t(', partly graded')}</span> : null
}

function GradedAt({ context: { format }, row }: { context: PageContext; row: QueueRow }) {
  return row.graded_at === null ? null : <time datetime={row.graded_at}>{format.instantDay(row.graded_at)}</time>
}

function ReviewDue({ context: { format }, row }: { context: PageContext; row: QueueRow }) {
  if (row.reviewers_due_at === null) return <span class="quiet">{t('none')}</span>
  return (
    <>
      <time datetime={row.reviewers_due_at}>{format.dueDay(row.reviewers_due_at)}</time>
      {row.review_overdue ? <b class="late-mark"> {t('overdue')}</b> : null}
    </>
  )
}

type ChallengeTableProps = {
  context: PageContext
  challenges: readonly ChallengeGrading[]
}

/** The waiting work by age; how long grades take, and their values. Under n = 10 a median is grey. */
export function ChallengeTable({ context, challenges }: ChallengeTableProps) {
  const { format, path } = context
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
        const name = rowName(row, 'challenge')
        const count = (n: number, narrow: Narrow, what: string, className?: 'optional') => {
          const rows = row.id === '' ? null : rowsOf(context, { challenge: row.id, ...narrow })
          return <CountCell n={n} href={rows} what={what} format={format} className={className} />
        }
        const { turnaround, grade } = row
        return (
          <tr>
            <th scope="row">
              {row.id === '' ? (
                <UnknownChallenge />
              ) : (
                <a href={href(path, withChange(allFilters(context), { challenge: row.id }))}>{name}</a>
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
