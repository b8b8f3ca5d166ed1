import type { Child } from 'hono/jsx'
import { numeric, TableHead } from './listing.tsx'

type RankedTableProps = {
  label: string
  /** Heads: of the names, of the bar with the share beside it, and of numbers. */
  name: string
  measure: string
  /** The meaning of the mark in the bars. */
  average?: string | undefined
  numbers: string[]
  /** Numbers that are shown where there is room. */
  optional: string[]
  ranked: Child[]
  few: Child[]
  /** Why these are not ranked. */
  fewWords: string
}

export function RankedTable(props: RankedTableProps) {
  const { label, name, measure, average, numbers, optional, ranked, few, fewWords } = props
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={label}>
      <table class="ranking">
        <TableHead
          columns={[
            name,
            {
              name: measure,
              className: 'bar-cell',
              below: average === undefined ? null : <span class="mark-key">{average}</span>,
            },
            // Where there is room for bars their head is enough to be seen; where there is none, this one is.
            numeric(<span class="visually-hidden rate-head">{measure}</span>),
            ...numbers.map((head) => numeric(head)),
            ...optional.map((head) => numeric(head, 'optional')),
          ]}
        />
        <tbody>{ranked}</tbody>
        {few.length === 0 ? null : (
          <tbody class="few">
            <tr>
              <th colspan={3 + numbers.length + optional.length} scope="rowgroup">
                {fewWords}
              </th>
            </tr>
            {few}
          </tbody>
        )}
      </table>
    </div>
  )
}
