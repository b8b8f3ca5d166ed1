/**
 * How far the local log is stored downstream: the offset after the last stored record. The reader writes it; the writer
 * reads it to know what retention may remove. A separate file, because SQLite allows one writing connection, and a reader
 * must never hold up an append. Replaced atomically. Lost or unreadable counts as 0, which keeps too much and never too
 * little.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

const storedThroughFile = 'stored-through.txt'
const offsetFloorFile = 'offset-floor.txt'
const keptOffsetsFile = 'kept-offsets.txt'
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
  /** Records before it were stored, then removed. */
  first: number
  /** The offset after the last record that was committed. */
  next: number
}

/**
 * The offsets that the log should hold, apart from its database: where that loses its last records, nothing in it shows that.
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
  const isPossible = first <= next && Number.isSafeInteger(next)
  return isPossible && text === toText({ first, next }) ? { first, next } : undefined
}

/** Never throws: a record that is committed must not be refused because of this. */
export function openKeptOffsets(directory: string) {
  const path = join(directory, keptOffsetsFile)
  let file: number | undefined
  let last: KeptOffsets | undefined
  let problem: string | undefined
  let isUnsynced = false
  let isSyncing = false
  let isClosed = false

  function closeFile(): void {
    const open = file
    file = undefined
    if (open !== undefined) attempt(() => closeSync(open))
  }

  function write(offsets: KeptOffsets): void {
    last = offsets
    problem = attempt(() => {
      const isNew = file === undefined
      file ??= openToOverwrite(path)
      const text = toText(offsets)
      if (writeSync(file, text, 0) < text.length) throw new Error('not all of it was written')
      // The end of a longer text by another program.
      if (isNew) ftruncateSync(file, text.length)
      isUnsynced = true
    })
  }

  return {
    write,
    /** Why it could not be written; `undefined` while all is well. */
    problem: () => problem && `${keptOffsetsFile} cannot be written (${problem})`,
    /** Begins to bring written offsets to the disk, and writes again those that failed; returns at once. */
    sync(): void {
      if (isSyncing) return
      // Somebody may have removed it.
      if (!existsSync(path)) closeFile()
      if (last !== undefined && (file === undefined || problem !== undefined)) write(last)
      if (file === undefined || !isUnsynced) return
      isUnsynced = false
      isSyncing = true
      fdatasync(file, () => {
        isSyncing = false
        if (isClosed) closeFile()
      })
    },
    syncNow(): void {
      const open = file
      if (open !== undefined) attempt(() => fdatasyncSync(open))
    },
    close(): void {
      isClosed = true
      if (!isSyncing) closeFile()
    },
  }
}

/** A file that cannot be written to is replaced. */
function openToOverwrite(path: string): number {
  if (!existsSync(path)) return openSync(path, 'w', 0o600)
  try {
    return openSync(path, 'r+')
  } catch {
    rmSync(path)
    return openSync(path, 'w', 0o600)
  }
}

/** The error of a step, in the words of the system. */
function attempt(step: () => void): string | undefined {
  try {
    step()
    return undefined
  } catch (error) {
    return (error as Error).message
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
    writeFileSync(path, text, { flag: 'r+' })
  }
}
