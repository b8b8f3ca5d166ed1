import type { Child } from 'hono/jsx'

type ListingProps = ({ label: string } | { /** The id of the heading that names the table. */ labelledBy: string }) & {
  /** What the table is, for screen readers. Default: its name says it. */
  caption?: string
  className?: string
  /** `read`: only for screen readers, as over a column of buttons. */
  columns: (string | { read: string })[]
  /** Said in place of rows. Left out where there always are some. */
  empty?: string
  rows: Child[]
}

/** What is kept, a line each: people, tokens, links, mails. It scrolls sideways by itself, also by the keyboard. */
export function Listing({ caption, className, columns, empty, rows, ...name }: ListingProps) {
  return (
    <div
      class="scroll"
      tabindex={0}
      role="group"
      {...('label' in name ? { 'aria-label': name.label } : { 'aria-labelledby': name.labelledBy })}
    >
      <table class={className}>
        {caption === undefined ? null : <caption class="visually-hidden">{caption}</caption>}
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
          {rows.length > 0 || empty === undefined ? (
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
