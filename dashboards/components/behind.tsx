import type { Child, JSX } from 'hono/jsx'
import { Icon, type IconName } from './icon.tsx'

type BehindProps = JSX.IntrinsicElements['details'] & {
  summary: Child
  /** Its object, for screen readers. */
  of?: string
  icon?: IconName
}

/** Content for readers who ask for it. With the class `secret` it is not on paper. */
export function Behind({ summary, of, icon = 'chevron', children, ...details }: BehindProps) {
  return (
    <details class="behind" {...details}>
      <summary>
        <Icon name={icon} />
        {summary}
        {of === undefined ? null : <span class="visually-hidden"> {of}</span>}
      </summary>
      {children}
    </details>
  )
}
