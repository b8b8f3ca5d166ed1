/** Where a running process can be asked, and the proof of permission: `DATA_DIR/control.json`, for its owner only. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../config/whole-file.ts'

const controlSchema = z.object({ url: z.url(), token: z.string().min(20), pid: z.int() })
export type Control = z.infer<typeof controlSchema>

export function makeControlToken(): string {
  return randomBytes(32).toString('base64url')
}

function toPath(dataDir: string): string {
  return join(dataDir, 'control.json')
}

export function writeControlFile(dataDir: string, control: Control): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  replaceFile(toPath(dataDir), `${JSON.stringify(control)}\n`)
}

/** `undefined`: none, or an unreadable one: then no process can be asked. */
export function readControlFile(dataDir: string): Control | undefined {
  try {
    return controlSchema.parse(JSON.parse(readFileSync(toPath(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error
    return undefined
  }
}

/** The next process may have written its own file; that one stays. */
export function removeControlFile(dataDir: string, token: string): void {
  if (readControlFile(dataDir)?.token === token) rmSync(toPath(dataDir), { force: true })
}
