import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.ts'
import { rowsHref, type Narrow } from '../scope/page-url.ts'
import type { Format } from '../../language/format.ts'
import { t } from '../../language/translate.ts'

/** The page of the rows behind a number of this page; `null`: there is none, or not for this reader. */
export function rowsOf({ rows }: Pick<PageContext, 'rows'>, narrow: Narrow): string | null {
  return rows === undefined ? null : rowsHref(rows.params, rows.asOf, narrow)
}

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
  const link = n === 0 ? null : rowsOf(context, narrow)
  if (link === null) return <>{shown}</>
  return (
    <a class="count" href={link} data-count={n}>
      {shown}
    </a>
  )
}

type CountCellProps = {
  n: number
  href: string | null
  /** The thing that is counted, for screen readers: "overdue, Ann Lee". */
  what: string
  format: Format
  className?: string | undefined
}

/** A number in a table that leads to its rows. Zero has none; `href` is `null` where no address selects them. */
export function CountCell({ n, href, what, format, className = '' }: CountCellProps) {
  if (n === 0 || href === null)
    return <td class={`number ${n === 0 ? 'zero' : ''} ${className}`}>{format.count(n)}</td>
  return (
    <td class={`number ${className}`}>
      <a class="count" href={href} data-count={href.startsWith('/assignments') ? n : undefined}>
        {format.count(n)}
        <span class="visually-hidden"> {t('{what}: rows', { what })}</span>
      </a>
    </td>
  )
}
