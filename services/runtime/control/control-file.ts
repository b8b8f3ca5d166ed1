/** Where a running process can be asked, and the proof of permission: `DATA_DIR/control.json`, for its owner only. */
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../../config/start-error.ts'
import { replaceFile } from '../../config/whole-file.ts'

const controlSchema = z.object({
  url: z.url(),
  token: z.string().min(20),
  pid: z.int(),
  directory: z.string(),
})
export type Control = Omit<z.infer<typeof controlSchema>, 'directory'>

export function makeControlToken(): string {
  return randomBytes(32).toString('base64url')
}

function toPath(dataDir: string): string {
  return join(dataDir, 'control.json')
}

export function writeControlFile(dataDir: string, control: Control): void {
  replaceFile(toPath(dataDir), `${JSON.stringify({ ...control, directory: identify(dataDir) })}\n`)
}

/** The same by every path to it, and another one for a copy: what is asked of a copy must not happen to the data of the process. */
function identify(dataDir: string): string {
  const { dev, ino } = statSync(dataDir)
  return `${dev}.${ino}`
}

/** `undefined`: none, an unreadable one, or one that was copied here: then no process can be asked. */
export function readControlFile(dataDir: string): Control | undefined {
  try {
    const { directory, ...control } = controlSchema.parse(JSON.parse(readFileSync(toPath(dataDir), 'utf8')))
    return directory === identify(dataDir) ? control : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return undefined
    throw new StartError(`${toPath(dataDir)} cannot be read. Run this as the user that runs Rollcall.`, {
      cause: error,
    })
  }
}

/** Keeps the file of a later process. */
export function removeControlFile(dataDir: string, token: string): void {
  if (readControlFile(dataDir)?.token === token) rmSync(toPath(dataDir), { force: true })
}
