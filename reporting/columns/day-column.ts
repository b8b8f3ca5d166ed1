/** The calendar days of an instant in a zone, row by row, for all later questions. */
import type { Instant } from '../../schemas/metrics/version.ts'
import { daysIn } from '../../schemas/metrics/calendar.ts'
import { hold, type Columns } from './columns.ts'

/** So many zones and instants have a column; those of the settings are six. */
const mostHeld = 12

/** Days since 1970, within the days that the engine has. */
export async function daysOf(columns: Columns, at: Instant, zone: string): Promise<Uint16Array> {
  const days = daysIn(zone)
  const column = await hold(columns, `day ${at} ${zone}`, mostHeld, () => ({
    values: new Uint16Array(columns.capacity),
    valueOf: (row) => Math.max(0, Math.min(65_535, days.of(columns.values[at][row]!))),
  }))
  return column.values as Uint16Array
}
