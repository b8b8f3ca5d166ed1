/** The stamp asks every 30 s whether data was stored, and offers to show it. Nothing moves under the reader. */
import { show } from './filters.ts'

const askEveryMs = 30_000

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
    if ((target as Element).closest('[data-news]') !== null) void show(new URL(location.href), false)
  })
  document.addEventListener('rollcall:swapped', () => {
    shown = undefined
    void ask()
  })
  setInterval(() => void ask(), askEveryMs)
  void ask()
}
