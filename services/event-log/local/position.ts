/**
 * How far the local log is stored downstream: the offset after the last stored record. The reader writes it; the writer
 * reads it to know what retention may remove. A separate file, because SQLite allows one writing connection, and a reader
 * must never hold up an append. Replaced atomically. Lost or unreadable counts as 0, which keeps too much and never too
 * little.
 */
import { closeSync, existsSync, fdatasync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const storedThroughFile = 'stored-through.txt'
const offsetFloorFile = 'offset-floor.txt'
const keptOffsetsFile = 'kept-offsets.txt'
/** The number of digits of the largest safe integer. */
const textDigits = 16

export function readStoredThrough(directory: string): number {
  return read(directory, storedThroughFile)
}

export function writeStoredThrough(directory: string, position: number): void {
  write(directory, storedThroughFile, position)
}

/**
 * The writer assigns no offset below this: the store has seen a log that went this far and would skip them. Only a log
 * restored from an older copy has one.
 */
export function readOffsetFloor(directory: string): number {
  return read(directory, offsetFloorFile)
}

export function writeOffsetFloor(directory: string, position: number): void {
  write(directory, offsetFloorFile, position)
}

/** Every record from `first` to before `next` must be in the log. */
export type KeptOffsets = {
  /** What was before it was removed, after it was stored. */
  first: number
  /** The offset after the last record that was committed. */
  next: number
}

/**
 * What the log should hold, apart from its database: where that loses its last records, nothing in it says that they were there.
 * `undefined`: not known. Nothing waits for its sync, so it may be of a second before a power failure, but never ahead of the log.
 */
export function readKeptOffsets(directory: string): KeptOffsets | undefined {
  let text: string
  try {
    text = readFileSync(join(directory, keptOffsetsFile), 'latin1')
  } catch {
    return undefined
  }
  const [first = NaN, next = NaN] = text.split(' ').map(Number)
  return text === toText({ first, next }) ? { first, next } : undefined
}

export type KeptOffsetsWriter = {
  write(kept: KeptOffsets): void
  /** Begins to bring to the disk what was written; returns at once. */
  sync(): void
  close(): void
}

/** Never throws: a record that is committed must not be refused because of this. */
export function openKeptOffsets(directory: string): KeptOffsetsWriter {
  const path = join(directory, keptOffsetsFile)
  const file = attempt(() => openSync(path, existsSync(path) ? 'r+' : 'w', 0o600))
  let isUnsynced = false
  let isSyncing = false
  let isClosed = false
  const closeFile = () => void (file !== undefined && attempt(() => closeSync(file)))
  return {
    write(kept) {
      if (file === undefined) return
      attempt(() => writeSync(file, toText(kept), 0))
      isUnsynced = true
    },
    sync() {
      if (file === undefined || !isUnsynced || isSyncing) return
      isUnsynced = false
      isSyncing = true
      fdatasync(file, () => {
        isSyncing = false
        if (isClosed) closeFile()
      })
    },
    close() {
      isClosed = true
      if (!isSyncing) closeFile()
    },
  }
}

function attempt<Result>(step: () => Result): Result | undefined {
  try {
    return step()
  } catch {
    return undefined
  }
}

/** With a checksum: a digit that is wrong would name records that never were. */
function toText({ first, next }: KeptOffsets): string {
  const digits = [first, next].map((offset) => String(offset).padStart(textDigits, '0')).join(' ')
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`
}

function read(directory: string, name: string): number {
  let text: string
  try {
    text = readFileSync(join(directory, name), 'utf8')
  } catch {
    return 0
  }
  const position = /^\d+\n$/.test(text) ? Number(text) : 0
  return Number.isSafeInteger(position) ? position : 0
}

function write(directory: string, name: string, position: number): void {
  const path = join(directory, name)
  const text = `${String(position).padStart(textDigits, '0')}\n`
  try {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    // On a full disk only removing stored records frees room, which needs this position: written over the old one, which
    // takes no room and, with so few bytes of one length, does not tear.
    writeInPlace(path, text)
  }
}

function writeInPlace(path: string, text: string): void {
  const file = openSync(path, 'r+')
  try {
    writeSync(file, text, 0)
  } finally {
    closeSync(file)
  }
}
