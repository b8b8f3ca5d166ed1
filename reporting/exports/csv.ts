/** CSV that spreadsheets open correctly: UTF-8 with a byte order mark, CRLF, and no cell that a spreadsheet would run. */
export type Cell = string | number | null

const startsFormula = /^[=+\-@\t\r]/

export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${rows.map((row) => row.map(toCell).join(',')).join('\r\n')}\r\n`
}

function toCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const harmless = startsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
