/** A disk of its own that can really be full. Mounting needs root. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

export type SmallDisk = {
  directory: string
  /** Leaves so many bytes free. */
  fill(freeBytes: number): void
  makeRoom(): void
  remove(): void
}

export function mountSmallDisk(size: `${number}m`): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], {
    encoding: 'utf8',
  })
  if (mounted.status !== 0) throw new Error(`No disk: ${mounted.stderr}`)
  const ballast = join(directory, 'ballast')
  return {
    directory,
    fill(freeBytes) {
      const { bavail, bsize } = statfsSync(directory)
      try {
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)))
      } catch (error) {
        // The product has taken the last room meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
