/** Failed events for people: which could not be used, why, since when, and their bodies. */
import { join } from 'node:path'
import { z } from 'zod'
import type { FailedEventBody, FailedEvents } from '../../schemas/answers/deliveries.ts'
import { instantSchema, toInstant } from '../../schemas/instant.ts'
import { maskBody } from '../../schemas/webhook/mask-body.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const reasonsSchema = z.array(
  z.object({
    reasons: z.array(z.string()),
    source: z.string(),
    events: z.number(),
    first_seen: z.number(),
    last_seen: z.number(),
  }),
)
type Line = z.infer<typeof reasonsSchema>[number]

const eventSchema = z.object({
  event_id: z.string(),
  received_at: instantSchema,
  source: z.string(),
  reasons: z.array(z.string()),
  problems: z.array(z.string()),
  body_bytes: z.number(),
})

const sql = readFixed(join(import.meta.dirname, 'failed.sql'))
const failedAny = sql('failed-any', 'nobody', { isHeld: true })
const failedReasons = sql('failed-reasons', 'nobody', { isHeld: true })
const failedList = sql('failed-list', 'nobody', { isHeld: true })
/** It can hold anything about anybody. */
const failedBody = sql('failed-body', 'everybody')

const bodySchema = z.array(z.object({ body: z.string() }))

/** The newest ones; `reason`: only these. */
export async function readFailedEvents(
  reader: Reader,
  { reason, limit }: { reason: string; limit: number },
): Promise<FailedEvents> {
  if (!(await hasFailed(reader))) return { total: 0, reasons: [], events: [] }
  const [lines, events] = await Promise.all([
    readReasons(reader),
    limit === 0 ? [] : select(reader, failedList, { reason, id: '', limit }),
  ])
  return { total: sumOf(lines), reasons: toReasons(lines), events: z.array(eventSchema).parse(events) }
}

/** Also of those that were put right since. */
async function hasFailed(reader: Reader): Promise<boolean> {
  return (await select(reader, failedAny, {})).length > 0
}

async function readReasons(reader: Reader): Promise<Line[]> {
  return reasonsSchema.parse(await select(reader, failedReasons, {}))
}

/** How many there are. */
export async function countFailed(reader: Reader): Promise<number> {
  return (await hasFailed(reader)) ? sumOf(await readReasons(reader)) : 0
}

const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, { events }) => sum + events, 0)

/** The most frequent ones first. */
function toReasons(lines: readonly Line[]): FailedEvents['reasons'] {
  const byReason = Map.groupBy(
    lines.flatMap((line) => line.reasons.map((reason) => ({ ...line, reason }))),
    ({ reason }) => reason,
  )
  return [...byReason]
    .map(([reason, counts]) => ({
      reason,
      events: sumOf(counts),
      first_seen: toInstant(Math.min(...counts.map(({ first_seen }) => first_seen))),
      last_seen: toInstant(Math.max(...counts.map(({ last_seen }) => last_seen))),
      sources: [...new Set(counts.map(({ source }) => source))].sort().slice(0, 20),
    }))
    .sort((a, b) => b.events - a.events || (a.reason < b.reason ? -1 : 1))
}

/** `null`: no failed event has this id. */
export async function readFailedEvent(
  reader: Reader,
  id: string,
  { bodies }: { bodies: BodyRight },
): Promise<FailedEventBody | null> {
  const [rows, raw] = await Promise.all([
    select(reader, failedList, { reason: '', id, limit: 1 }),
    select(reader, failedBody, { id }),
  ])
  const [event] = z.array(eventSchema).parse(rows)
  const [stored] = bodySchema.parse(raw)
  if (event === undefined || stored === undefined) return null
  return { ...event, ...toShownBody(Buffer.from(stored.body, 'base64'), mayReadBodies(reader, bodies)) }
}

/** Whether this installation lets anybody read raw bodies: as SQL_PEOPLE says. */
export type BodyRight = 'granted' | 'withheld'

/** The one decision about bodies: the installation allows it, and this reader sees names. */
function mayReadBodies(reader: Reader, bodies: BodyRight): boolean {
  return bodies === 'granted' && reader.audience().names
}

const shownCharacters = 6_000

function toShownBody(body: Buffer, isWhole: boolean): { body: string; is_masked: boolean; is_cut: boolean } {
  if (!isWhole) {
    const { text, isCut } = maskBody(body)
    return { body: text, is_masked: true, is_cut: isCut }
  }
  const text = body.toString('utf8')
  return { body: text.slice(0, shownCharacters), is_masked: false, is_cut: text.length > shownCharacters }
}
