import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { Stamp, type Stamped } from './stamp.tsx'

type PageHeadProps = {
  context: PageContext
  /** The moment of the page, and how fresh it is. */
  stamped: Stamped
  /** Beside it. */
  tools?: Child
  /** The heading, and the line above it. */
  children?: Child
}

/** The head of a page without a scope. `children`: in small letters. */
export function PlainHead({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        <p class="stamp">{children}</p>
      </div>
    </div>
  )
}

/** The head of a page about a scope: its subject, of which moment it is, and how fresh. */
export function PageHead({ context, stamped, tools, children }: PageHeadProps) {
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
