import type { Child } from 'hono/jsx'
import { numeric, TableHead } from './listing.tsx'

/** Text, or a number that leads to its rows. */
export type DataCell = Child | LinkCell
type LinkCell = { text: string; href: string; count?: number }

/** The numbers behind a drawing: the first column names the row, the others are formatted numbers. */
export function DataTable({ caption, columns, rows }: { caption: string; columns: string[]; rows: DataCell[][] }) {
  return (
    <table class="data" data-plot-table>
      <caption class="visually-hidden">{caption}</caption>
      <TableHead columns={columns.map((column, i) => (i === 0 ? column : numeric(column)))} />
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr>
            <th scope="row">{name === undefined ? '' : toCell(name)}</th>
            {cells.map((cell) => (
              <td class="number">{toCell(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function toCell(cell: DataCell): Child {
  if (!isLink(cell)) return cell
  return (
    <a class="count" href={cell.href} data-count={cell.count}>
      {cell.text}
    </a>
  )
}

function isLink(cell: DataCell): cell is LinkCell {
  return typeof cell === 'object' && cell !== null && 'text' in cell && 'href' in cell
}
