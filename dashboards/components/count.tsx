import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { rowsHref, type Narrow } from '../scope/page-url.ts'

type CountProps = {
  context: PageContext
  n: number
  /** The part of the page's scope that is counted. */
  narrow: Narrow
  /** The content of the link. Default: the number. */
  children?: Child
}

/** A number of assignments, as a link to the rows that make it. Nothing has no rows, so zero is not a link. */
export function Count({ context, n, narrow, children }: CountProps) {
  const shown = children ?? context.format.count(n)
  const link = n === 0 || context.rows === undefined ? null : rowsHref(context.rows.params, context.rows.asOf, narrow)
  if (link === null) return <>{shown}</>
  return (
    <a class="count" href={link} data-count={n}>
      {shown}
    </a>
  )
}
