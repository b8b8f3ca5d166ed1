/** Letters that people type plainly and that no normal form takes apart. */
export const plainLetters = { from: 'ıłøđħς', to: 'ilodhσ' } as const

/** For finding names, as the statements of the reports do: `reporting/expressions/fold.ts`. */
export function foldText(text: string): string {
  const { from, to } = plainLetters
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ıłøđħς]/g, (letter) => to.charAt(from.indexOf(letter)))
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
}
