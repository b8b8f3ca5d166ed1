import type { Format } from '../../language/format.ts'
import { t } from '../../language/translate.ts'

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
  if (n === 0 || href === null) return <td class={`number ${n === 0 ? 'zero' : ''} ${className}`}>{format.count(n)}</td>
  return (
    <td class={`number ${className}`}>
      <a class="count" href={href} data-count={href.startsWith('/assignments') ? n : undefined}>
        {format.count(n)}
        <span class="visually-hidden"> {t('{what}: rows', { what })}</span>
      </a>
    </td>
  )
}
