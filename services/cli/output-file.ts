/** A file that exists complete or not at all. It may hold names, so only its owner can read it. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'

export type OutputFile = {
  write(bytes: Uint8Array): Promise<void>
  /** Complete: the file gets its name. */
  keep(): Promise<void>
  /** Removes an unfinished file. */
  close(): Promise<void>
}

export function openOutput(path: string): OutputFile {
  const made = `${path}.${process.pid}.part`
  let handle: FileHandle | undefined
  const get = async () => (handle ??= await open(made, 'w', 0o600))
  return {
    async write(bytes) {
      await (await get()).writeFile(bytes)
    },
    async keep() {
      await (await get()).close()
      await rename(made, path)
      handle = undefined
    },
    async close() {
      await handle?.close()
      await rm(made, { force: true })
    },
  }
}
