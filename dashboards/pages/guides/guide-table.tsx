import type { GuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { Bar } from '../../components/bar.tsx'
import type { PageContext } from '../../page-context.ts'
import { guidesHref } from '../../url/guides-url.ts'

/** `id`: `null` where there is nothing to filter by. */
type Row = { id: string | null; name: string; metrics: GuideMetrics }

type GuideTableProps = { context: PageContext; title: string; noun: 'guide' | 'team'; rows: Row[] }

/** The table is the chart: a bar of the share that is completed. */
export function GuideTable({ context, title, noun, rows }: GuideTableProps) {
  const { format, params } = context
  const id = `by-${noun}`
  return (
    <figure class="figure" id={id} aria-labelledby={`${id}-title`}>
      <div class="figure-head">
        <h2 id={`${id}-title`}>{title}</h2>
      </div>
      <div class="figure-body">
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
                {rows.map(({ id, name, metrics: { completion_rate, on_time_rate, overdue, assigned } }) => (
                  <tr>
                    <th scope="row">{id === null ? name : <a href={guidesHref(params, { [noun]: id })}>{name}</a>}</th>
                    <td class="bar-cell">
                      {completion_rate.value === null ? null : <Bar share={completion_rate.value} series="completed" />}
                    </td>
                    <td class="number rate">
                      {completion_rate.value === null ? (
                        <span class="no-data">no data</span>
                      ) : (
                        format.percent(completion_rate.value)
                      )}
                      <small>
                        {format.count(completion_rate.numerator)} of {format.count(completion_rate.denominator)}
                      </small>
                    </td>
                    <td class="number">
                      {on_time_rate.value === null ? (
                        <span class="no-data">no data</span>
                      ) : (
                        format.percent(on_time_rate.value)
                      )}
                    </td>
                    <td class={`number ${overdue.value === 0 ? 'zero' : ''}`}>{format.count(overdue.value)}</td>
                    <td class="number optional">{format.count(assigned.value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </figure>
  )
}
