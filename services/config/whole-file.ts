/** Files that are complete or absent, also after a crash or on a full disk, and only their owner can read them. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

export function replaceFile(path: string, text: string): void {
  writeBeside(path, text, (newPath) => renameSync(newPath, path))
}

/** A file that is there stays: of two processes that start together, the first one's text. */
export function writeOnce(path: string, text: string): void {
  writeBeside(path, text, (newPath) => {
    try {
      linkSync(newPath, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  })
}

/** Nothing of it is left, whatever fails. */
function writeBeside(path: string, text: string, use: (newPath: string) => void): void {
  const newPath = `${path}.${process.pid}`
  try {
    writeFileSync(newPath, text, { mode: 0o600, flush: true })
    use(newPath)
  } finally {
    rmSync(newPath, { force: true })
  }
}
