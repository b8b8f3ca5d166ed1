/**
 * Applies the filter form as soon as it changes. The old numbers stay (`aria-busy`) until the new ones arrive; then only
 * the parts marked `data-swap` change, so open menus and the focus stay.
 */
import { foldText } from '../../language/fold.ts'
import { announce, say } from './say.ts'

/** The address whose numbers are shown. */
let shown = location.pathname + location.search
let latest: AbortController | null = null
/** Counts down to a load that the reader has chosen. 0: none. */
let timer = 0

export function startFilters(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-filters]')
  if (form === null) return
  const apply = (delayMs: number) => {
    clearTimeout(timer)
    timer = window.setTimeout(() => {
      timer = 0
      void show(addressOf(form), true)
    }, delayMs)
  }
  form.addEventListener('change', (event) => {
    // Ignores half-typed dates: browsers send a change for every part of them.
    const field = event.target as HTMLInputElement
    // The name of a view to save is in the bar, and in another form.
    if (field.form !== form || field.type === 'search') return
    apply(field.type === 'date' ? 600 : 120)
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    openMenus().forEach(close)
    apply(0)
  })
  // Links to a place in the page, too, end here.
  window.addEventListener('popstate', () => {
    if (location.pathname + location.search !== shown) location.reload()
  })
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-keep-place]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void show(new URL(link.href), true)
  })
}

/** The form's address without empty fields. */
function addressOf(form: HTMLFormElement): URL {
  const url = new URL(form.action)
  url.search = ''
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') url.searchParams.append(name, value)
  return url
}

/**
 * Loads an address (or this one again) into the parts that change; the answer says whether they did. `isReading`: the reader has not
 * chosen it, so it announces nothing, and neither replaces what they have chosen nor what they read.
 */
export async function show(url: URL, push: boolean, isReading?: () => boolean): Promise<boolean> {
  const quiet = isReading !== undefined
  const isUnwanted = () => quiet && (timer !== 0 || isReading())
  if (quiet && (latest !== null || isUnwanted())) return false
  latest?.abort()
  const attempt = new AbortController()
  latest = attempt
  const parts = [...document.querySelectorAll<HTMLElement>('[data-swap]')]
  if (!quiet) for (const part of parts) part.ariaBusy = 'true'
  try {
    const response = await fetch(url, { signal: attempt.signal, headers: { accept: 'text/html' } })
    const next = new DOMParser().parseFromString(await response.text(), 'text/html')
    // An error page, or another page: show it whole.
    if (!response.ok || next.querySelector('[data-swap]') === null) {
      if (!quiet) location.assign(url)
      return false
    }
    if (isUnwanted()) return false
    // Only of the keyboard: after a click it would keep numbers from moving.
    const focused = document.querySelector(':focus-visible')
    const findFocus = focused && placeOf(focused)
    if (push) history.pushState(null, '', (shown = url.pathname + url.search))
    for (const part of [...parts, ...document.querySelectorAll<HTMLElement>('[data-follow]')]) {
      const replacement = next.getElementById(part.id)
      if (replacement === null) continue
      const open = [...part.querySelectorAll('details[open]')].map(placeOf)
      part.replaceChildren(...replacement.childNodes)
      for (const find of open) find()?.setAttribute('open', '')
    }
    keepCarried(next)
    if (!quiet) announce(next.querySelector('#results .headline .headline-of')?.textContent ?? say('Done'))
    document.dispatchEvent(new Event('rollcall:swapped'))
    findFocus?.()?.focus({ preventScroll: true })
    return true
  } catch {
    if (!attempt.signal.aborted && !quiet) location.assign(url)
    return false
  } finally {
    if (latest === attempt) {
      latest = null
      for (const part of parts) part.ariaBusy = 'false'
    }
  }
}

/** Hidden fields hold filters without a field; they follow the loaded page. */
function keepCarried(next: Document): void {
  const form = document.querySelector('form[data-filters]')
  if (form === null) return
  for (const field of form.querySelectorAll('input[type=hidden]')) field.remove()
  form.prepend(...next.querySelectorAll('form[data-filters] input[type=hidden]'))
}

/** Finds an element of a part again after a load: the same one of its kind within what has the same id. */
function placeOf(element: Element): () => HTMLElement | undefined {
  const id = element.parentElement?.closest('[id]')?.id ?? ''
  const all = () => [...(document.getElementById(id)?.querySelectorAll<HTMLElement>(element.localName) ?? [])]
  const at = all().indexOf(element as HTMLElement)
  return () => all()[at]
}

/**
 * A menu closes on Escape, on a click elsewhere, and when its one choice is made: a link, a button, or one of several by pointer or
 * Enter. Boxes leave it open, because people tick several. Long lists can be searched, and begin with that.
 */
export function startPickers(): void {
  document.addEventListener('click', (event) => {
    const target = event.target as Element
    const isChoice =
      target.closest('.panel :is(a, .links button, [data-copy-link])') !== null ||
      // Arrow keys, which move through the choices, click them too.
      (target.closest('label')?.querySelector('input[type=radio]') != null &&
        (event as PointerEvent).pointerType !== '')
    for (const menu of openMenus()) if (isChoice || !menu.contains(target)) close(menu)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') openMenus().forEach(close)
  })
  for (const search of document.querySelectorAll<HTMLInputElement>('[data-picker-search]')) {
    const menu = search.closest('details')
    menu?.addEventListener('toggle', () => {
      if (menu.open && document.activeElement?.closest('.panel') == null) search.focus()
    })
    const list = search.closest('.panel')?.querySelector('[data-picker-list]')
    search.addEventListener('input', () => {
      const needle = foldText(search.value.trim())
      const options = [...(list?.querySelectorAll('label') ?? [])]
      for (const option of options) option.hidden = !foldText(option.textContent ?? '').includes(needle)
      const nothing = list?.parentElement?.querySelector<HTMLElement>('[data-picker-nothing]')
      if (nothing) nothing.hidden = options.some((option) => !option.hidden)
    })
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') event.preventDefault()
    })
  }
}

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')]
}

/** If the menu has the focus, its button gets it. */
function close(menu: HTMLDetailsElement): void {
  const hadFocus = menu.contains(document.activeElement)
  menu.open = false
  if (hadFocus) menu.querySelector('summary')?.focus()
}
