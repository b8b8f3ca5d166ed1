/** Failed events for people: which could not be used, why, since when, and their bodies. */
import { join } from 'node:path'
import { z } from 'zod'
import type { FailedEventBody, FailedEvents } from '../../schemas/answers/deliveries.ts'
import { instantSchema } from '../../schemas/instant.ts'
import { maskBody } from '../../schemas/webhook/mask-body.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

const reasonSchema = z.object({
  reason: z.string(),
  events: z.number(),
  first_seen: instantSchema,
  last_seen: instantSchema,
  sources: z.array(z.string()),
})
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
  const { total, reasons } = await readReasons(reader)
  const isWanted = total > 0 && limit > 0
  const events = isWanted ? await select(reader, failedList, { reason, id: '', limit }) : []
  return { total, reasons, events: eventSchema.array().parse(events) }
}

/** How many there are. */
export const countFailed = async (reader: Reader): Promise<number> => (await readReasons(reader)).total

async function readReasons(reader: Reader): Promise<Pick<FailedEvents, 'total' | 'reasons'>> {
  // Quicker than the view. Few installations have one.
  const hasAny = (await select(reader, failedAny, {})).length > 0
  const rows = reasonSchema.array().parse(hasAny ? await select(reader, failedReasons, {}) : [])
  const total = rows.find(({ reason }) => reason === '')?.events ?? 0
  return { total, reasons: rows.filter(({ reason }) => reason !== '') }
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
  const [event] = eventSchema.array().parse(rows)
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
