/** The items of a text in which commas separate them: long lists of names stay readable. */
export function list(text: string): string[] {
  return text.split(', ')
}
