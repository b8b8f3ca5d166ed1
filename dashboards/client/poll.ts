import { show } from './filters.ts'

/** How often a visible page looks for what it waits for. */
const pollEveryMs = 3_000

/**
 * For pages that wait for something: as long as a part that changes has the mark. Never while the reader has the focus in a part, has
 * ticked or typed something there, has selected text, has a menu or a window open, or looks elsewhere.
 */
export function startPoll(): void {
  setInterval(() => {
    if (document.querySelector('[data-poll]') !== null) void show(new URL(location.href), false, isReading)
  }, pollEveryMs)
}

/** Whether loading parts again would take something from under the reader. */
function isReading(): boolean {
  const selection = getSelection()
  return (
    document.hidden ||
    document.activeElement?.closest('[data-swap]') != null ||
    [...document.querySelectorAll<HTMLInputElement>('[data-swap] input')].some(isChanged) ||
    (selection !== null && !selection.isCollapsed) ||
    document.querySelector('dialog[open], details[data-menu][open], .tip:not([hidden])') !== null
  )
}

function isChanged({ checked, defaultChecked, value, defaultValue }: HTMLInputElement): boolean {
  return checked !== defaultChecked || value !== defaultValue
}
