/** Bytes of a stopped product's files, changed. */
import { appendFileSync, closeSync, existsSync, openSync, readdirSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { integer, pick, type Random } from '../../../sample-platform/random.ts'

/** As a crash leaves a write-ahead file: something begun behind the synced part. */
export function tearTail(logDirectory: string, random: Random): void {
  const file = join(logDirectory, 'log.sqlite-wal')
  if (!existsSync(file) || statSync(file).size === 0) return
  appendFileSync(file, Buffer.from(Array.from({ length: integer(random, 1, 9_000) }, () => integer(random, 0, 255))))
}

/** Flips one bit in each of some bytes of a file, not before `from`. */
export function flipBits(file: string, random: Random, count: number, from = 0): void {
  const { size } = statSync(file)
  if (size <= from) return
  const handle = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  for (let left = count; left > 0; left--) {
    const at = integer(random, from, size - 1)
    readSync(handle, byte, 0, 1, at)
    byte[0] = (byte[0] ?? 0) ^ (1 << integer(random, 0, 7))
    writeSync(handle, byte, 0, 1, at)
  }
  closeSync(handle)
}

/** A file of values of some table of a store, or nothing where there is none. */
export function pickStoreFile(storeDirectory: string, random: Random): string | undefined {
  const files = readdirSync(storeDirectory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.bin'))
    .toSorted()
  return files.length === 0 ? undefined : join(storeDirectory, pick(random, files))
}

/** Flips bits in the file of a local log or in its write-ahead file, behind the bytes that say what kind of file it is. */
export function flipLog(logDirectory: string, random: Random): void {
  const files = ['log.sqlite', 'log.sqlite-wal'].map((name) => join(logDirectory, name))
  const filled = files.filter((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0)
  if (filled.length > 0) flipBits(pick(random, filled), random, integer(random, 1, 20))
}
