/**
 * Room on the disk, checked before anything is written: half a write can damage what a complete one would have updated.
 */
import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StartError } from '../../config/start-error.ts'

const mib = 1024 ** 2
/** The bytes that a start may write, several times over: the schema, the views, and the first commits. */
const neededBytes = 16 * mib

/** Throws a `StartError` where the disk of a directory, which need not exist yet, has too little room for a start. */
export function checkRoom(directory: string): void {
  const freeBytes = readFreeBytes(directory)
  if (freeBytes >= neededBytes) return
  throw new StartError(
    `The disk of ${directory} has ${(freeBytes / mib).toFixed(1)} MiB left; Rollcall needs ${neededBytes / mib} MiB to start. ` +
      'Make room there, and start it again: nothing that was acknowledged is lost.',
  )
}

/** Free bytes on the disk of a directory, which need not exist yet. */
export function readFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(findExisting(resolve(directory)))
  return bavail * bsize
}

function findExisting(path: string): string {
  return existsSync(path) ? path : findExisting(dirname(path))
}
