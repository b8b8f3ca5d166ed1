import type { Child } from 'hono/jsx'
import { numeric, TableHead } from './listing.tsx'

/** The numbers behind a drawing: the first column names the row, the others are formatted numbers. */
export function DataTable({ caption, columns, rows }: { caption: string; columns: string[]; rows: Child[][] }) {
  return (
    <table class="data" data-plot-table>
      <caption class="visually-hidden">{caption}</caption>
      <TableHead columns={columns.map((column, i) => (i === 0 ? column : numeric(column)))} />
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr>
            <th scope="row">{name}</th>
            {cells.map((cell) => (
              <td class="number">{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
