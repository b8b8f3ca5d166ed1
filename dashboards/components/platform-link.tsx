import { toPlatformHref, type PlatformIds, type PlatformLinks } from '../../services/config/values/platform-links.ts'
import type { PageContext } from '../page-context.ts'
import { t, type Message } from '../../language/translate.ts'

const words: Record<keyof PlatformLinks, Message> = {
  learner: 'Open at the platform',
  assignment: 'Open at the platform',
  grading: 'Grade at the platform',
}

type PlatformLinkProps = { context: PageContext; to: keyof PlatformLinks; ids: PlatformIds; className?: string }

/** A link to the same thing at the platform; nothing where the owner has set no address for it. */
export function PlatformLink({ context: { settings }, to, ids, className }: PlatformLinkProps) {
  const href = toPlatformHref(settings.platformLinks?.[to], ids)
  if (href === null) return null
  return (
    <a class={className} href={href} rel="noreferrer">
      {t(words[to])}
    </a>
  )
}
