/**
 * How far the local log is stored downstream: the offset after the last stored record. The reader writes it. The writer reads it:
 * retention removes nothing from there on, and no new record gets an offset before it. A separate file, because SQLite allows one
 * writing connection, and a reader must never hold up an append. Replaced atomically. A missing or unreadable file counts as 0,
 * which keeps too much and never too little.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileName = 'stored-through.txt'
const digits = 16

export function readStoredThrough(directory: string): number {
  let text: string
  try {
    text = readFileSync(join(directory, fileName), 'utf8')
  } catch {
    return 0
  }
  const position = /^\d+\n$/.test(text) ? Number(text) : 0
  return Number.isSafeInteger(position) ? position : 0
}

export function writeStoredThrough(directory: string, position: number): void {
  const path = join(directory, fileName)
  const text = `${String(position).padStart(digits, '0')}\n`
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
