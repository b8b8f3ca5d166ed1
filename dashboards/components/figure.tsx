import type { Child } from 'hono/jsx'
import { metrics } from '../../schemas/metrics/metrics.ts'
import type { Metrics } from '../../schemas/metrics/answer.ts'
import { Icon } from './icon.tsx'
import { t, lookUp } from '../../language/translate.ts'

export type OwnDefinition = { title: string; definition: string }

type FigureProps = {
  id: string
  /** The question that the figure answers. */
  title: string
  /** The answer in one sentence. */
  finding: string
  defines: (keyof Metrics)[]
  /** What else a reader has to know: definitions of numbers that are not metrics by themselves. */
  also?: readonly OwnDefinition[]
  /** Link to the same numbers as CSV. */
  csv: string
  /** Link to the explanation of the first of `defines`, with SQL. Left out where the figure has a scope of its own. */
  sql?: string | undefined
  /** The numbers behind a drawing; a figure that is a table has none. */
  table?: Child
  tools?: Child
  className?: string
  children?: Child
}

/** What every figure has: a question, a finding, the numbers, definitions, and exports. */
export function Figure({
  id,
  title,
  finding,
  defines,
  also = [],
  csv,
  sql,
  table,
  tools,
  className,
  children,
}: FigureProps) {
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
              {t('Numbers')}
              <span class="visually-hidden"> {t('behind “{title}”', { title })}</span>
            </summary>
            <div class="scroll" tabindex={0} role="group" aria-label={t('Numbers behind “{title}”', { title })}>
              {table}
            </div>
          </details>
        )}
        <details class="behind">
          <summary>
            <Icon name="chevron" />
            {t('Definition')}
            <span class="visually-hidden"> {t('of “{title}”', { title })}</span>
          </summary>
          <Definitions of={defines} also={also} />
        </details>
        <a class="csv" href={csv} download>
          <Icon name="download" />
          {t('CSV')}
          <span class="visually-hidden"> {t('of “{title}”', { title })}</span>
        </a>
        {sql === undefined ? null : (
          <a class="csv" href={sql}>
            {t('SQL')}
            <span class="visually-hidden"> {t('of “{title}”', { title })}</span>
          </a>
        )}
        <a class="csv" href={toXlsxHref(csv)} download>
          <Icon name="download" />
          {t('XLSX')}
          <span class="visually-hidden"> {t('of “{title}”', { title })}</span>
        </a>
        {table === undefined ? null : <CopyChart title={title} />}
      </figcaption>
    </figure>
  )
}

/** Where there is a table behind it there is a drawing. */
function CopyChart({ title }: { title: string }) {
  return (
    <span class="copy-chart needs-script" hidden>
      {t('Copy')}
      {(['png', 'svg', 'link'] as const).map((kind) => (
        <button type="button" class="csv" data-copy-chart={kind}>
          {kind === 'link' ? t('link') : kind.toUpperCase()}
          <span class="visually-hidden"> {t('of “{title}”', { title })}</span>
        </button>
      ))}
    </span>
  )
}

/** Link to the same table as XLSX. */
export function toXlsxHref(csv: string): string {
  return csv.replace(/\.csv(?=\?|$)/, '.xlsx').replace('format=csv', 'format=xlsx')
}

export function Definitions({ of: keys, also = [] }: { of: (keyof Metrics)[]; also?: readonly OwnDefinition[] }) {
  return (
    <dl class="definitions">
      {also.map(({ title, definition }) => (
        <div>
          <dt>{lookUp(title)}</dt>
          <dd>{lookUp(definition)}</dd>
        </div>
      ))}
      {keys.map((key) => (
        <div>
          <dt>
            <a href={`/help#metric-${key}`}>{lookUp(metrics[key].title)}</a>
          </dt>
          <dd>{lookUp(metrics[key].definition)}</dd>
        </div>
      ))}
    </dl>
  )
}
