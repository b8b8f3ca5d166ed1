/** A file that is there whole or not at all. It may hold names, so it is its owner's alone. */
import { open, rename, rm, type FileHandle } from 'node:fs/promises'

export type OutputFile = {
  write(bytes: Uint8Array): Promise<void>
  /** All is written: it gets its name. */
  keep(): Promise<void>
  /** What was not kept is gone. */
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
