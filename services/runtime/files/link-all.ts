import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Makes `target` a copy of a directory by links to the same files, which takes no room. For files that never change. */
export function linkAll(source: string, target: string): void {
  mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) linkAll(from, to)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else linkOrCopy(from, to)
  }
}

/** Some file systems have no links, and none leads to another disk. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EMLINK', 'EXDEV'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error
    copyFileSync(from, to)
  }
}
