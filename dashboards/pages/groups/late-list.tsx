import { allFilters } from '../../scope/follow.ts'
import { t } from '../../../language/translate.ts'
import type { AssignmentRow } from '../../../schemas/metrics/columns.ts'
import type { PageContext } from '../../page-context.ts'
import { ManagerLinks, PersonLink } from '../../components/people.tsx'
import { mayRemind, RemindedNote, RemindForm, remindHref, RemindTick, type Reminded } from '../../components/remind.tsx'
import { counted } from '../../../language/format.ts'
import { objectHref, type ObjectKind } from '../../components/group-url.ts'
import { rowsHref } from '../../scope/page-url.ts'
import { numeric, TableHead } from '../../components/listing.tsx'

export const mostLate = 5

type LateListProps = {
  context: PageContext
  kind: ObjectKind
  /** The longest overdue, at most `mostLate`. */
  rows: readonly AssignmentRow[]
  reminded: ReadonlyMap<string, Reminded>
  overdue: number
  rowParams: URLSearchParams
  asOf: string
}

/** Who is late, the longest first; all of them are one click away. */
export function LateList(props: LateListProps) {
  const { context, rows, overdue, rowParams, asOf } = props
  const { format } = context
  const all = rowsHref(rowParams, asOf, { fact: 'overdue' })
  return (
    <figure class="figure wide" id="late" aria-labelledby="late-title">
      <div class="figure-head">
        <div>
          <h2 id="late-title">{t('Who is late?')}</h2>
          <p class="finding">
            {overdue === 0
              ? t('Nobody is overdue.')
              : overdue > rows.length
                ? t('{assignments} overdue; the {n} longest overdue.', {
                    assignments: counted(format, overdue, 'assignment'),
                    n: format.count(rows.length),
                  })
                : t('{assignments} overdue.', { assignments: counted(format, overdue, 'assignment') })}
          </p>
        </div>
        {overdue > 0 && mayRemind(context) ? (
          <a class="pill no-print" href={remindHref(rowParams)}>
            {t('Remind all')}
          </a>
        ) : null}
      </div>
      {rows.length === 0 ? null : (
        <RemindForm context={context} params={rowParams}>
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
  return (
    <div class="figure-body scroll" tabindex={0} role="group" aria-label={t('The longest overdue')}>
      <table class="rows">
        <TableHead
          columns={[
            t('Person'),
            kind === 'challenge' ? null : t('Challenge'),
            t('Manager'),
            t('Team'),
            t('Due'),
            numeric(t('Days late')),
          ]}
        />
        <tbody>
          {rows.map((row, index) => (
            <Row
              context={context}
              kind={kind}
              row={row}
              isFirst={rows.findIndex(({ user_id }) => user_id === row.user_id) === index}
              reminded={reminded.get(row.user_id ?? '')}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = {
  context: PageContext
  kind: ObjectKind
  row: AssignmentRow
  /** Whether it is this person's first row. */
  isFirst: boolean
  reminded: Reminded | undefined
}

function Row({ context, kind, row, isFirst, reminded }: RowProps) {
  const { format } = context
  const challenge = row.challenge ?? row.challenge_id ?? t('Unknown challenge')
  return (
    <tr>
      <th scope="row">
        {isFirst ? <RemindTick context={context} id={row.user_id} name={row.user_name ?? row.user_id ?? ''} /> : null}{' '}
        <PersonLink context={context} id={row.user_id} name={row.user_name} />{' '}
        {isFirst ? <RemindedNote context={context} reminded={reminded} /> : null}
      </th>
      {kind === 'challenge' ? null : (
        <td>
          {row.challenge_id === null ? (
            challenge
          ) : (
            <a href={objectHref('challenge', row.challenge_id, allFilters(context))}>{challenge}</a>
          )}
        </td>
      )}
      <td>
        <ManagerLinks context={context} row={row} />
      </td>
      <td>
        {row.teams.map((team, i) => (
          <>
            {i === 0 ? '' : ', '}
            <a href={objectHref('team', row.team_ids[i] ?? '', allFilters(context))}>{team}</a>
          </>
        ))}
      </td>
      <td>{row.due_day === null ? '–' : format.dayYear(row.due_day)}</td>
      <td class="number">{format.count(row.days_overdue ?? 0)}</td>
    </tr>
  )
}
