import type { Child } from 'hono/jsx'

type ListingProps = {
  /** The id of the heading that names the table. */
  labelledBy: string
  /** `read`: only for screen readers, as over a column of buttons. */
  columns: (string | { read: string })[]
  /** Said in place of rows. */
  empty: string
  rows: Child[]
}

/** What is kept, a line each: people, tokens, links, mails. It scrolls sideways by itself, also by the keyboard. */
export function Listing({ labelledBy, columns, empty, rows }: ListingProps) {
  return (
    <div class="scroll" tabindex={0} role="group" aria-labelledby={labelledBy}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">
                {typeof column === 'string' ? column : <span class="visually-hidden">{column.read}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length > 0 ? (
            rows
          ) : (
            <tr>
              <td colspan={columns.length}>{empty}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
