import { rich, t } from '../../../language/translate.ts'
import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { Bar } from '../../components/bar.tsx'
import { RankedTable } from '../../components/ranking.tsx'
import { Figure } from '../../components/figure.tsx'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../components/figures/findings.ts'
import { guidesFinding, rankByNeed, type GuideLine } from './words.ts'
import type { GuidePart } from '../../../reporting/statements/guides.ts'
import { allOf, guideRowsHref, guidesHref } from './links.ts'
import { GuideCount } from './guide-rows.tsx'
import { orNoData } from '../../components/listing.tsx'

type GuideTableProps = { context: PageContext; title: string; noun: 'guide' | 'team'; rows: GuideLine[]; csv: string }

/** The table is the chart: most overdue first, and a bar of the share that is completed. */
export function GuideTable({ context, title, noun, rows, csv }: GuideTableProps) {
  const { ranked, few } = rankByNeed(rows)
  const { completion_rate, on_time_rate, overdue } = guideMetricDefinitions
  const toRow = (line: GuideLine) => <Line context={context} noun={noun} line={line} />
  return (
    <Figure
      id={`by-${noun}`}
      className="wide"
      title={title}
      finding={guidesFinding(rows, noun, context.format)}
      defines={[]}
      also={[overdue, completion_rate, on_time_rate]}
      csv={csv}
    >
      {rows.length === 0 ? (
        <p class="empty">{t('Nothing in this scope.')}</p>
      ) : (
        <RankedTable
          label={title}
          name={noun === 'team' ? t('Team') : t('Guide')}
          measure={t('Completed')}
          numbers={[t('On time'), t('Overdue')]}
          optional={[t('Assigned')]}
          ranked={ranked.map(toRow)}
          few={few.map(toRow)}
          fewWords={t('Fewer than {fewestToRank} assigned: not ranked', { fewestToRank })}
        />
      )}
    </Figure>
  )
}

function Line({ context, noun, line }: { context: PageContext; noun: 'guide' | 'team'; line: GuideLine }) {
  const { format, params } = context
  const { id, name, metrics } = line
  const { completion_rate, on_time_rate, overdue, assigned } = metrics
  // Somebody in two teams counts in both, so another team than those chosen has more rows than it counts here.
  const filter = params.getAll(noun).filter(Boolean)
  const isNarrowed = id !== null && (filter.length === 0 || filter.includes(id))
  const count = (part: GuidePart, n: number, shown = format.count(n)) => (
    <GuideCount n={n} href={isNarrowed ? guideRowsHref(allOf(context), part, { [noun]: id }) : null}>
      {shown}
    </GuideCount>
  )
  return (
    <tr>
      <th scope="row">{id === null ? name : <a href={guidesHref(allOf(context), { [noun]: id })}>{name}</a>}</th>
      <td class="bar-cell">
        {completion_rate.value === null ? null : <Bar share={completion_rate.value} series="completed" />}
      </td>
      <td class="number rate">
        {orNoData(completion_rate.value, format.percent)}
        <small>
          {rich('{some} of {all}', {
            some: count('completed', completion_rate.numerator),
            all: count('assigned', completion_rate.denominator),
          })}
        </small>
      </td>
      <td class="number">
        {orNoData(on_time_rate.value, (share) => count('on_time', on_time_rate.numerator, format.percent(share)))}
      </td>
      <td class={`number ${overdue.value === 0 ? 'zero' : ''}`}>{count('overdue', overdue.value)}</td>
      <td class="number optional">{count('assigned', assigned.value)}</td>
    </tr>
  )
}
