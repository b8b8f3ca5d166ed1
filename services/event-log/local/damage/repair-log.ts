/**
 * Builds a log of everything that a damaged one still holds, and puts it in its place. The damaged one is kept beside it.
 * Needs the log for itself. May be stopped anywhere: until the last step the damaged log stays what it was.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { openLocalLock } from '../lock.ts'
import { readOffsetFloor, readStoredThrough } from '../position.ts'
import { rowColumns, sizeOf, toChecksum, toRecord, type Row } from '../row.ts'
import { openLocalDatabase, syncDirectory, toRepaired } from '../table.ts'
import { addLosses, countLost, readLosses, type Loss } from './losses.ts'
import { openPages, type Cell } from './pages.ts'

export type LogRepair = {
  /** Records that are in the new log, and those of them whose bodies are not what was received. */
  kept: number
  damaged: number
  /** Acknowledged, not stored and gone. Those at the end of a file that was cut off cannot be counted. */
  lost: number
  /** Where the damaged log is now. */
  asideIn: string
}

type Found = { offset: number; cell: Cell; isDamaged: boolean }

/** Takes no checksum for right that a damaged record had: it stays marked. */
const wrongChecksum = -1
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
    const found = findRows(pages)
    const next = Math.max((found.at(-1)?.offset ?? -1) + 1, readStoredThrough(directory), readOffsetFloor(directory))
    const losses = noteGaps(directory, building, found, next, now)
    for (const name of besideLog) {
      if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(building, name))
    }
    writeRows(building, pages, found, next, shrinks)
    renameSync(building, repaired)
    const asideIn = `${directory}.damaged-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
    renameSync(directory, asideIn)
    finishSwap(directory)
    return {
      kept: found.length,
      damaged: found.filter(({ isDamaged }) => isDamaged).length,
      lost: countLost(losses),
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

/** By offset; of several rows for one offset the newest one that is right. */
function findRows(pages: ReturnType<typeof openPages>): Found[] {
  const byOffset = new Map<number, Found>()
  for (const { cell, row } of pages.rows()) {
    const record = toRecord(row)
    if (record === undefined) continue
    const { offset, isDamaged = false } = record
    // Any page may look as if there were rows in it; only a checksum tells, or the id, which is one of the body.
    if (isDamaged && byOffset.get(offset)?.isDamaged === false) continue
    byOffset.set(offset, { offset, cell, isDamaged })
  }
  return [...byOffset.values()].toSorted((a, b) => a.offset - b.offset)
}

/** What was stored before is not lost, although the log has it no more. */
function noteGaps(directory: string, building: string, found: readonly Found[], next: number, now: Date): Loss[] {
  const foundAt = now.toISOString()
  const floor = readOffsetFloor(directory)
  const gaps: Loss[] = []
  let expected = readStoredThrough(directory) || (found[0]?.offset ?? next)
  for (const { offset } of [...found, { offset: next }]) {
    // Offsets below the floor were given by another copy of this log.
    if (offset > expected && offset !== floor) gaps.push({ from: expected, through: offset - 1, foundAt })
    expected = Math.max(expected, offset + 1)
  }
  const losses = [...readLosses(directory), ...gaps]
  return losses.length === 0 ? [] : addLosses(building, losses)
}

function writeRows(
  building: string,
  pages: ReturnType<typeof openPages>,
  found: readonly Found[],
  next: number,
  shrinks: boolean,
): void {
  const database = openLocalDatabase(building, { shrinks })
  try {
    const insert = database.prepare(
      `INSERT INTO records (bytes_through, ${rowColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    let bytes = 0
    for (let start = 0; start < found.length; start += recordsPerCommit) {
      inTransaction(database, () => {
        for (const { cell, isDamaged } of found.slice(start, start + recordsPerCommit)) {
          const record = toRecord(pages.read(cell) as Row)
          if (record === undefined) throw new Error('A row was there, and is not any more')
          const { offset, receivedAt, source, key, eventId, body } = record
          bytes += sizeOf(record)
          const crc = isDamaged ? wrongChecksum : toChecksum(record, offset)
          insert.run(bytes, offset, receivedAt, source, key, eventId, body, crc)
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

function inTransaction(database: DatabaseSync, step: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  step()
  database.exec('COMMIT')
}
