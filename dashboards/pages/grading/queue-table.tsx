import { t } from '../../../language/translate.ts'
import type { QueuePage, QueueRow } from '../../../reporting/queries/grading.ts'
import { PlatformLink } from '../../components/people.tsx'
import type { PageContext } from '../../page-context.ts'
import { href, rowsHref, withChange } from '../../scope/page-url.ts'
import { Listing, numeric } from '../../components/listing.tsx'

type QueueTableProps = {
  context: PageContext
  rowParams: URLSearchParams
  asOf: string
  queue: QueuePage
  /** Whether these were graded, instead of waiting. */
  graded: boolean
}

/** Single assignments, handed in longest ago first. Nobody is named as the one who is to grade: the platform does not say. */
export function QueueTable({ context, rowParams, asOf, queue, graded }: QueueTableProps) {
  const { format, params, path } = context
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
        const person = row.user_name || row.user_id || t('Unknown person')
        const rows = row.user_id === '' ? null : rowsHref(rowParams, asOf, { user: row.user_id })
        const challenge = row.challenge || row.challenge_id || t('Unknown challenge')
        return [
          rows === null ? person : <a href={rows}>{person}</a>,
          row.challenge_id === '' ? (
            challenge
          ) : (
            <a href={href(path, withChange(params, { challenge: row.challenge_id }))}>{challenge}</a>
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
      <time datetime={row.reviewers_due_at}>{format.instantDay(row.reviewers_due_at)}</time>
      {row.review_overdue ? <b class="late-mark"> {t('overdue')}</b> : null}
    </>
  )
}
