/** Menus close on Escape and on a click elsewhere, and begin with their first field; long lists can be searched. */
export function startPickers(): void {
  document.addEventListener('click', (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target as Node)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      const hadFocus = menu.contains(document.activeElement)
      menu.open = false
      if (hadFocus) menu.querySelector('summary')?.focus()
    }
  })
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu]')) {
    menu.addEventListener('toggle', () => {
      // Applying a filter loads parts of the page again and keeps menus open: the focus stays where it is.
      if (!menu.open || menu.contains(document.activeElement?.closest('.panel') ?? null)) return
      menu
        .querySelector<HTMLElement>('.panel input:checked[type=radio], .panel input:not([hidden], [type=date])')
        ?.focus()
    })
  }
  for (const search of document.querySelectorAll<HTMLInputElement>('[data-picker-search]')) {
    const list = search.closest('.panel')?.querySelector('[data-picker-list]')
    search.addEventListener('input', () => {
      const needle = search.value.trim().toLowerCase()
      const options = [...(list?.querySelectorAll('label') ?? [])]
      for (const option of options) option.hidden = !(option.textContent ?? '').toLowerCase().includes(needle)
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
