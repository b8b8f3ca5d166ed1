import type { Child } from 'hono/jsx'

type SectionProps = { id: string; title: string; finding?: string; children?: Child }

/** A block of a page: its question, the answer in a sentence, and what stands behind it. */
export function Section({ id, title, finding, children }: SectionProps) {
  return (
    <section class="figure health-block" id={id} aria-labelledby={`${id}-title`}>
      <div class="figure-head">
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          {finding === undefined ? null : <p class="finding">{finding}</p>}
        </div>
      </div>
      <div class="figure-body">{children}</div>
    </section>
  )
}

type TableProps = { label: string; head: [string, ...string[]]; numbers?: number; rows: Child[][] }

/** The first column names the row; the last `numbers` columns are numbers. */
export function PlainTable({ label, head, numbers = 0, rows }: TableProps) {
  const isNumber = (at: number) => at >= head.length - numbers
  return (
    <div class="scroll" tabindex={0} role="group" aria-label={label}>
      <table class="data deliveries">
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {head.map((name, at) => (
              <th scope="col" class={isNumber(at) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td class={isNumber(at + 1) ? 'number' : undefined}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
