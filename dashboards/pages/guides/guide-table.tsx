import { guideMetricDefinitions } from '../../../schemas/metrics/guide-metrics.ts'
import { Bar } from '../../components/bar.tsx'
import { Figure } from '../../components/figure.tsx'
import type { PageContext } from '../../page-context.ts'
import { fewestToRank } from '../../text/findings.ts'
import { guidesFinding, rankByNeed, type GuideLine } from '../../text/guide-words.ts'
import { guidesHref } from '../../url/guides-url.ts'

type GuideTableProps = { context: PageContext; title: string; noun: 'guide' | 'team'; rows: GuideLine[]; csv: string }

/** The table is the chart: most overdue first, and a bar of the share that is completed. */
export function GuideTable({ context, title, noun, rows, csv }: GuideTableProps) {
  const { ranked, few } = rankByNeed(rows)
  const { completion_rate, on_time_rate, overdue } = guideMetricDefinitions
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
        <p class="empty">Nothing in this scope.</p>
      ) : (
        <div class="scroll" tabindex={0} role="group" aria-label={title}>
          <table class="ranking">
            <thead>
              <tr>
                <th scope="col">{noun === 'team' ? 'Team' : 'Guide'}</th>
                <th scope="col" class="bar-cell">
                  Completed
                </th>
                <th scope="col" class="number">
                  <span class="visually-hidden rate-head">Completed</span>
                </th>
                <th scope="col" class="number">
                  On time
                </th>
                <th scope="col" class="number">
                  Overdue
                </th>
                <th scope="col" class="number optional">
                  Assigned
                </th>
              </tr>
            </thead>
            <tbody>
              {ranked.map((line) => (
                <Line context={context} noun={noun} line={line} />
              ))}
            </tbody>
            {few.length === 0 ? null : (
              <tbody class="few">
                <tr>
                  <th colspan={6} scope="rowgroup">
                    Fewer than {fewestToRank} assigned: not ranked
                  </th>
                </tr>
                {few.map((line) => (
                  <Line context={context} noun={noun} line={line} />
                ))}
              </tbody>
            )}
          </table>
        </div>
      )}
    </Figure>
  )
}

function Line({ context, noun, line }: { context: PageContext; noun: 'guide' | 'team'; line: GuideLine }) {
  const { format, params } = context
  const { id, name, metrics } = line
  const { completion_rate, on_time_rate, overdue, assigned } = metrics
  return (
    <tr>
      <th scope="row">{id === null ? name : <a href={guidesHref(params, { [noun]: id })}>{name}</a>}</th>
      <td class="bar-cell">
        {completion_rate.value === null ? null : <Bar share={completion_rate.value} series="completed" />}
      </td>
      <td class="number rate">
        {completion_rate.value === null ? <span class="no-data">no data</span> : format.percent(completion_rate.value)}
        <small>
          {format.count(completion_rate.numerator)} of {format.count(completion_rate.denominator)}
        </small>
      </td>
      <td class="number">
        {on_time_rate.value === null ? <span class="no-data">no data</span> : format.percent(on_time_rate.value)}
      </td>
      <td class={`number ${overdue.value === 0 ? 'zero' : ''}`}>{format.count(overdue.value)}</td>
      <td class="number optional">{format.count(assigned.value)}</td>
    </tr>
  )
}
