/** Lists that the platform does not offer, for the Health page. */
import { join } from 'node:path'
import { z } from 'zod'
import { instantSchema, toInstantOrNull, toStartOfHour } from '../../schemas/instant.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const stored = readFixed(join(import.meta.dirname, 'health.sql'))('missing-lists', 'nobody', { isHeld: true })

const listSchema = z.object({
  list: z.enum(['guides', 'guide_assignments', 'changed_guide_assignments']),
  path: z.string(),
  /** `null`: never. */
  answered_at: z.number().transform(toInstantOrNull),
  refused_at: instantSchema,
})
export type MissingList = z.infer<typeof listSchema>

export async function readMissingLists(reader: Reader, now: number): Promise<MissingList[]> {
  return z.array(listSchema).parse(await select(reader, stored, { now: toStartOfHour(now) }))
}
