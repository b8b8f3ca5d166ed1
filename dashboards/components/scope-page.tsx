import type { Child } from 'hono/jsx'
import type { PageMoment } from '../../reporting/queries/page-frame.ts'
import type { PageContext } from '../page-context.ts'
import { filtersInWords } from '../scope/filter-words.ts'
import { FilterBar } from './filter-bar.tsx'
import { Layout } from './layout.tsx'
import { PageHead } from './page-head.tsx'
import { Notices } from './messages.tsx'

type ScopePageProps = {
  context: PageContext
  title: string
  /** What the page answers. */
  question: string
  frame: PageMoment
  exports: { name: string; href: string }[]
  notices: string[]
  /** Whether its moment can be chosen. Default: yes. */
  hasMoment?: boolean
  children?: Child
}

/** A page about one scope at one moment: its question, what it looks at, and its results. */
export function ScopePage(props: ScopePageProps) {
  const { context, title, question, frame, exports, notices, hasMoment = true, children } = props
  const { freshness, options } = frame
  return (
    <Layout context={context} title={title} sample={freshness.sample}>
      <PageHead context={context} stamped={frame}>
        <h1>{question}</h1>
      </PageHead>
      <FilterBar context={context} options={options} exports={exports} {...(hasMoment && { moment: frame.answer })} />
      <p class="print-only filters-printed">{filtersInWords(context.params, context.format, options)}</p>
      <div id="results" data-swap>
        <Notices notices={notices} />
        {children}
      </div>
    </Layout>
  )
}
