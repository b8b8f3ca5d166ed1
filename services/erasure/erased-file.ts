/**
 * Who was erased, beside the embedded store: no older backup and no new store brings a person back. Without names: ids, and hashes
 * as in the table `erasures`. Every start and every restore keeps the union of what the file and the store know.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { StartError } from '../config/start-error.ts'
import { replaceFile } from '../config/whole-file.ts'

export const erasedFile = 'erased-people.json'

const erasedSchema = z.array(
  z.object({
    userId: z.string().min(1),
    emailHashes: z.array(z.string()),
    /** By the hash of a title that held the name: the title without it. */
    titles: z.record(z.string(), z.string()),
  }),
)
export type Erased = z.infer<typeof erasedSchema>[number]

/** Throws a `StartError` where the file is there and cannot be read: without it erased people could come back. */
export function readErased(directory: string): Erased[] {
  const path = join(directory, erasedFile)
  try {
    return erasedSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new StartError(
      `${path}, the list of erased people, cannot be read. Put the one of a backup in its place: without it erased people could come back.`,
      { cause },
    )
  }
}

/** Adds people to the file, and returns all who are in it then. On the disk when it returns. */
export function keepErased(directory: string, people: readonly Erased[]): Erased[] {
  const kept = readErased(directory)
  const all = new Map<string, Erased>()
  for (const { userId, emailHashes, titles } of [...kept, ...people]) {
    const before = all.get(userId)
    all.set(userId, {
      userId,
      emailHashes: [...new Set([...(before?.emailHashes ?? []), ...emailHashes])],
      titles: { ...before?.titles, ...titles },
    })
  }
  const union = [...all.values()]
  if (JSON.stringify(union) !== JSON.stringify(kept)) {
    replaceFile(join(directory, erasedFile), `${JSON.stringify(union, null, 2)}\n`)
  }
  return union
}
