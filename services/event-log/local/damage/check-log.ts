/** Reads all of a log and says what it does not give any more. Changes nothing; the log may be in use. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openRows } from '../rows.ts'
import { openLocalDatabase, toRepaired } from '../table.ts'
import { isDamage } from './error.ts'
import { countLost, readLosses } from './losses.ts'

export type LogCheck = {
  /** Records that are what was written. */
  readable: number
  /** Their bodies are not what was received. */
  damaged: number
  /** Offsets of which there is a row that cannot be read. */
  unreadable: number
  /** Lost for good: noted by the reader or by a repair. */
  lost: number
  /** Set where the file cannot be opened, or not be read to its end. */
  broken?: string
  /** What SQLite finds wrong with its own structures. */
  structure: string[]
}

const recordsPerStep = 1_000
const maxFindings = 20

export function checkLocalLog(directory: string): LogCheck | undefined {
  if (!existsSync(join(directory, 'log.sqlite')) && !existsSync(toRepaired(directory))) return undefined
  const check: LogCheck = {
    readable: 0,
    damaged: 0,
    unreadable: 0,
    lost: countLost(readLosses(directory)),
    structure: [],
  }
  try {
    const database = openLocalDatabase(directory)
    try {
      database.exec('PRAGMA query_only = ON')
      const rows = openRows(database, directory)
      for (let from = 0; ;) {
        const slice = rows.read(from, recordsPerStep)
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

function checkStructure(database: DatabaseSync): string[] {
  try {
    const found = database.prepare(`PRAGMA quick_check(${maxFindings})`).all() as { quick_check: string }[]
    return found.map((row) => row.quick_check).filter((words) => words !== 'ok')
  } catch (error) {
    if (!isDamage(error)) throw error
    return [(error as Error).message]
  }
}

export function isWhole({ damaged, unreadable, broken, structure }: LogCheck): boolean {
  return damaged + unreadable + structure.length === 0 && broken === undefined
}
