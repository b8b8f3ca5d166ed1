/**
 * How far the local log is stored downstream: the offset after the last stored record. The reader writes it; the writer
 * reads it to know what retention may remove. A separate file, because SQLite allows one writing connection, and a reader
 * must never hold up an append. Replaced atomically. Lost or unreadable counts as 0, which keeps too much and never too
 * little.
 */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const storedThroughFile = 'stored-through.txt'
const offsetFloorFile = 'offset-floor.txt'
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
