import type { Child } from 'hono/jsx'
import type { PageFrame } from '../../reporting/metrics/overview.ts'
import type { PageContext } from '../page-context.ts'
import { filtersInWords } from '../scope/filter-words.ts'
import { Chips, FilterBar, type FilterBarProps } from './filter-bar.tsx'
import { Layout } from './layout.tsx'
import { Notices } from './messages.tsx'
import { type Stamped, Stamp } from './stamp.tsx'

type ScopePageProps = Pick<FilterBarProps, 'comparable' | 'own' | 'print'> & {
  context: PageContext
  title: string
  /** The question that the page answers. */
  question: string
  /** How many rows it has, and how often they count. */
  counts?: { total: number; units?: number }
  /** The content above and below the question. Default: nothing. */
  crumb?: Child
  below?: Child
  /** Actions, beside the question. Default: none. */
  tools?: Child
  /** Whether readers can choose filters and files. Default: yes. */
  hasFilters?: boolean
  frame: PageFrame & Pick<Stamped, 'answer'>
  exports: { name: string; href: string }[]
  notices: string[]
  /** Whether its moment can be chosen. Default: yes. */
  hasMoment?: boolean
  /** The content between the filters and the results. Default: nothing. */
  strip?: Child
  /** For paper. Default: the filters in words. */
  printed?: string
  children?: Child
}

/** A page about one scope at one moment: its question, its filters, and its results. */
export function ScopePage(props: ScopePageProps) {
  const {
    context,
    title,
    question,
    counts,
    crumb,
    below,
    frame,
    exports,
    notices,
    hasMoment = true,
    children,
  } = props
  const { comparable, own, print, strip, tools, hasFilters = true } = props
  const { printed = filtersInWords(context.params, context.format, frame.options) } = props
  const { freshness, options } = frame
  const bar = { context, options, exports, print, ...(comparable && { comparable }), ...(own && { own }) }
  return (
    <Layout context={context} title={title} sample={freshness.sample}>
      <PageHead context={context} stamped={frame} tools={tools}>
        {crumb}
        <h1 data-total={counts?.total} data-units={counts?.units}>
          {question}
        </h1>
        {below}
      </PageHead>
      {hasFilters ? (
        <FilterBar {...bar} {...(hasMoment && { moment: frame.answer })} />
      ) : (
        <Chips context={context} options={options} />
      )}
      {printed === '' ? null : <p class="print-only filters-printed">{printed}</p>}
      {strip}
      <div id="results" data-swap>
        <Notices notices={notices} />
        {children}
      </div>
    </Layout>
  )
}

type PageHeadProps = {
  context: PageContext
  /** The moment of the page, and how fresh it is. */
  stamped: Stamped
  /** Beside it. */
  tools?: Child
  /** The heading, and the line above it. */
  children?: Child
}

/** The head of a page about a scope: its subject, of which moment it is, and how fresh. */
function PageHead({ context, stamped, tools, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        {children}
        <div id="stamp" data-swap>
          <Stamp context={context} overview={stamped} />
        </div>
      </div>
      {tools}
    </div>
  )
}
