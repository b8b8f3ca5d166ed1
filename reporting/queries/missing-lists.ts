/** Lists that the platform does not offer, for the Health page. */
import { join } from 'node:path'
import { z } from 'zod'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const missingLists = ['guides', 'guide_assignments', 'changed_guide_assignments'] as const

export type MissingList = {
  list: (typeof missingLists)[number]
  path: string
  /** `null`: never. */
  answered_at: string | null
  refused_at: string
}

const stored = readFixed(join(import.meta.dirname, 'health.sql'))('missing-lists', 'nobody')

const rowsSchema = z.array(
  z.object({ list: z.enum(missingLists), path: z.string(), answered_at: z.number(), refused_at: z.number() }),
)

export async function readMissingLists(reader: Reader, now: number): Promise<MissingList[]> {
  const rows = rowsSchema.parse(await select(reader, stored, { now }))
  return rows.map(({ answered_at, refused_at, ...row }) => ({
    ...row,
    answered_at: answered_at <= 0 ? null : new Date(answered_at).toISOString(),
    refused_at: new Date(refused_at).toISOString(),
  }))
}
