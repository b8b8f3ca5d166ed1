/** The progress of a move, in the data directory that is moved, so that it can continue after any interruption. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const marksSchema = z.object({
  /** The target: a move to another target starts over. */
  target: z.string(),
  /** Completed units. */
  done: z.array(z.string()),
  /** When everything was found to agree, ISO 8601. */
  verified_at: z.string().optional(),
})
export type Marks = z.infer<typeof marksSchema>

export function readMarks(dataDir: string): Marks | undefined {
  try {
    return marksSchema.parse(JSON.parse(readFileSync(toPath(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export function writeMarks(dataDir: string, marks: Marks): void {
  const made = `${toPath(dataDir)}.${process.pid}`
  writeFileSync(made, `${JSON.stringify(marks, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(made, toPath(dataDir))
}

function toPath(dataDir: string): string {
  return join(dataDir, 'move.json')
}
