import { t } from '../../../language/translate.ts'
import type { RankingRow } from '../../../reporting/metrics/overview.ts'
import { rowName } from '../../components/figures/findings.ts'
import { objectHref, withoutTeamHref } from '../../components/group-url.ts'
import { column, type Table } from '../../components/table.tsx'
import { allFilters } from '../../scope/follow.ts'
import type { HomeView } from './view.ts'

type Noun = 'team' | 'challenge'

/** Teams or challenges: the share on time against that of everything, and what is overdue. */
export function groupTable(noun: Noun, view: HomeView): Table<RankingRow> {
  const { format } = view.context
  const whole = view.data.answer.metrics.on_time_rate.value
  return {
    label: noun === 'team' ? 'Ranking by team' : 'Ranking by challenge',
    className: 'ranking',
    nameOf: (row) => rowName(row, noun),
    narrow: ({ id }) => ({ [noun]: id }),
    columns: [
      column('text', noun, noun === 'team' ? 'Team' : 'Challenge', ({ name }) => name, {
        href: ({ id }) => toPage(noun, id, view),
      }),
      column('percent', 'on_time_rate', 'On time', (row) => row.on_time_rate.value, {
        of: (row) => row.on_time_rate.denominator,
        bar: ({ on_time_rate: { value } }) =>
          value === null ? null : { share: value, series: 'completed', mark: whole },
        below: () =>
          whole === null ? null : (
            <span class="mark-key">{t('average {whole}', { whole: format.percent(whole) })}</span>
          ),
        hint: ({ on_time_rate: { numerator, denominator } }) =>
          t('{some} of {all}', { some: format.count(numerator), all: format.count(denominator) }),
      }),
      column('count', 'overdue', 'Overdue', (row) => row.overdue, { rows: { fact: 'overdue' } }),
    ],
  }
}

/** `null`: no page is about it. */
function toPage(noun: Noun, id: string, { context }: HomeView): string | null {
  const params = allFilters(context)
  if (id !== '') return objectHref(noun, id, params)
  return noun === 'team' ? withoutTeamHref('/', params) : null
}
