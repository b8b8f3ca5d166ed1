import type { Child } from 'hono/jsx'
import type { Format } from '../../language/format.ts'
import { CountCell } from './count-cell.tsx'
import { Bar } from './bar.tsx'
import { t } from '../../language/translate.ts'
import { numeric, TableHead } from './listing.tsx'
import { orNoData } from './no-data.tsx'

/** `rows`: where the assignments of the count are. */
export type ShareRow = { name: Child; count: number; series: string; note?: string; rows?: string | null }

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
