import type { Child } from 'hono/jsx'
import { metrics } from '../../schemas/metrics/metrics.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'
import { withChange } from '../scope/page-url.ts'
import { canOpen } from './access.tsx'
import { Icon } from './icon.tsx'
import { t, lookUp } from '../../language/translate.ts'

export type OwnDefinition = { title: string; definition: string }

type FigureHeadProps = { id: string; title: string; finding?: string | undefined; tools?: Child }

export function FigureHead({ id, title, finding, tools }: FigureHeadProps) {
  return (
    <div class="figure-head">
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        {finding === undefined ? null : <p class="finding">{finding}</p>}
      </div>
      {tools}
    </div>
  )
}

type FilesProps = {
  of: string
  /** Link to the same numbers as CSV. Undefined: there are no files. */
  csv: string | undefined
  sql: string | undefined
}

export function FigureFiles({ of, csv, sql }: FilesProps) {
  const link = (name: string, href: string, isDownload: boolean) => (
    <a class="csv" href={href} download={isDownload}>
      {isDownload ? <Icon name="download" /> : null}
      {name}
      <span class="visually-hidden"> {t('of “{title}”', { title: of })}</span>
    </a>
  )
  return (
    <p class="figure-files">
      {csv === undefined ? null : [link('CSV', csv, true), link('XLSX', toXlsxHref(csv), true)]}
      {sql === undefined ? null : link('SQL', sql, false)}
    </p>
  )
}

/** The explanation of a metric with its SQL, for those who can ask in SQL. */
export function explainHref(context: PageContext, metric: keyof Metrics): string | undefined {
  const { rows } = context
  if (rows === undefined || !canOpen(context, '/data')) return undefined
  return `/api/metrics/explain?metric=${metric}&${withChange(rows.params, { as_of: rows.asOf, compare: null, range: null }).toString()}`
}

export function toXlsxHref(csv: string): string {
  return csv.replace(/\.csv(?=\?|$)/, '.xlsx').replace('format=csv', 'format=xlsx')
}

type DefinitionsProps = {
  of: (keyof Metrics)[]
  /** Further definitions, of numbers that are not metrics by themselves. */
  also?: readonly OwnDefinition[] | undefined
  /** What figures above define: it is not printed again. */
  defined?: readonly string[]
}

export function Definitions({ of: keys, also = [], defined = [] }: DefinitionsProps) {
  const classOf = (term: string) => (defined.includes(term) ? 'no-print' : undefined)
  return (
    <dl class="definitions">
      {also.map(({ title, definition }) => (
        <div class={classOf(title)}>
          <dt>{lookUp(title)}</dt>
          <dd>{lookUp(definition)}</dd>
        </div>
      ))}
      {keys.map((key) => (
        <div class={classOf(key)}>
          <dt>
            <a href={`/help#metric-${key}`}>{lookUp(metrics[key].title)}</a>
          </dt>
          <dd>{lookUp(metrics[key].definition)}</dd>
        </div>
      ))}
    </dl>
  )
}
