import type { Child } from 'hono/jsx'
import { metrics } from '../../schemas/metrics/metrics.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'
import { withChange } from '../scope/page-url.ts'
import { canOpen } from './access.tsx'
import { Behind } from './behind.tsx'
import { Icon } from './icon.tsx'
import { t, lookUp } from '../../language/translate.ts'

export type OwnDefinition = { title: string; definition: string }

type FigureProps = {
  id: string
  /** The question that the figure answers. */
  title: string
  /** The answer in one sentence. Undefined: there is none. */
  finding: string | undefined
  defines: (keyof Metrics)[]
  /** Further definitions, of numbers that are not metrics by themselves. */
  also: readonly OwnDefinition[]
  /** What figures above define: it is not printed again. */
  defined: readonly string[]
  /** Link to the same numbers as CSV. Left out: there are no files. */
  csv?: string
  /** Link to the explanation of the first of `defines`, with SQL. Left out where the figure has a scope of its own. */
  sql?: string | undefined
  /** The table of the numbers behind a drawing; a figure that is a table has none. */
  numbers?: Child
  /** Said in place of the content where there is none. */
  empty?: Child
  tools?: Child
  className?: string
  /** Whether its body is closed until somebody opens it. Default: no. */
  folded?: boolean
  children?: Child
}

/** The frame of every figure: a question, a finding, the numbers, definitions, and exports. */
export function Figure(props: FigureProps) {
  const { id, title, finding, defines, also, csv, sql, numbers, tools, empty = null, children } = props
  const { className = '', folded = false, defined } = props
  const body = <div class="figure-body">{empty === null ? children : <p class="empty">{empty}</p>}</div>
  return (
    <figure class={`figure ${className}`} id={id} aria-labelledby={`${id}-title`}>
      <FigureHead id={id} title={title} finding={finding} tools={tools} />
      {folded ? (
        <Behind class="fold" summary={t('Show')} of={t('“{title}”', { title })}>
          {body}
        </Behind>
      ) : (
        body
      )}
      <figcaption class="figure-foot">
        <Behind icon="more" summary={t('More')} of={t('of “{title}”', { title })}>
          <p class="figure-files">
            {csv === undefined ? null : (
              <>
                <File name="CSV" href={csv} of={title} isDownload />
                <File name="XLSX" href={toXlsxHref(csv)} of={title} isDownload />
              </>
            )}
            {sql === undefined ? null : <File name="SQL" href={sql} of={title} />}
          </p>
          <Definitions of={defines} also={also} defined={defined} />
          {numbers}
        </Behind>
      </figcaption>
    </figure>
  )
}

type FigureHeadProps = { id: string; title: string; finding?: string | undefined; tools?: Child }

/** The question of a figure and its answer, and tools beside them. */
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

type FileProps = { name: string; href: string; of: string; isDownload?: boolean }

function File({ name, href, of, isDownload = false }: FileProps) {
  return (
    <a class="csv" href={href} download={isDownload}>
      {isDownload ? <Icon name="download" /> : null}
      {name}
      <span class="visually-hidden"> {t('of “{title}”', { title: of })}</span>
    </a>
  )
}

/** The explanation of a metric with its SQL, for those who can ask in SQL. */
export function explainHref(context: PageContext, metric: keyof Metrics): string | undefined {
  const { rows } = context
  if (rows === undefined || !canOpen(context, '/data')) return undefined
  return `/api/metrics/explain?metric=${metric}&${withChange(rows.params, { as_of: rows.asOf, compare: null, range: null }).toString()}`
}

/** Link to the same table as XLSX. */
export function toXlsxHref(csv: string): string {
  return csv.replace(/\.csv(?=\?|$)/, '.xlsx').replace('format=csv', 'format=xlsx')
}

type DefinitionsProps = { of: (keyof Metrics)[] } & Partial<Pick<FigureProps, 'also' | 'defined'>>

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
