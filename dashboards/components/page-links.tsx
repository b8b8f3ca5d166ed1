import { t } from '../../language/translate.ts'
import type { Child } from 'hono/jsx'

type PageLinksProps = {
  /** The name of the list. */
  label: string
  /** Each is left out where there is none. */
  first?: string | null
  previous?: string | null
  next?: string | null
  all?: string | null
  children?: Child
}

/** The ways through a list that is longer than a page. `children`: the content before and after them. */
export function PageLinks({ label, first, previous, next, all, children }: PageLinksProps) {
  const ways = [
    { to: first, rel: undefined, name: t('First') },
    { to: previous, rel: 'prev', name: t('Previous') },
    { to: next, rel: 'next', name: t('Next') },
    { to: all, rel: undefined, name: t('Show all') },
  ]
  if (children === undefined && ways.every(({ to }) => to == null)) return null
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

type SegmentsProps = {
  /** The subject of the choice, for screen readers. */
  label: string
  links: { name: string; href: string; isShown: boolean }[]
  /** Whether the page stays where it was scrolled to. Default: no. */
  keepsPlace?: boolean
}

/** Links of which one is shown. */
export function Segments({ label, links, keepsPlace }: SegmentsProps) {
  return (
    <nav class="segments" aria-label={label}>
      {links.map(({ name, href, isShown }) => (
        <a href={href} aria-current={isShown ? 'true' : undefined} data-keep-place={keepsPlace}>
          {name}
        </a>
      ))}
    </nav>
  )
}
