/** A table of a page as a sheet: heads in words, and numbers as numbers. */
import { instantColumns } from '../../schemas/metrics/columns.ts'
import { columnHead } from './column-heads.ts'
import type { Cell } from './csv.ts'
import { createWallClock, toXlsxStream, type SheetCell, type SheetColumn } from './xlsx.ts'

const dayMs = 86_400_000
const shares = ['completion_rate', 'on_time_rate', 'on_time_rate_4_weeks_before']
const dates = ['period_start', 'day']
const instants: readonly string[] = [...instantColumns, 'due_before', 'due_after', 'changed_at', 'as_of']

type TableSheet = { what: string; about: string; timeZone: string; sample: boolean }

/** `rows`: the first one names the columns. */
export function toTableXlsx([names = [], ...rows]: Cell[][], { what, about, timeZone, sample }: TableSheet) {
  const kinds = names.map((name) => kindOf(String(name)))
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
        return {
          header: kind === 'instant' ? `${header} (${timeZone})` : header,
          ...(kind !== undefined && { kind }),
        }
      }),
    },
  )
}

/** By the name of the column: ids and names may look like a date. */
function kindOf(name: string): SheetColumn['kind'] {
  if (name.endsWith('_ms')) return 'days'
  if (shares.includes(name)) return 'percent'
  if (dates.includes(name)) return 'date'
  return instants.includes(name) ? 'instant' : undefined
}
