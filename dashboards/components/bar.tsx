import type { Child } from 'hono/jsx'
import type { Format } from '../../language/format.ts'
import { CountCell } from './count.tsx'
import { t } from '../../language/translate.ts'
import { numeric, TableHead, orNoData } from './listing.tsx'

/** The colour of a series or of an age, as the style sheet names it. An attribute: there are no inline styles. */
export function colourOf(series: string): string {
  return `var(--${series.startsWith('age-') ? series : `series-${series}`})`
}

/**
 * A bar in a table cell. SVG instead of a styled box: it needs no inline style, and it prints. `share` and `mark` are
 * 0..1.
 */
export type BarProps = { share: number; series: string; mark?: number | null }

export function Bar({ share, series, mark = null }: BarProps) {
  const width = Math.round(Math.max(share, 0.004) * 1000) / 10
  return (
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect class="bar-track" width="100" height="1" />
      {share > 0 ? <rect class="bar-fill" width={width} height="1" fill={colourOf(series)} /> : null}
      {mark === null ? null : (
        <rect class="bar-mark" x={Math.round(mark * 1000) / 10} width="0.6" height="1" />
      )}
    </svg>
  )
}

/** `rows`: where the assignments of the count are. */
type ShareRow = { name: Child; count: number; series: string; note?: string; rows?: string | null }

type ShareTableProps = {
  head: string
  rows: ShareRow[]
  whole: number
  wholeName: string
  format: Format
  noteHead?: string
}

/** Name, bar, count and share: for funnel and aging the table is the chart. */
export function ShareTable({ head, rows, whole, wholeName, format, noteHead }: ShareTableProps) {
  return (
    <table class="shares">
      <TableHead
        columns={[
          head,
          { name: <span class="visually-hidden">{t('Bar')}</span>, className: 'bar-head' },
          numeric(t('Count')),
          numeric(wholeName),
          noteHead === undefined ? null : numeric(noteHead, 'optional'),
        ]}
      />
      <tbody>
        {rows.map(({ name, count, series, note, rows: link = null }) => (
          <tr>
            <th scope="row">{name}</th>
            <td class="bar-cell">
              <Bar share={whole === 0 ? 0 : count / whole} series={series} />
            </td>
            <CountCell n={count} href={link} what={t('assignments')} format={format} />
            <td class="number">{orNoData(whole === 0 ? null : count / whole, format.percent)}</td>
            {noteHead === undefined ? null : <td class="number optional quiet">{note ?? ''}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
