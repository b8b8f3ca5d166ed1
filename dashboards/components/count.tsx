import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { rowsHref, type Narrow } from '../scope/page-url.ts'

/** The page of the rows behind a number of this page; `null`: there is none, or not for this reader. */
export function rowsOf({ rows }: Pick<PageContext, 'rows'>, narrow: Narrow): string | null {
  return rows === undefined ? null : rowsHref(rows.params, rows.asOf, narrow)
}

type CountProps = {
  context: PageContext
  n: number
  /** The part of the page's scope that is counted. */
  narrow: Narrow
  children?: Child
}

/** A number of assignments, as a link to the rows that make it. Nothing has no rows, so zero is not a link. */
export function Count({ context, n, narrow, children }: CountProps) {
  const shown = children ?? context.format.count(n)
  const link = n === 0 ? null : rowsOf(context, narrow)
  if (link === null) return <>{shown}</>
  return (
    <a class="count" href={link} data-count={n}>
      {shown}
    </a>
  )
}
