/**
 * Disk space reserved for removing: a log on a full disk needs some to free more. Without it a full log could be read to
 * its end and would still be full.
 */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function createReserve(directory: string, bytes: number) {
  const path = join(directory, 'reserve')
  let isKept = statSync(path, { throwIfNoEntry: false })?.size === bytes

  return {
    keep(): void {
      if (isKept || bytes === 0) return
      try {
        // Written, not only extended: a hole in a file reserves nothing.
        writeFileSync(path, Buffer.alloc(bytes))
        isKept = true
      } catch {
        rmSync(path, { force: true })
      }
    },
    /** `false`: there is none to release. */
    giveUp(): boolean {
      if (!isKept) return false
      rmSync(path, { force: true })
      isKept = false
      return true
    },
  }
}
