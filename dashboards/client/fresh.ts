/** New data on an open page. Nothing moves under the reader. */
import { show } from './filters.ts'

/** How often a visible page looks for what it waits for, and asks whether data was stored. */
const [pollEveryMs, askEveryMs] = [3_000, 30_000]

const here = () => new URL(location.href)

/** A page that waits for something loads itself again, as long as a part that changes has the mark. */
export function startPoll(): void {
  setInterval(() => {
    if (document.querySelector('[data-poll]') !== null) void show(here(), false, isReading)
  }, pollEveryMs)
}

/**
 * Whether loading parts again would take something from under the reader: the focus, what they ticked, typed or selected, an open menu
 * or window. Or they look elsewhere.
 */
function isReading(): boolean {
  const isChanged = ({ checked, defaultChecked, value, defaultValue }: HTMLInputElement) =>
    checked !== defaultChecked || value !== defaultValue
  return (
    document.hidden ||
    document.activeElement?.closest('[data-swap]') != null ||
    [...document.querySelectorAll<HTMLInputElement>('[data-swap] input')].some(isChanged) ||
    getSelection()?.isCollapsed === false ||
    document.querySelector('dialog[open], details[data-menu][open], .tip:not([hidden])') !== null
  )
}

/** The stamp asks whether data was stored, and offers to show it. */
export function startNews(): void {
  /** The answer for the numbers on the page; `undefined`: not asked since they were loaded. */
  let shown: string | undefined
  const findOffer = () => document.querySelector<HTMLElement>('[data-news]')
  const ask = async () => {
    if (document.hidden || findOffer()?.hidden !== true) return
    const response = await fetch('/news').catch(() => null)
    if (response?.ok !== true) return
    const stored = await response.text()
    shown ??= stored
    const offer = findOffer()
    if (stored !== shown && offer !== null) offer.hidden = false
  }
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-news]') !== null) void show(here(), false)
  })
  document.addEventListener('rollcall:swapped', () => {
    shown = undefined
    void ask()
  })
  setInterval(() => void ask(), askEveryMs)
  void ask()
}
