import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { Stamp, type Stamped } from './stamp.tsx'
import { WeekSteps } from './week-steps.tsx'

type PageHeadProps = {
  context: PageContext
  /** The moment of the page, and how fresh it is. */
  stamped: Stamped
  /** Whether it offers the same a week earlier or later. Default: no. */
  hasSteps?: boolean
  /** The heading, and what stands above it. */
  children?: Child
}

/** The head of a page about a scope: what it is about, of which moment, and how fresh. */
export function PageHead({ context, stamped, hasSteps = false, children }: PageHeadProps) {
  const { as_of: asOf, time_zone: timeZone } = stamped.answer
  return (
    <div class="page-head">
      <div>
        {children}
        <div id="stamp" data-swap>
          <Stamp context={context} overview={stamped} />
        </div>
      </div>
      {hasSteps ? (
        <div id="steps" data-swap>
          <WeekSteps context={context} asOf={asOf} timeZone={timeZone} />
        </div>
      ) : null}
    </div>
  )
}
