import { t } from '../../../language/translate.ts'
import { counted } from '../../../language/format.ts'
import type { Metrics } from '../../../schemas/metrics/answer.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import { list } from '../../blocks/list.tsx'
import type { AnyView, Block } from '../../blocks/page.ts'
import { rowsOf } from '../../components/count.tsx'
import type { ObjectKind } from '../../components/group-url.ts'
import { ChallengeLink, PersonLink } from '../../components/people.tsx'
import {
  mayRemind,
  RemindedNote,
  RemindForm,
  remindHref,
  RemindTick,
  type Reminded,
} from '../../components/remind.tsx'
import { column, type Table } from '../../components/table.tsx'
import { rowsFileHref, withChange } from '../../scope/page-url.ts'

export const mostLate = 5

/** The longest overdue, at most `mostLate`; `reminded` by person. */
export type Late = { rows: readonly AssignmentRow[]; reminded: ReadonlyMap<string, Reminded> }

type LateView = Omit<AnyView, 'data'> & {
  data: AnyView['data'] & { late: Late; answer: { metrics: Metrics } }
}

/** Who is overdue, the longest first; all of them are one click away. */
export const lateBlock = <V extends LateView>(kind: ObjectKind): Block<V> => ({
  id: 'late',
  wide: true,
  title: 'Who is overdue?',
  finding: ({ data, context: { format } }) => {
    const n = data.answer.metrics.overdue.value
    if (n === 0) return t('No one is overdue.')
    const words = { assignments: counted(format, n, 'assignment'), n: format.count(data.late.rows.length) }
    return n > data.late.rows.length
      ? t('{assignments} overdue. The {n} longest:', words)
      : t('{assignments} overdue.', words)
  },
  defines: ['overdue'],
  tools: ({ data, context }) =>
    data.answer.metrics.overdue.value > 0 && mayRemind(context) ? (
      <a class="pill no-print" href={remindHref(context)}>
        {t('Remind all')}
      </a>
    ) : null,
  list: list<V, AssignmentRow>({
    table: (view) => lateTable(kind, view),
    rows: ({ data }) => ({ rows: data.late.rows, total: data.answer.metrics.overdue.value }),
    most: mostLate,
    all: ({ context }) => rowsOf(context, { fact: 'overdue' }) ?? undefined,
    file: ({ rowParams, data }) =>
      rowsFileHref(withChange(rowParams, { fact: 'overdue' }), data.answer.as_of),
  }),
  content: ({ data, context }, { list }) =>
    data.late.rows.length === 0 ? <></> : <RemindForm context={context}>{list}</RemindForm>,
})

function lateTable(kind: ObjectKind, { data: { late }, context }: LateView): Table<AssignmentRow> {
  const isFirst = (row: AssignmentRow) => late.rows.find(({ user_id }) => user_id === row.user_id) === row
  return {
    label: 'Overdue',
    className: 'rows',
    columns: [
      column('text', 'user_name', 'Person', (row) => row.user_name, {
        cell: (row) => (
          <>
            {isFirst(row) ? (
              <RemindTick context={context} id={row.user_id} name={row.user_name ?? row.user_id ?? ''} />
            ) : null}{' '}
            <PersonLink context={context} id={row.user_id} name={row.user_name} />{' '}
            {isFirst(row) ? (
              <RemindedNote context={context} reminded={late.reminded.get(row.user_id ?? '')} />
            ) : null}
          </>
        ),
      }),
      ...(kind === 'challenge'
        ? []
        : [
            column<AssignmentRow>('text', 'challenge', 'Challenge', (row) => row.challenge, {
              cell: (row) => <ChallengeLink context={context} row={row} />,
              optional: true,
            }),
          ]),
      column('text', 'managers', 'Manager', ({ managers }) => managers.join(', '), { optional: true }),
      column('text', 'teams', 'Team', ({ teams }) => teams.join(', '), { optional: true }),
      column('day', 'due_day', 'Due', (row) => row.due_day, { optional: true }),
      column('count', 'days_overdue', 'Days overdue', (row) => row.days_overdue ?? 0),
    ],
  }
}
