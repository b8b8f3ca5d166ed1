/** The platform's announcements by `Deprecation` and `Sunset`, for the Health page. */
import { join } from 'node:path'
import { z } from 'zod'
import { instantSchema, toInstantOrNull, toStartOfHour } from '../../schemas/instant.ts'
import { toEpochMs } from '../../schemas/webhook/field.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const stored = readFixed(join(import.meta.dirname, 'health.sql'))('platform-notices', 'nobody', { isHeld: true })

const noticeSchema = z.object({
  path: z.string(),
  header: z.enum(['deprecation', 'sunset']),
  /** As sent. */
  value: z.string(),
  first_seen: instantSchema,
  last_seen: instantSchema,
})

/** `at`: the instant that the value names; `null`: none. */
export type PlatformNotice = z.infer<typeof noticeSchema> & { at: string | null }

export async function readPlatformNotices(reader: Reader, now: number): Promise<PlatformNotice[]> {
  const notices = z.array(noticeSchema).parse(await select(reader, stored, { now: toStartOfHour(now) }))
  return notices.map((notice) => ({ ...notice, at: toInstantOrNull(toNoticeInstant(notice.value) ?? null) }))
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
