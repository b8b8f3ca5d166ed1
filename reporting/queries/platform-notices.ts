/** What the platform's answers announce by `Deprecation` and `Sunset`, for the Health page. */
import { join } from 'node:path'
import { z } from 'zod'
import { toInstant } from '../../schemas/instant.ts'
import { toEpochMs } from '../../schemas/webhook/field.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type PlatformNotice = {
  path: string
  header: 'deprecation' | 'sunset'
  /** As sent. */
  value: string
  /** The instant that the value names; `null`: none. */
  at: string | null
  first_seen: string
  last_seen: string
}

const stored = readFixed(join(import.meta.dirname, 'health.sql'))('platform-notices', 'nobody')

const rowsSchema = z.array(
  z.object({
    path: z.string(),
    header: z.enum(['deprecation', 'sunset']),
    value: z.string(),
    first_seen: z.number(),
    last_seen: z.number(),
  }),
)

export async function readPlatformNotices(reader: Reader, now: number): Promise<PlatformNotice[]> {
  const rows = rowsSchema.parse(await select(reader, stored, { now }))
  return rows.map(({ first_seen, last_seen, ...row }) => {
    const at = toNoticeInstant(row.value)
    return {
      ...row,
      at: at === undefined ? null : toInstant(at),
      first_seen: toInstant(first_seen),
      last_seen: toInstant(last_seen),
    }
  })
}

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Epoch ms of `@` and seconds (RFC 9745), a date of HTTP (RFC 8594) or ISO 8601. `Date.parse` alone makes dates of much else. */
export function toNoticeInstant(value: string): number | undefined {
  const seconds = /^@(\d{1,12})$/.exec(value)?.[1]
  if (seconds !== undefined) return toEpochMs(Number(seconds) * 1000)
  if (httpDate.test(value)) return toEpochMs(Date.parse(value) || 0)
  return value.includes('-') ? toEpochMs(value) : undefined
}
