/** The items of a comma-separated text: long lists of names stay readable. */
export function list(text: string): string[] {
  return text.split(', ')
}
