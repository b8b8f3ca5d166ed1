/** CSV that spreadsheets open correctly: UTF-8 with a byte order mark, CRLF, and no cell that a spreadsheet would run. */
export type Cell = string | number | null

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and where one that takes semicolons for commas, as a German one does,
 * sees the start of one. The last four are the full-width forms, which some take for the others.
 */
const formula = /^(?=[\t\r])|(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?<=(?:^|[;\t\r\n])[ "]*)/

/** One of more digits than a number keeps comes as text. */
const negativeNumber = /^-\d+(\.\d+)?$/

export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${rows.map((row) => row.map(toText).join(',')).join('\r\n')}\r\n`
}

/** The same, written while the rows are read. */
export async function* toCsvChunks(tables: AsyncIterable<readonly Cell[][]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let isFirst = true
  for await (const rows of tables) {
    if (rows.length === 0) continue
    // Only the start of the file has the byte order mark.
    yield encoder.encode(isFirst ? toCsv(rows) : toCsv(rows).slice(1))
    isFirst = false
  }
}

export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(String).join('; ')
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
}

function toText(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const harmless =
    formula.test(value) && !negativeNumber.test(value)
      ? value.replaceAll(new RegExp(formula, 'g'), "'")
      : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
