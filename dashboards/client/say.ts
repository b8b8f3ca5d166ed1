/** What scripts say, in the language of the page, which brings the words along where they are not English. */
const words = JSON.parse(document.body.dataset['words'] ?? '{}') as Record<string, string>

export function say(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

export function announce(text: string): void {
  const announcer = document.getElementById('announcer')
  if (announcer !== null) announcer.textContent = text
}
