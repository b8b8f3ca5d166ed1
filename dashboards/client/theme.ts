/** Switches at once, and sets the same cookie as the form, so that the next page has the chosen theme. */
export function startTheme(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-theme-switch]')
  form?.addEventListener('submit', (event) => {
    const button = (event as SubmitEvent).submitter
    if (!(button instanceof HTMLButtonElement)) return
    event.preventDefault()
    document.documentElement.dataset.theme = button.value
    document
      .querySelector('meta[name=color-scheme]')
      ?.setAttribute('content', button.value === 'auto' ? 'light dark' : button.value)
    for (const other of form.querySelectorAll('button')) other.ariaPressed = String(other === button)
    document.cookie = `rollcall_theme=${button.value}; Path=/; SameSite=Lax; Max-Age=34560000`
  })
}
