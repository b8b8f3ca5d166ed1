/** Texts of one line that people write: names and notes. */
export function toPlainText(text: string): string {
  return text.trim().replace(/\s+/g, ' ').normalize('NFC')
}

/** Without control characters and characters that change the direction or hide. */
export function isPlainText(text: string, longest: number): boolean {
  return text !== '' && text.length <= longest && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(text)
}
