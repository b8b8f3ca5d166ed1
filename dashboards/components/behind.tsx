import type { Child } from 'hono/jsx'
import { Icon } from './icon.tsx'

type BehindProps = { summary: Child; id?: string; isOpen?: boolean; isSecret?: boolean; children?: Child }

/** Content for readers who ask for it. `isSecret`: not on paper. */
export function Behind({ summary, id, isOpen, isSecret = false, children }: BehindProps) {
  return (
    <details class={isSecret ? 'behind secret' : 'behind'} id={id} open={isOpen}>
      <summary>
        <Icon name="chevron" />
        {summary}
      </summary>
      {children}
    </details>
  )
}
