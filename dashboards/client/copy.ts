import { say, sayOn } from './say.ts'

/** Copies the text of the element that the button names; selects it where the clipboard is not available (plain http). */
export function startCopy(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]')
    const source = document.getElementById(button?.dataset.copy ?? '')
    if (button === null || source === null) return
    void copy(source).then((copied) => {
      if (copied) sayOn(button, say('Copied'))
      else sayOn(button, say('Selected'), say('Selected: copy it with the keyboard'))
    })
  })
}

async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return false
  }
}
