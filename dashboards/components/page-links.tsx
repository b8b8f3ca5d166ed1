type SegmentsProps = {
  /** The subject of the choice, for screen readers. */
  label: string
  links: { name: string; href: string; isShown: boolean }[]
  /** Whether the page stays where it was scrolled to. Default: no. */
  keepsPlace?: boolean
}

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

/** The way to the page above. */
export const Crumb = ({ to }: { to: { href: string; name: string } | undefined }) =>
  to === undefined ? null : (
    <p class="crumb">
      <a href={to.href}>{to.name}</a>
    </p>
  )
