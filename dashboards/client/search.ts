/**
 * The search window: results of the search page as one types, arrow keys to go through them, Enter for the first. `/` presses the link
 * of the search; Ctrl-K and Cmd-K are for everywhere, also within a field.
 */
import { announce, say } from './say.ts'

const waitMs = 120

export function startSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#search')
  const field = dialog?.querySelector<HTMLInputElement>('input[type=search]')
  const list = dialog?.querySelector<HTMLElement>('[data-found]')
  const failed = dialog?.querySelector<HTMLElement>('[data-failed-search]')
  if (!dialog || !field || !list || !failed) return
  let latest: AbortController | null = null
  let timer = 0

  const open = () => {
    if (!dialog.open) dialog.showModal()
    field.select()
    if (list.childElementCount === 0) void look()
  }
  /** Whether the list is now that of the text in the field. */
  const look = async (): Promise<boolean> => {
    latest?.abort()
    const { signal } = (latest = new AbortController())
    try {
      // With the filters and the moment of the page as it is now.
      const link = document.querySelector<HTMLAnchorElement>('[data-search]')
      const page = new URL(link?.href ?? '/search', location.href)
      page.searchParams.set('q', field.value)
      const response = await fetch(page, { signal, headers: { accept: 'text/html' } })
      const results = new DOMParser()
        .parseFromString(await response.text(), 'text/html')
        .querySelector('#found')
      if (!response.ok || results === null) throw new Error('no results')
      failed.hidden = true
      list.replaceChildren(...results.childNodes)
      const hits = list.querySelectorAll('li').length
      if (field.value !== '') announce(hits === 0 ? say('Nothing found') : say('{n} found', { n: hits }))
      return true
    } catch {
      // Stopped by the next letter, or it failed.
      failed.hidden &&= signal.aborted
      if (!signal.aborted) announce(failed.textContent)
      return false
    }
  }

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('[data-search]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    open()
  })
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return
    event.preventDefault()
    open()
  })
  field.addEventListener('input', () => {
    clearTimeout(timer)
    // No result stays that is not of this text.
    latest?.abort()
    list.replaceChildren()
    timer = window.setTimeout(() => void look(), waitMs)
  })
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    clearTimeout(timer)
    void look().then((isDone) => isDone && list.querySelector<HTMLAnchorElement>('a')?.click())
  })
  dialog.addEventListener('keydown', (event) => {
    // The field would only empty itself.
    if (event.key === 'Escape') dialog.close()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const stops = [field, ...list.querySelectorAll<HTMLElement>('a')]
    const at = stops.indexOf(document.activeElement as HTMLElement)
    stops[(at + step + stops.length) % stops.length]?.focus()
  })
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
}
