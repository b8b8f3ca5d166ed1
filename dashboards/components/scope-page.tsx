import type { Child } from 'hono/jsx'
import type { PageFrame } from '../../reporting/metrics/overview.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { PageContext } from '../page-context.ts'
import { filtersInWords } from '../scope/filter-words.ts'
import { seesRounded } from './access.tsx'
import { CoarseBar } from './coarse-bar.tsx'
import { FilterBar, type FilterBarProps } from './filter-bar.tsx'
import { Layout } from './layout.tsx'
import { PageHead } from './page-head.tsx'
import { Notices } from './messages.tsx'

type ScopePageProps = Pick<FilterBarProps, 'keeps' | 'comparable'> & {
  context: PageContext
  title: string
  /** What the page answers. */
  question: string
  /** What stands above and below the question. Default: nothing. */
  crumb?: Child
  below?: Child
  frame: PageFrame & { answer: Pick<MetricsAnswer, 'as_of' | 'time_zone' | 'due_zone'> }
  exports: { name: string; href: string }[]
  notices: string[]
  /** Whether its moment can be chosen. Default: yes. */
  hasMoment?: boolean
  /** For paper. Default: the filters in words. */
  printed?: string
  children?: Child
}

/** A page about one scope at one moment: its question, what it looks at, and its results. */
export function ScopePage(props: ScopePageProps) {
  const { context, title, question, crumb, below, frame, exports, notices, hasMoment = true, children } = props
  const { keeps, comparable, printed = filtersInWords(context.params, context.format, frame.options) } = props
  const { freshness, options } = frame
  const bar = { context, options, exports, ...(keeps && { keeps }), ...(comparable && { comparable }) }
  return (
    <Layout context={context} title={title} sample={freshness.sample}>
      <PageHead context={context} stamped={frame}>
        {crumb}
        <h1>{question}</h1>
        {below}
      </PageHead>
      {seesRounded(context) ? (
        <CoarseBar {...bar} moment={frame.answer} hasSteps />
      ) : (
        <FilterBar {...bar} {...(hasMoment && { moment: frame.answer })} />
      )}
      <p class="print-only filters-printed">{printed}</p>
      <div id="results" data-swap>
        <Notices notices={notices} />
        {children}
      </div>
    </Layout>
  )
}
