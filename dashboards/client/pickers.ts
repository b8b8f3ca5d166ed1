/** Menus close on Escape and on a click elsewhere; long lists can be searched. */
export function startPickers(): void {
  document.addEventListener('click', (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target as Node)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of openMenus()) {
      const held = menu.contains(document.activeElement)
      menu.open = false
      if (held) menu.querySelector('summary')?.focus()
    }
  })
  for (const search of document.querySelectorAll<HTMLInputElement>('[data-picker-search]')) {
    const list = search.closest('.panel')?.querySelector('[data-picker-list]')
    search.addEventListener('input', () => {
      const wanted = search.value.trim().toLowerCase()
      for (const option of list?.querySelectorAll('label') ?? []) {
        option.hidden = wanted !== '' && !(option.textContent ?? '').toLowerCase().includes(wanted)
      }
    })
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') event.preventDefault()
    })
  }
}

function openMenus(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')]
}
