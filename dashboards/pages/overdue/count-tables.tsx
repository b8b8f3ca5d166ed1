import type { LateGroup, Overdue, DueDay } from '../../../reporting/statements/overdue.ts'
import { Bar, PartsBar } from '../../components/bar.tsx'
import { CountCell, rowsOf } from '../../components/count.tsx'
import type { PageContext } from '../../page-context.ts'
import { daysLate } from './words.ts'
import { rowName } from '../../components/figures/findings.ts'
import { allFilters } from '../../scope/follow.ts'
import { overdueHref } from './links.ts'
import { withoutTeamHref } from '../../components/group-url.ts'
import { href, withChange } from '../../scope/page-url.ts'
import { t } from '../../../language/translate.ts'
import { Listing, numeric, TableHead } from '../../components/listing.tsx'

type GroupTableProps = {
  context: PageContext
  overdue: Overdue
  noun: 'manager' | 'team'
  groups: readonly LateGroup[]
}

/** Overdue assignments by manager or team, most first; the bar is the share of the largest. */
export function GroupTable({ context, overdue, noun, groups }: GroupTableProps) {
  const { format } = context
  const most = Math.max(1, ...groups.map((group) => group.overdue))
  return (
    <Listing
      label={noun === 'manager' ? t('Overdue by manager') : t('Overdue by team')}
      className="ranking late-groups"
      columns={[
        noun === 'manager' ? t('Manager') : t('Team'),
        { name: <span class="visually-hidden">{t('Bar')}</span>, className: 'bar-cell' },
        numeric(t('Overdue')),
        numeric(t('People')),
        numeric(t('Longest'), 'optional'),
      ]}
      rows={groups.map((group) => {
        const name = rowName(group, noun)
        return (
          <tr>
            <th scope="row">
              <a href={toGroupHref(context, overdue, group, noun)}>{name}</a>
            </th>
            <td class="bar-cell">
              <Bar share={group.overdue / most} series={group.id === '' ? 'neutral' : 'age-3'} />
            </td>
            <CountCell
              n={group.overdue}
              href={toGroupRows(context, overdue, group, noun)}
              what={t('overdue, {name}', { name })}
              format={format}
            />
            <td class="number">{format.count(group.people.length)}</td>
            <td class="number optional">{daysLate(group.most_days, format)}</td>
          </tr>
        )
      })}
    />
  )
}

/** The people of the group: a manager's on this page, a team's by the filter. */
function toGroupHref(context: PageContext, { answer }: Overdue, { id }: LateGroup, noun: 'manager' | 'team'): string {
  const all = allFilters(context)
  if (noun === 'manager') return `${overdueHref(context, answer.as_of, { list: id })}#people`
  return id === '' ? withoutTeamHref(context.path, all) : href(context.path, withChange(all, { team: id }))
}

/** More people than this make an address too long. */
const mostNamedPeople = 40

/**
 * The rows of a group. Where the scope names managers already, or the group shares the lack of one, only its people can select
 * them; too many of them lead to their list on this page.
 */
function toGroupRows(
  context: PageContext,
  overdue: Overdue,
  group: LateGroup,
  noun: 'manager' | 'team',
): string | null {
  const isFiltered = context.rows?.params.has(noun) ?? false
  if ((group.id !== '' || noun === 'team') && !isFiltered) {
    const narrow = noun === 'team' ? { team: group.id } : { manager: group.id, manager_depth: '1' }
    const direct = rowsOf(context, { fact: 'overdue', ...narrow })
    if (direct !== null) return direct
  }
  const ids = group.people.map(({ user_id }) => user_id)
  if (ids.length <= mostNamedPeople && !ids.includes('')) {
    const named = rowsOf(context, { fact: 'overdue', user: ids })
    if (named !== null) return named
  }
  return noun === 'manager' ? toGroupHref(context, overdue, group, noun) : null
}

type DueDaysProps = { context: PageContext; overdue: Overdue }

/** Assignments by due date, for each of the next days: submitted already, still open. */
export function DueDays({ context, overdue }: DueDaysProps) {
  const { format } = context
  const { due_days: days } = overdue
  const most = Math.max(1, ...days.map(({ due }) => due))
  const hasFailed = days.some(({ failed }) => failed > 0)
  const count = ({ day }: DueDay, n: number, what: string, fact?: 'submitted' | 'open') => {
    const narrow = { due_from: day, due_to: day, ...(fact !== undefined && { fact }) }
    return <CountCell n={n} href={rowsOf(context, narrow)} what={what} format={format} />
  }
  return (
    <table class="shares due-days">
      <TableHead
        columns={[
          t('Due'),
          { name: <Legend />, className: 'bar-head' },
          numeric(t('All')),
          numeric(t('Submitted')),
          hasFailed ? numeric(t('Failed'), 'optional') : null,
          numeric(t('Open')),
        ]}
      />
      <tbody>
        {days.map((each) => (
          <tr>
            <th scope="row">
              <time datetime={each.day}>{format.weekday(each.day)}</time>
            </th>
            <td class="bar-cell">
              <PartsBar
                parts={[
                  { share: each.handed_in / most, series: 'completed' },
                  { share: (each.failed + each.open) / most, series: 'open' },
                ]}
              />
            </td>
            {count(each, each.due, t('due on {day}', { day: format.day(each.day) }))}
            {count(each, each.handed_in, t('submitted, due on {day}', { day: format.day(each.day) }), 'submitted')}
            {hasFailed ? (
              <td class={`number optional ${each.failed === 0 ? 'zero' : ''}`}>{format.count(each.failed)}</td>
            ) : null}
            {count(each, each.open, t('open, due on {day}', { day: format.day(each.day) }), 'open')}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Legend() {
  return (
    <ul class="legend">
      <li>
        <span class="swatch completed" aria-hidden="true"></span>
        {t('Submitted')}
      </li>
      <li>
        <span class="swatch open" aria-hidden="true"></span>
        {t('Open')}
      </li>
    </ul>
  )
}
