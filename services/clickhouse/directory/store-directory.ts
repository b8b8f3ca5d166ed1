/** The directory of an embedded store as a whole: who has it, and how another one takes its place. */
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FileLockedError, openFileLock } from '../../runtime/files/file-lock.ts'
import { StartError } from '../../config/start-error.ts'

/** Of ours, because the engine's own refusal cannot be told from any other error of it. */
export function lockStore(directory: string): { close(): void } {
  mkdirSync(dirname(directory), { recursive: true })
  try {
    return openFileLock(`${directory}.lock`)
  } catch (cause) {
    if (!(cause instanceof FileLockedError)) throw cause
    throw new StartError(
      `The store in ${directory} cannot be opened: another Rollcall runs on it. Stop that one, or set DATA_DIR to another directory.`,
      { cause },
    )
  }
}

/** Stores of 0.1 were never released. A table that only they have tells them, before the engine opens and writes anything. */
export function refuseStoreFromBeforeRelease(directory: string): void {
  if (!existsSync(join(directory, 'metadata/rollcall/view_texts.sql'))) return
  throw new StartError(
    `The store in ${directory} was made by a version before 1.0, which this version does not continue. ` +
      'Run: rollcall store rebuild. It takes all of its rows into a new store, and keeps the old one beside it.',
  )
}

/** Puts a store that was built in its place, and returns where the old one is now. */
export function replaceStore(directory: string, built: string, now: Date): string {
  const asideIn = `${directory}.old-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  renameSync(built, toRebuilt(directory))
  renameSync(directory, asideIn)
  finishRebuild(directory)
  return asideIn
}

/** Also of a rebuild that was stopped before its last step: else the next start would begin with nothing. */
export function finishRebuild(directory: string): void {
  if (!existsSync(directory) && existsSync(toRebuilt(directory))) renameSync(toRebuilt(directory), directory)
}

function toRebuilt(directory: string): string {
  return `${directory}.rebuilt`
}
