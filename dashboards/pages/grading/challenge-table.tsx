import type { ChallengeGrading } from '../../../reporting/queries/grading.ts'
import { rowName } from '../../components/figures/findings.ts'
import { UnknownChallenge } from '../../components/people.tsx'
import { column, inFile, type Table } from '../../components/table.tsx'
import type { PageContext } from '../../page-context.ts'
import { allFilters } from '../../scope/follow.ts'
import { href, withChange } from '../../scope/page-url.ts'

/** A link to this page for one challenge. */
export function OfChallenge({ context, id, name }: { context: PageContext; id: string; name: string }) {
  if (id === '') return <>{name}</>
  return <a href={href(context.path, withChange(allFilters(context), { challenge: id }))}>{name}</a>
}

export const challengeTable: Table<ChallengeGrading> = {
  label: 'Grading by challenge',
  className: 'ranking',
  narrow: ({ id }) => ({ challenge: id }),
  nameOf: (row) => rowName(row, 'challenge'),
  order: '-waiting',
  columns: [
    column('text', 'challenge', 'Challenge', (row) => row.name, {
      cell: (row, context) => {
        if (row.id === '') return <UnknownChallenge />
        return <OfChallenge context={context} id={row.id} name={rowName(row, 'challenge')} />
      },
    }),
    column('count', 'waiting', 'Waiting', (row) => row.waiting, { sorts: true, rows: { fact: 'awaiting_grading' } }),
    column('duration', 'oldest_ms', 'Oldest', (row) => row.oldest_ms, { sorts: true }),
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
