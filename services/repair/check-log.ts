/** Reads all of a log and names the records that it does not give any more. Changes nothing; the log may be in use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { readKeptOffsets, readStoredThrough } from '../event-log/local/position.ts'
import { openRows } from '../event-log/local/rows.ts'
import { openLocalDatabase, toRepaired } from '../event-log/local/table.ts'
import { ignoreDamage, isDamage } from '../event-log/local/damage/error.ts'
import { createGapFinder } from '../event-log/local/damage/gaps.ts'
import { countLost, readLosses } from '../event-log/local/damage/losses.ts'

export type LogCheck = ReturnType<typeof createCheck>

const recordsPerStep = 1_000
const maxFindings = 20

export function checkLocalLog(directory: string): LogCheck | undefined {
  if (!existsSync(join(directory, 'log.sqlite')) && !existsSync(toRepaired(directory))) return undefined
  const check = createCheck()
  const losses = readLosses(directory)
  check.lost = countLost(losses)
  try {
    const database = openLocalDatabase(directory)
    try {
      database.exec('PRAGMA query_only = ON')
      const rows = openRows(database, directory)
      const offsets = readKeptOffsets(directory)
      const begin = Math.max(readStoredThrough(directory), offsets?.first ?? 0)
      const gaps = createGapFinder(directory, begin > 0 || offsets !== undefined ? begin : undefined)
      for (let from = 0; ;) {
        const end = Math.max(ignoreDamage(rows.endOffset) ?? 0, readKeptOffsets(directory)?.next ?? 0)
        const slice = rows.read(from, recordsPerStep)
        for (const { from: first, through } of gaps.find(slice, from, end)) {
          check.missing += through + 1 - first - countLost(losses, first, through + 1)
        }
        const damaged = slice.records.filter(({ isDamaged }) => isDamaged).length
        check.damaged += damaged
        check.readable += slice.records.length - damaged
        check.unreadable += slice.unreadable.length
        if (slice.isEnd) break
        from = slice.next
      }
      check.structure = checkStructure(database)
    } finally {
      database.close()
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    check.broken = (error as Error).message
  }
  return check
}

function createCheck() {
  return {
    /** Records that are as they were written. */
    readable: 0,
    /** Their bodies are not as received. */
    damaged: 0,
    /** Offsets of which there is a row that cannot be read. */
    unreadable: 0,
    /** Offsets of which there is no row, not counting those whose loss is noted. */
    missing: 0,
    /** Lost for good: noted by the reader or by a repair. */
    lost: 0,
    /** Set where the file cannot be opened, or not be read to its end. */
    broken: undefined as string | undefined,
    /** Errors that SQLite finds in its own structures. */
    structure: [] as string[],
  }
}

function checkStructure(database: DatabaseSync): string[] {
  try {
    const problems = database.prepare(`PRAGMA quick_check(${maxFindings})`).all() as { quick_check: string }[]
    return problems.map((row) => row.quick_check).filter((words) => words !== 'ok')
  } catch (error) {
    if (!isDamage(error)) throw error
    return [(error as Error).message]
  }
}

export function isWhole({ damaged, unreadable, missing, broken, structure }: LogCheck): boolean {
  return damaged + unreadable + missing + structure.length === 0 && broken === undefined
}
