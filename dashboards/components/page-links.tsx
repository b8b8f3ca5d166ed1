import { t } from '../../language/translate.ts'
import type { Child } from 'hono/jsx'

type PageLinksProps = {
  /** The name of the list. */
  label: string
  /** Each is left out where there is none. */
  first?: string | null
  previous?: string | null
  next?: string | null
  children?: Child
}

/** The ways through a list that is longer than a page. `children`: the content before and after them. */
export function PageLinks({ label, first, previous, next, children }: PageLinksProps) {
  const ways = [
    { to: first, rel: undefined, name: t('First') },
    { to: previous, rel: 'prev', name: t('Previous') },
    { to: next, rel: 'next', name: t('Next') },
  ]
  return (
    <nav class="pages" aria-label={label}>
      {children}
      {ways.map(({ to, rel, name }) =>
        to == null ? null : (
          <a class="pill" href={to} rel={rel}>
            {name}
          </a>
        ),
      )}
    </nav>
  )
}
