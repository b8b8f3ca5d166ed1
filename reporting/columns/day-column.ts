/** Calendar days of an instant of each row in a zone, as a column that is kept with the others. */
import type { Instant } from '../../schemas/metrics/version.ts'
import { daysIn, type Days } from '../../schemas/metrics/calendar.ts'
import { hold, type Columns, type Derived } from './columns.ts'

/** So many zones and instants have a column; those of the settings are six. */
const mostHeld = 12

export async function daysOf(columns: Columns, at: Instant, zone: string): Promise<Uint16Array> {
  const column = await hold(columns, `day ${at} ${zone}`, mostHeld, () => new DayColumn(columns, at, zone))
  return column.of
}

/** Days since 1970, within the days that the engine has. */
class DayColumn implements Derived {
  of: Uint16Array
  private readonly columns: Columns
  private readonly at: Instant
  private readonly days: Days
  constructor(columns: Columns, at: Instant, zone: string) {
    this.columns = columns
    this.at = at
    this.days = daysIn(zone)
    this.of = new Uint16Array(columns.capacity)
  }

  write(row: number): void {
    this.of[row] = Math.max(0, Math.min(65_535, this.days.of(this.columns.at[this.at][row]!)))
  }

  move(row: number, from: number): void {
    this.of[row] = this.of[from]!
  }

  grow(capacity: number): void {
    const grown = new Uint16Array(capacity)
    grown.set(this.of)
    this.of = grown
  }
}
