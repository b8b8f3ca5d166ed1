import { t } from '../../../language/translate.ts'
import {
  waitingAgeKeys,
  type ChallengeGrading,
  type Grading,
  type QueueRow,
} from '../../../reporting/queries/grading.ts'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { View } from '../../blocks/page.ts'
import { rowsOf } from '../../components/count.tsx'
import { rowName } from '../../components/figures/findings.ts'
import { endsRunning, periodName } from '../../components/figures/periods.tsx'
import { challengeName, platformColumn, UnknownChallenge } from '../../components/people.tsx'
import { unfinishedWords } from '../../components/stamp.tsx'
import { column, inFile, shareOf, type Column, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { allFilters } from '../../scope/follow.ts'
import { date, oneOf } from '../../scope/page-keys.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { ageWords, periodWords } from './words.ts'

/** The parameters that only this page has. */
export const own = {
  waiting: oneOf(waitingAgeKeys, { label: 'Waiting', words: (age) => t(ageWords[age]) }),
  graded: date({ label: 'Graded', words: (day, { period }, format) => periodWords(day, period, format) }),
}
export type GradingData = Grading & Pick<MetricsAnswer, 'metrics' | 'period'>
export type GradingView = View<GradingData, typeof own>

/** Single assignments. The platform does not send who is to grade them. */
export function queueTable({ own, scope, context }: GradingView): Table<QueueRow> {
  const isGraded = own.graded !== undefined
  const end = (row: QueueRow) => (isGraded && row.graded_at !== null ? Date.parse(row.graded_at) : scope.asOf)
  return {
    label: isGraded ? 'Graded assignments' : 'Waiting for a grade',
    className: 'list-cards named',
    nameOf: ({ user_name, user_id }) => user_name || user_id || t('Unknown person'),
    columns: [
      column('text', 'user_name', 'Person', {
        href: ({ user_id }) => (user_id === '' ? null : rowsOf(context, { user: user_id })),
      }),
      column('text', 'challenge', 'Challenge', {
        cell: (row) => ofChallenge(context, row.challenge_id, challengeName(row)),
      }),
      column('instant', 'first_seen_submitted', 'Submitted', (row) => row.submitted_at, {
        note: (row) => submittedNote(row, isGraded),
        optional: true,
      }),
      column('instant', 'first_seen_graded', 'Graded', (row) => row.graded_at, {
        only: isGraded ? 'both' : 'file',
      }),
      column('instant', 'reviewers_due_date', 'Review due', (row) => row.reviewers_due_at, {
        only: isGraded ? 'file' : 'both',
        optional: true,
        cell({ reviewers_due_at: due, review_overdue }, { format }) {
          if (due === null) return <span class="quiet">{t('none')}</span>
          const late = review_overdue && <b class="late-mark"> {t('overdue')}</b>
          return [<time datetime={due}>{format.dueDay(due)}</time>, late]
        },
      }),
      column(
        'duration',
        'waited_ms',
        isGraded ? 'Took' : 'Waiting§age',
        (row) => end(row) - Date.parse(row.submitted_at),
      ),
      ...(context.settings.platformLinks?.grading === undefined ? [] : [platformColumn<QueueRow>('grading')]),
      inFile('text', 'reviewer_overdue', 'Grading overdue', (row) => String(row.review_overdue)),
      inFile('text', 'assignment_id', 'Assignment id'),
      inFile('text', 'user_id', 'Person id'),
      inFile('text', 'challenge_id', 'Challenge id'),
    ],
  }
}

function submittedNote(row: QueueRow, isGraded: boolean): string {
  const again = row.graded_at === null ? row.partly_graded && t('partly graded') : t('resubmitted')
  return [!row.submission_known && t('or earlier'), !isGraded && again].filter(Boolean).join(', ')
}

/** The count of an age opens its part of the queue. */
export const ageTable = ({ data: { waiting }, to }: GradingView): Table<Grading['by_age'][number]> => ({
  label: 'Waiting time',
  className: 'shares',
  nameOf: ({ age }) => t(ageWords[age]),
  columns: [
    column('text', 'waiting_days', 'Waiting§age', ({ age }) => age),
    column('count', 'count', 'Count', {
      bar: ({ age, count }) => ({
        share: count / (waiting || 1),
        series: `age-${Object.keys(ageWords).indexOf(age)}`,
      }),
      href: ({ age }) => to({ waiting: age, graded: null, page: null }, 'queue'),
    }),
    shareOf(waiting, ({ count }) => count),
  ],
})

/** The name of a period; the running one says so. */
function periodColumn<Row extends { period_start: string }>(
  { context, data: { answer, period } }: GradingView,
  shown: readonly Row[],
): Column<Row> {
  const running = endsRunning(shown, answer, period) ? shown.at(-1) : undefined
  return column('day', 'period_start', 'Period', {
    cell: (row) => {
      const name = periodName(row.period_start, period, context, true)
      return row === running ? `${name}${unfinishedWords(answer.as_of, context.format)}` : name
    },
  })
}

export const turnaroundTable = (view: GradingView): Table<Grading['turnaround'][number]> => ({
  label: 'Grading time',
  columns: [
    periodColumn(view, view.data.turnaround),
    column('duration', 'p50_ms', 'Median'),
    column('duration', 'p90_ms', '90% within'),
    column('count', 'n', 'Grades', {
      href: ({ n, period_start }) =>
        n === 0 ? null : view.to({ graded: period_start, waiting: null, page: null }, 'queue'),
    }),
  ],
})

export const backlogTable = (view: GradingView): Table<Grading['backlog'][number]> => ({
  label: 'Waiting over time',
  columns: [periodColumn(view, view.data.backlog), column('count', 'waiting_at_end', 'Waiting')],
})

/** A link to this page for one challenge. */
const ofChallenge = (context: PageContext, id: string, name: string) =>
  id === '' ? (
    name
  ) : (
    <a href={href(context.path, withChange(allFilters(context), { challenge: id }))}>{name}</a>
  )

export const challengeTable: Table<ChallengeGrading> = {
  label: 'Grading by challenge',
  className: 'ranking',
  narrow: ({ id }) => ({ challenge: id }),
  nameOf: (row) => rowName(row, 'challenge'),
  order: '-waiting',
  columns: [
    column('text', 'challenge', 'Challenge', (row) => row.name, {
      cell: (row, context) =>
        row.id === '' ? <UnknownChallenge /> : ofChallenge(context, row.id, rowName(row, 'challenge')),
    }),
    column('count', 'waiting', 'Waiting', { sorts: true, rows: { fact: 'awaiting_grading' } }),
    column('duration', 'oldest_ms', 'Oldest', { sorts: true }),
    column('duration', 'turnaround_p50_ms', 'Grading time, median', (row) => row.turnaround.p50_ms, {
      sorts: true,
      of: (row) => row.turnaround.n,
      optional: true,
      rows: { metric: 'grading_turnaround', part: 'n' },
    }),
    column('decimal', 'grade_median', 'Grade, median', (row) => row.grade.median, {
      sorts: true,
      of: (row) => row.grade.n,
      optional: true,
      rows: { metric: 'grade', part: 'n' },
    }),
    inFile('count', 'turnaround_n', 'Graded', (row) => row.turnaround.n),
    inFile('count', 'grade_n', 'Grades', (row) => row.grade.n),
    inFile('text', 'challenge_id', 'Challenge id', (row) => row.id),
  ],
}
