import type { DueDay, Overdue } from '../../../reporting/statements/overdue.ts'
import { CountCell } from '../../components/count.tsx'
import { PartsBar } from '../../components/bar.tsx'
import type { PageContext } from '../../page-context.ts'
import { rowsHref } from '../../scope/page-url.ts'
import { t } from '../../../language/translate.ts'
import { numeric, TableHead } from '../../components/listing.tsx'

type DueDaysProps = { context: PageContext; rowParams: URLSearchParams; overdue: Overdue }

/** Assignments by due date, for each of the next days: handed in already, still open. */
export function DueDays({ context, rowParams, overdue }: DueDaysProps) {
  const { format } = context
  const { due_days: days, answer } = overdue
  const most = Math.max(1, ...days.map(({ due }) => due))
  const hasFailed = days.some(({ failed }) => failed > 0)
  const rows = ({ day }: DueDay, fact?: 'submitted' | 'open') =>
    rowsHref(rowParams, answer.as_of, { due_from: day, due_to: day, ...(fact !== undefined && { fact }) })
  return (
    <table class="shares due-days">
      <TableHead
        columns={[
          t('Due'),
          { name: <Legend />, className: 'bar-head' },
          numeric(t('All')),
          numeric(t('Handed in')),
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
            <CountCell
              n={each.due}
              href={rows(each)}
              what={t('due on {day}', { day: format.day(each.day) })}
              format={format}
            />
            <CountCell
              n={each.handed_in}
              href={rows(each, 'submitted')}
              what={t('handed in, due on {day}', { day: format.day(each.day) })}
              format={format}
            />
            {hasFailed ? (
              <td class={`number optional ${each.failed === 0 ? 'zero' : ''}`}>{format.count(each.failed)}</td>
            ) : null}
            <CountCell
              n={each.open}
              href={rows(each, 'open')}
              what={t('open, due on {day}', { day: format.day(each.day) })}
              format={format}
            />
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
        {t('Handed in')}
      </li>
      <li>
        <span class="swatch open" aria-hidden="true"></span>
        {t('Open')}
      </li>
    </ul>
  )
}
