/** The words of scripts, in the language of the page, which brings them along where they are not English. */
const words = JSON.parse(document.body.dataset['words'] ?? '{}') as Record<string, string>

export function say(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

const saidMs = 2_000

/** Says it, and on the button for a while. */
export function sayOn(button: HTMLElement, words: string, spoken = words): void {
  announce(spoken)
  const label = [...button.childNodes].find((node) => node instanceof Text)
  if (label === undefined || button.dataset['said'] !== undefined) return
  const before = label.data
  button.dataset['said'] = ''
  label.data = words
  setTimeout(() => {
    label.data = before
    delete button.dataset['said']
  }, saidMs)
}

export function announce(text: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer !== null) announcer.textContent = text
}
