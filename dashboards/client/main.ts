/** Pages work without this script. It applies filters at once, and makes charts answer to pointer and keys. */
import { startCopy } from './copy.ts'
import { startFilters, startPickers } from './filters.ts'
import { startKeyboard } from './keyboard.ts'
import { startNews, startPoll } from './fresh.ts'
import { startSearch } from './search.ts'
import { startTooltips } from './tooltips.ts'

showWhatWorks()
document.addEventListener('rollcall:swapped', showWhatWorks)
document.documentElement.classList.add('script')

startFilters()
startPickers()
startTooltips()
startKeyboard()
startSearch()
startCopy()
startPoll()
startNews()
startSelectAll()
sendOnce()

/** Shows the elements that work only with this script; also in parts that are loaded later. */
function showWhatWorks(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.needs-script')) element.hidden = false
}

/** A box that ticks all boxes of its list. */
function startSelectAll(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset.selectAll === undefined) return
    for (const box of target.form?.querySelectorAll<HTMLInputElement>('.tick') ?? [])
      box.checked = target.checked
  })
}

/** Sent by a double click, a form would make two tokens, or find the link to set a password used up. */
function sendOnce(): void {
  const doubleClickMs = 1_000
  const sentAt = new WeakMap<HTMLFormElement, number>()
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.method !== 'post') return
    if (event.timeStamp - (sentAt.get(form) ?? -Infinity) < doubleClickMs) event.preventDefault()
    else sentAt.set(form, event.timeStamp)
  })
}
