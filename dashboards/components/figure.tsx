import type { Child } from 'hono/jsx'
import { metricDefinitions } from '../../schemas/metrics/definitions.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { Icon } from './icon.tsx'

type FigureProps = {
  id: string
  /** The question that the figure answers. */
  title: string
  /** The answer in one sentence. */
  finding: string
  defines: (keyof Metrics)[]
  /** Link to the same numbers as CSV. */
  csv: string
  /** Link to the explanation of the first of `defines`, with SQL. Left out where the figure has a scope of its own. */
  sql?: string
  /** The numbers behind a drawing; a figure that is a table has none. */
  table?: Child
  tools?: Child
  className?: string
  children?: Child
}

/** What every figure has: a question, a finding, the numbers, definitions, and exports. */
export function Figure({ id, title, finding, defines, csv, sql, table, tools, className, children }: FigureProps) {
  return (
    <figure class={`figure ${className ?? ''}`} id={id} aria-labelledby={`${id}-title`}>
      <div class="figure-head">
        <div>
          <h2 id={`${id}-title`}>{title}</h2>
          <p class="finding">{finding}</p>
        </div>
        {tools}
      </div>
      <div class="figure-body">{children}</div>
      <figcaption class="figure-foot">
        {table === undefined ? null : (
          <details class="behind">
            <summary>
              <Icon name="chevron" />
              Numbers<span class="visually-hidden"> behind “{title}”</span>
            </summary>
            <div class="scroll" tabindex={0} role="group" aria-label={`Numbers behind “${title}”`}>
              {table}
            </div>
          </details>
        )}
        <details class="behind">
          <summary>
            <Icon name="chevron" />
            Definition<span class="visually-hidden"> of “{title}”</span>
          </summary>
          <Definitions of={defines} />
        </details>
        <a class="csv" href={csv} download>
          <Icon name="download" />
          CSV<span class="visually-hidden"> of “{title}”</span>
        </a>
        {sql === undefined ? null : (
          <a class="csv" href={sql}>
            SQL<span class="visually-hidden"> of “{title}”</span>
          </a>
        )}
        <a class="csv" href={toXlsxHref(csv)} download>
          <Icon name="download" />
          XLSX<span class="visually-hidden"> of “{title}”</span>
        </a>
      </figcaption>
    </figure>
  )
}

/** Link to the same table as XLSX. */
export function toXlsxHref(csv: string): string {
  return csv.replace(/\.csv(?=\?|$)/, '.xlsx').replace('format=csv', 'format=xlsx')
}

export function Definitions({ of: keys }: { of: (keyof Metrics)[] }) {
  return (
    <dl class="definitions">
      {keys.map((key) => (
        <div>
          <dt>{metricDefinitions[key].title}</dt>
          <dd>{metricDefinitions[key].definition}</dd>
        </div>
      ))}
    </dl>
  )
}
