/** Whether what is acknowledged gets into the numbers: what the strip on every page and the Health page say, and how far the data are. */
import { join } from 'node:path'
import { z } from 'zod'
import { toInstantOrNull } from '../../schemas/instant.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type Standing = {
  /** Everything acknowledged before this instant is counted, ISO 8601; `null`: unknown. */
  complete_through: string | null
  /** Deliveries that are acknowledged and not counted yet. */
  waiting: number
  /** Those of them that wait on the disk of an ingest process, because the event log does not take them. */
  in_spools: number
  /** When it was last said that they wait, ISO 8601; `null`: just now, or none waits. Old: the consumer says nothing any more. */
  waiting_reported_at: string | null
  /** Since when nothing was stored although deliveries wait, ISO 8601; `null`: it goes on. */
  stalled_since: string | null
  /** Why, in words for the owner; `null`: unknown, or it goes on. */
  reason: string | null
  /** Whether anything was ever read from the log. */
  has_begun: boolean
  /** Whether anybody was ever given a guide. */
  has_guides: boolean
}

const sql = readFixed(join(import.meta.dirname, 'freshness.sql'))
const reported = sql('reported', 'nobody', { isHeld: true })
const waiting = sql('waiting', 'nobody', { isHeld: true })
const completeThrough = sql('complete-through', 'nobody', { isHeld: true, isClaim: true })
const storedThrough = sql('stored-through', 'nobody')
const sample = sql('sample', 'nobody', { isHeld: true })

const reportedSchema = z.tuple([z.object({ in_log: z.number(), in_spools: z.number(), has_guides: z.number() })])
const waitingSchema = z.tuple([
  z.object({
    waiting: z.number(),
    in_spools: z.number(),
    stalled: z.number(),
    stalled_since: z.number(),
    reason: z.string(),
    reported_at: z.number(),
    has_begun: z.number(),
  }),
])
const nothing: z.infer<typeof waitingSchema>[0] = {
  waiting: 0,
  in_spools: 0,
  stalled: 0,
  stalled_since: 0,
  reason: '',
  reported_at: 0,
  has_begun: 1,
}

/** As the process that stores knows it, epoch ms. */
export type LiveProgress = {
  waiting: number
  stalledSince?: number | undefined
  failure: { message: string } | undefined
}

/** `live`: a store that takes nothing has not taken the report either. */
export async function readStanding(reader: Reader, live?: () => Promise<LiveProgress>): Promise<Standing> {
  const [through, rows, now] = await Promise.all([readCompleteThrough(reader), select(reader, reported, {}), live?.()])
  const [{ in_log, in_spools, has_guides }] = reportedSchema.parse(rows)
  const mayWait = in_spools === 1 || (in_log === 1 && now === undefined)
  const [row] = through === null || mayWait ? waitingSchema.parse(await select(reader, waiting, {})) : [nothing]
  const isStalled = now === undefined ? row.stalled > 0 : now.stalledSince !== undefined
  const reason = now === undefined ? row.reason : (now.failure?.message ?? '')
  return {
    complete_through: toInstantOrNull(through),
    waiting: now === undefined ? row.waiting : now.waiting,
    in_spools: row.in_spools,
    waiting_reported_at: now === undefined && row.waiting > 0 ? toInstantOrNull(row.reported_at) : null,
    stalled_since: isStalled ? toInstantOrNull(now?.stalledSince ?? row.stalled_since) : null,
    reason: isStalled && reason !== '' ? reason : null,
    has_begun: row.has_begun === 1,
    has_guides: has_guides === 1,
  }
}

/** How far everything acknowledged is in the store, epoch ms; `null`: unknown. */
export async function readCompleteThrough(reader: Reader): Promise<number | null> {
  const [{ complete_through }] = throughSchema.parse(await select(reader, completeThrough, {}))
  return complete_through
}

/** A text that changes when something has been stored, and only then. */
export async function readStoredThrough(reader: Reader): Promise<string> {
  return storedSchema.parse(await select(reader, storedThrough, {}))[0].stored
}

/** Whether this is sample data. */
export async function readIsSample(reader: Reader): Promise<boolean> {
  return (await select(reader, sample, {})).length > 0
}

const throughSchema = z.tuple([z.object({ complete_through: z.number().nullable() })])
const storedSchema = z.tuple([z.object({ stored: z.string() })])
