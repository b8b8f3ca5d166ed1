import { t } from '../../../language/translate.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { PageContext } from '../../page-context.ts'
import { ChallengeLink, ManagerLinks, PersonLink, TeamLinks } from '../../components/people.tsx'
import { mayRemind, RemindedNote, RemindForm, remindHref, RemindTick, type Reminded } from '../../components/remind.tsx'
import { counted } from '../../../language/format.ts'
import type { ObjectKind } from '../../components/group-url.ts'
import { rowsOf } from '../../components/count.tsx'
import { FigureHead } from '../../components/figure.tsx'
import { Listing, numeric } from '../../components/listing.tsx'

export const mostLate = 5

type LateListProps = {
  context: PageContext
  kind: ObjectKind
  /** The longest overdue, at most `mostLate`. */
  rows: readonly AssignmentRow[]
  reminded: ReadonlyMap<string, Reminded>
  overdue: number
}

/** Who is late, the longest first; all of them are one click away. */
export function LateList(props: LateListProps) {
  const { context, rows, overdue } = props
  const { format } = context
  const all = rowsOf(context, { fact: 'overdue' })
  const assignments = counted(format, overdue, 'assignment')
  return (
    <figure class="figure wide" id="late" aria-labelledby="late-title">
      <FigureHead
        id="late"
        title={t('Who is late?')}
        finding={
          overdue === 0
            ? t('Nobody is overdue.')
            : overdue > rows.length
              ? t('{assignments} overdue; the {n} longest overdue.', { assignments, n: format.count(rows.length) })
              : t('{assignments} overdue.', { assignments })
        }
        tools={
          overdue > 0 && mayRemind(context) ? (
            <a class="pill no-print" href={remindHref(context)}>
              {t('Remind all')}
            </a>
          ) : null
        }
      />
      {rows.length === 0 ? null : (
        <RemindForm context={context}>
          <Rows {...props} />
        </RemindForm>
      )}
      {overdue > rows.length && all !== null ? (
        <p class="more">
          <a href={all}>{t('All {assignments}', { assignments: counted(format, overdue, 'overdue assignment') })}</a>
        </p>
      ) : null}
    </figure>
  )
}

function Rows({ context, kind, rows, reminded }: LateListProps) {
  const { format } = context
  return (
    <div class="figure-body">
      <Listing
        label={t('The longest overdue')}
        className="rows"
        columns={[
          t('Person'),
          kind === 'challenge' ? null : t('Challenge'),
          t('Manager'),
          t('Team'),
          t('Due'),
          numeric(t('Days late')),
        ]}
        cells={rows.map((row, index) => {
          const isFirst = rows.findIndex(({ user_id }) => user_id === row.user_id) === index
          return [
            <>
              {isFirst ? (
                <RemindTick context={context} id={row.user_id} name={row.user_name ?? row.user_id ?? ''} />
              ) : null}{' '}
              <PersonLink context={context} id={row.user_id} name={row.user_name} />{' '}
              {isFirst ? <RemindedNote context={context} reminded={reminded.get(row.user_id ?? '')} /> : null}
            </>,
            <ChallengeLink context={context} row={row} />,
            <ManagerLinks context={context} row={row} />,
            <TeamLinks context={context} row={row} />,
            row.due_day === null ? '–' : format.dayYear(row.due_day),
            format.count(row.days_overdue ?? 0),
          ]
        })}
      />
    </div>
  )
}
