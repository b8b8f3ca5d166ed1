import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { Layout } from './layout.tsx'
import { Outcome, type OutcomeProps } from './messages.tsx'

type PlainPageProps = OutcomeProps & {
  context: PageContext
  title: string
  /** Default: the title. */
  heading?: string
  /** The way back above the heading, and the purpose of the page. */
  crumb?: Child
  lead?: Child
  sample?: boolean
  children?: Child
}

/** A page of forms and lists. */
export function PlainPage(props: PlainPageProps) {
  const { context, title, heading = title, crumb, lead, says, problem, sample = false, children } = props
  return (
    <Layout context={context} title={title} sample={sample}>
      <div class="access">
        {crumb}
        <h1>{heading}</h1>
        {lead === undefined ? null : <p class="quiet">{lead}</p>}
        <Outcome says={says} problem={problem} />
        {children}
      </div>
    </Layout>
  )
}
