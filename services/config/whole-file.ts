/** Files that are complete or absent, also after a crash, and only their owner can read them. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Replaces what is there. */
export function replaceFile(path: string, text: string): void {
  renameSync(writeBeside(path, text), path)
}

/** What is there stays: of two processes that start together, the first one's text. */
export function writeOnce(path: string, text: string): void {
  const made = writeBeside(path, text)
  try {
    linkSync(made, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
}

function writeBeside(path: string, text: string): string {
  const made = `${path}.${process.pid}`
  writeFileSync(made, text, { mode: 0o600, flush: true })
  return made
}
