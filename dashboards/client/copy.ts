/** Copies the address of the page, or the text of an element. Where the clipboard is not available (plain http), text is selected. */
import { say, sayOn } from './say.ts'

export function startCopy(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-copy], [data-copy-link]')
    const { copy = '', copyLink } = button?.dataset ?? {}
    const source = document.getElementById(copy)
    if (button === null) return
    // Without the moment of a number that led here.
    const text = copyLink === undefined ? source?.textContent : new URL(copyLink, location.href).href
    if (text != null) void copyText(button, text, source)
  })
}

async function copyText(button: HTMLElement, text: string, source: HTMLElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    sayOn(button, say('Copied'))
  } catch {
    // Without an element to select, the address bar has the link.
    if (source === null) return sayOn(button, say('This could not be copied'))
    // Nothing can be selected in what is closed.
    source.closest('details')?.setAttribute('open', '')
    getSelection()?.selectAllChildren(source)
    sayOn(button, say('Selected'), say('Selected: copy it with the keyboard'))
  }
}
