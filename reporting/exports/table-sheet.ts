/** A table of a page as a sheet: heads in words, and numbers as numbers. */
import { columnHead } from './column-heads.ts'
import type { Cell } from './csv.ts'
import { createWallClock } from './assignment-rows.ts'
import { toXlsxStream, type SheetCell, type SheetColumn } from './xlsx.ts'

const dayMs = 86_400_000
const shares = ['completion_rate', 'on_time_rate', 'on_time_rate_4_weeks_before', 'expected', 'at_least', 'at_most']

export type TableSheet = { what: string; about: string; timeZone: string; sample: boolean }

/** `rows`: the first one names the columns. */
export function toTableXlsx([names = [], ...rows]: Cell[][], { what, about, timeZone, sample }: TableSheet) {
  const kinds = names.map((name, index) =>
    kindOf(
      String(name),
      rows.map((row) => row[index]).filter((cell) => cell !== null && cell !== ''),
    ),
  )
  const toWallClock = createWallClock(timeZone)
  const toSheetCell = (cell: Cell, index: number): SheetCell => {
    const kind = kinds[index]
    if (cell === null || cell === '' || kind === undefined || kind === 'percent') return cell
    if (kind === 'days') return Number(cell) / dayMs
    return kind === 'date' ? new Date(cell) : toWallClock(Date.parse(String(cell)))
  }
  return toXlsxStream(
    rows.map((row) => row.map(toSheetCell)),
    {
      // As long as spreadsheets allow.
      name: (sample ? `SAMPLE DATA, ${what}` : what).slice(0, 31),
      about,
      columns: names.map((name, index) => {
        const kind = kinds[index]
        const header = columnHead(String(name))
        return { header: kind === 'instant' ? `${header} (${timeZone})` : header, ...(kind !== undefined && { kind }) }
      }),
    },
  )
}

function kindOf(name: string, cells: readonly unknown[]): SheetColumn['kind'] {
  if (name.endsWith('_ms')) return 'days'
  if (shares.includes(name)) return 'percent'
  const areAll = (pattern: RegExp) => cells.length > 0 && cells.every((cell) => pattern.test(String(cell)))
  if (areAll(/^\d{4}-\d{2}-\d{2}$/)) return 'date'
  return areAll(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) ? 'instant' : undefined
}
