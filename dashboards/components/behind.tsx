import type { Child, JSX } from 'hono/jsx'
import { isolateText } from '../../language/translate.ts'
import { Icon, type IconName } from './icon.tsx'

type BehindProps = JSX.IntrinsicElements['details'] & {
  summary: Child
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

type MenuProps = {
  id: string
  /** Text follows the page when it is loaded again. */
  label: Child
  /** Opens to the left. Default: to the right. */
  isAtEnd?: boolean
  isActive?: boolean
  /** Of the bar on top of every page. Default: of the filters. */
  isTool?: boolean
  className?: string
  title?: string
  shortcut?: string
  children?: Child
}

/** A panel under its button: `details`, so it opens without a script. */
export function Menu({ id, label, isAtEnd = false, isActive = false, isTool = false, ...more }: MenuProps) {
  const { className = '', title, shortcut, children } = more
  return (
    <details
      class={`menu ${isAtEnd ? 'menu-end' : ''} ${className}`}
      name="filter-menu"
      data-menu
      id={`menu-${id}`}
    >
      <summary class={isTool ? 'tool' : `pill ${isActive ? 'active' : ''}`} title={title} data-key={shortcut}>
        {typeof label === 'string' ? (
          <span id={`label-${id}`} data-swap>
            {isolateText(label)}
          </span>
        ) : (
          label
        )}
        <Icon name="chevron" />
      </summary>
      <div class="panel">{children}</div>
    </details>
  )
}
