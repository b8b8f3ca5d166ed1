/**
 * Shortcuts press elements of the page (`data-key`), so a key does nothing that a click cannot. Readers can switch them
 * off.
 */
const storageKey = 'rollcall.shortcuts'
/** Time limit for the second key after `g`. */
const sequenceMs = 1_200

export function startKeyboard(): void {
  const dialog = document.querySelector<HTMLDialogElement>('#shortcuts')
  const toggle = dialog?.querySelector<HTMLInputElement>('[data-shortcuts-toggle]')
  if (toggle) {
    toggle.checked = areOn()
    toggle.addEventListener('change', () => localStorage.setItem(storageKey, toggle.checked ? 'on' : 'off'))
  }
  document.addEventListener('click', (event) => {
    const id = (event.target as Element).closest<HTMLElement>('[data-open-dialog]')?.dataset.openDialog
    if (id !== undefined) document.querySelector<HTMLDialogElement>(`#${id}`)?.showModal()
    if ((event.target as Element).closest('[data-print]')) window.print()
  })
  // The link of a page that shows a part of its rows.
  if (location.hash === '#print') window.print()

  let pending = ''
  let pendingSince = 0
  document.addEventListener('keydown', (event) => {
    if (isModified(event) || event.isComposing || !areOn()) return
    if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
    const key =
      pending !== '' && event.timeStamp - pendingSince < sequenceMs ? `${pending} ${event.key}` : event.key
    pending = ''
    if (event.key === 'g' && key === 'g') {
      pending = 'g'
      pendingSince = event.timeStamp
      return
    }
    const target = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
    if (target === null) return
    event.preventDefault()
    target.click()
  })
}

/** Some keyboards have `[` and `]` on Alt, or on Ctrl and Alt. */
function isModified({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return metaKey || ((ctrlKey || altKey) && !(altKey && /^[^\p{L}\p{N}]$/u.test(key)))
}

function areOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  )
}
