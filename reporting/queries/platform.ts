/** What the Health page says of the platform: deliveries that contradict themselves, and announcements by `Deprecation` and `Sunset`. */
import { join } from 'node:path'
import { z } from 'zod'
import { instantSchema, toInstant, toInstantOrNull, toStartOfHour } from '../../schemas/instant.ts'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { toEpochMs } from '../../schemas/webhook/field.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

type ContradictionLine = {
  /** As in the view `events`. */
  name: string
  text: (typeof contradictions)[number]['text']
  events: number
  first_seen: string
  last_seen: string
}

export type Contradictions = {
  /** Deliveries with at least one. */
  total: number
  lines: ContradictionLine[]
}

const oddEvents = readFixed(join(import.meta.dirname, 'health.sql'))('odd-events', 'nobody', { isHeld: true })

const oddSchema = z.array(
  z.object({
    kind: z.enum(['retyped', 'early', 'ahead', 'event_type', 'contradiction']),
    name: z.string(),
    events: z.number(),
    first_seen: z.number(),
    last_seen: z.number(),
    examples: z.array(z.string()),
  }),
)

/** Events in which something is odd; of a contradiction the name is its bit. */
export async function readOddEvents(reader: Reader): Promise<z.infer<typeof oddSchema>> {
  return oddSchema.parse(await select(reader, oddEvents, {}))
}

export async function readContradictions(reader: Reader): Promise<Contradictions> {
  const rows = (await readOddEvents(reader)).filter(({ kind }) => kind === 'contradiction')
  const rowOf = (bit: number) => rows.find(({ name }) => name === String(bit))
  return {
    total: rowOf(0)?.events ?? 0,
    lines: contradictions.flatMap(({ bit, name, text }) => {
      const row = rowOf(bit)
      if (row === undefined) return []
      const [first_seen, last_seen] = [toInstant(row.first_seen), toInstant(row.last_seen)]
      return [{ name, text, events: row.events, first_seen, last_seen }]
    }),
  }
}

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
