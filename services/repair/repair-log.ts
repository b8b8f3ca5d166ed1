/**
 * Builds a log of everything that a damaged one still holds, and puts it in its place. The damaged one is kept beside it.
 * Needs the log for itself. May be stopped anywhere: until the last step the damaged log stays what it was.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openLocalLock } from '../event-log/local/lock.ts'
import {
  openKeptOffsets,
  readKeptOffsets,
  readOffsetFloor,
  readStoredThrough,
  type KeptOffsets,
} from '../event-log/local/position.ts'
import { inTransaction, isExact, prepareInsert, type Row, sizeOf, toRecord } from '../event-log/local/row.ts'
import { openLocalDatabase, syncDirectory, toRepaired } from '../event-log/local/table.ts'
import { closeGaps } from '../event-log/local/damage/gaps.ts'
import { addLosses, countLost, readLosses, type Loss } from '../event-log/local/damage/losses.ts'
import { openPages, type Cell } from '../event-log/local/damage/pages.ts'

export type LogRepair = {
  /** Records that are in the new log, and those of them whose bodies are not as received. */
  kept: number
  damaged: number
  /** Acknowledged, not stored and gone. */
  lost: number
  /** Passed over as lost before, and read now: they are in the new log once more, where the reader has not been yet. */
  foundAgain: number
  /** Where the damaged log is now. */
  asideIn: string
}

type FoundRow = { offset: number; cell: Cell; isDamaged: boolean }

const recordsPerCommit = 1_000
/** Kept beside the file of the log; the last one by ingest. */
const besideLog = ['stored-through.txt', 'offset-floor.txt', 'acknowledged.txt']

export function repairLocalLog(directory: string, now: Date, shrinks: boolean): LogRepair {
  finishSwap(directory)
  const locks = [openLocalLock(directory, 'writer')]
  try {
    locks.push(openLocalLock(directory, 'reader'))
    return repair(directory, now, shrinks)
  } finally {
    for (const lock of locks) lock.close()
  }
}

function repair(directory: string, now: Date, shrinks: boolean): LogRepair {
  const repaired = toRepaired(directory)
  const building = `${directory}.building`
  rmSync(building, { recursive: true, force: true })
  mkdirSync(building, { recursive: true, mode: 0o700 })
  const pages = openPages(directory)
  try {
    const offsets = readKeptOffsets(directory)
    const intact = findRows(pages, offsets)
    const end = (intact.at(-1)?.offset ?? -1) + 1
    const stored = readStoredThrough(directory)
    const next = Math.max(end, offsets?.next ?? 0, stored, readOffsetFloor(directory))
    const losses = noteGaps(directory, building, intact, next, now)
    const lossesBefore = readLosses(directory)
    const again = intact.filter(({ offset }) => offset < stored && countLost(lossesBefore, offset, offset + 1) > 0)
    const rows = [...intact, ...again.map((row, index) => ({ ...row, offset: next + index }))]
    for (const name of besideLog) {
      if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(building, name))
    }
    writeRows(building, pages, rows, next + again.length, shrinks)
    const offsetFile = openKeptOffsets(building)
    offsetFile.write({ first: offsets?.first ?? intact[0]?.offset ?? next, next: next + again.length })
    offsetFile.close()
    renameSync(building, repaired)
    const asideIn = `${directory}.damaged-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
    renameSync(directory, asideIn)
    finishSwap(directory)
    return {
      kept: intact.length,
      damaged: intact.filter(({ isDamaged }) => isDamaged).length,
      lost: countLost(losses),
      foundAgain: again.length,
      asideIn,
    }
  } finally {
    pages.close()
  }
}

/** The last step, also of a repair that was stopped before it. */
function finishSwap(directory: string): void {
  if (existsSync(join(directory, 'log.sqlite')) || !existsSync(toRepaired(directory))) return
  // A start that was refused meanwhile has made the directory again, and locks in it.
  if (existsSync(directory)) {
    for (const role of ['writer', 'reader']) rmSync(join(directory, `${role}.lock`), { force: true })
    rmdirSync(directory)
  }
  renameSync(toRepaired(directory), directory)
  syncDirectory(dirname(directory))
}

/** By offset; of several rows for one offset the newest of those that are most like the written one. */
function findRows(pages: ReturnType<typeof openPages>, range: KeptOffsets | undefined): FoundRow[] {
  const byOffset = new Map<number, FoundRow & { trust: number }>()
  for (const { cell, row } of pages.rows()) {
    const record = toRecord(row)
    if (record === undefined) continue
    const { offset, isDamaged = false } = record
    // Any page may look as if there were rows in it; only a checksum tells, or the id, which is one of the body.
    const trust = isDamaged ? 0 : isExact(row, record) ? 2 : 1
    if (trust < (byOffset.get(offset)?.trust ?? 0)) continue
    // Past the known end, only a checksum shows that a row belongs to this log.
    const isKnown = range === undefined || (offset >= range.first && (offset < range.next || trust === 2))
    if (isKnown) byOffset.set(offset, { offset, cell, isDamaged, trust })
  }
  const rows = [...byOffset.values()].toSorted((a, b) => a.offset - b.offset)
  return closeGaps(rows, range?.first ?? 0, range?.next)
}

/** Records that were stored before are not lost, although the log has them no more. */
function noteGaps(directory: string, building: string, rows: readonly FoundRow[], next: number, now: Date): Loss[] {
  const foundAt = now.toISOString()
  const floor = readOffsetFloor(directory)
  const gaps: Loss[] = []
  const first = readKeptOffsets(directory)?.first
  let expected = Math.max(readStoredThrough(directory), first ?? 0)
  if (expected === 0 && first === undefined) expected = rows[0]?.offset ?? next
  for (const { offset } of [...rows, { offset: next }]) {
    // Offsets below the floor were given by another copy of this log.
    if (offset > expected && offset !== floor) gaps.push({ from: expected, through: offset - 1, foundAt })
    expected = Math.max(expected, offset + 1)
  }
  const before = readLosses(directory).flatMap((loss) => withoutFound(loss, rows))
  const losses = [...before, ...gaps]
  return losses.length === 0 ? [] : addLosses(building, losses)
}

/** The parts of a loss that remain where records of it can be read after all. */
function withoutFound(loss: Loss, rows: readonly FoundRow[]): Loss[] {
  const inside = rows.filter(({ offset }) => offset >= loss.from && offset <= loss.through)
  const edges = [{ offset: loss.from - 1 }, ...inside, { offset: loss.through + 1 }]
  return edges
    .slice(1)
    .map(({ offset }, index) => ({ ...loss, from: (edges[index] as FoundRow).offset + 1, through: offset - 1 }))
    .filter(({ from, through }) => from <= through)
}

function writeRows(
  building: string,
  pages: ReturnType<typeof openPages>,
  rows: readonly FoundRow[],
  next: number,
  shrinks: boolean,
): void {
  const database = openLocalDatabase(building, { shrinks })
  try {
    const insert = prepareInsert(database)
    let bytes = 0
    for (let start = 0; start < rows.length; start += recordsPerCommit) {
      inTransaction(database, () => {
        for (const { cell, offset } of rows.slice(start, start + recordsPerCommit)) {
          const record = toRecord(pages.read(cell) as Row)
          if (record === undefined) throw new Error('A row was there, and is not any more')
          bytes += sizeOf(record)
          insert(record, offset, bytes)
        }
      })
    }
    database.prepare('UPDATE trimmed SET next_offset = ?').run(next)
    // All of it in the one file, before that gets its place.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
