/** Whether acknowledged deliveries get into the numbers: for the strip on every page and the Health page, and how far the data are. */
import { join } from 'node:path'
import { z } from 'zod'
import { toInstantOrNull } from '../../schemas/instant.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type Standing = Awaited<ReturnType<typeof readStanding>>

const sql = readFixed(join(import.meta.dirname, 'freshness.sql'))
const hasGuides = sql('has-guides', 'nobody', { isHeld: true })
const waiting = sql('waiting', 'nobody', { isHeld: true })
const positions = sql('positions', 'nobody', { isHeld: true, isClaim: true, isUsual: true })
const holdingBack = sql('holding-back', 'nobody', { isHeld: true })
const lastStored = sql('last-stored', 'nobody')
const sample = sql('sample', 'nobody', { isHeld: true })

const positionsSchema = z.tuple([
  z.object({
    /** By partition. */
    positions: z.array(z.number()),
    now: z.number(),
  }),
])
const holdingBackSchema = z.tuple([
  z.object({
    /** Records, the oldest, emptied. */
    spools: z.array(z.tuple([z.number(), z.number(), z.number()])),
    in_log: z.number(),
  }),
])
const waitingSchema = z.tuple([
  z.object({ waiting: z.number(), stalled_since: z.number(), reason: z.string(), reported_at: z.number() }),
])
const nothing = { waiting: 0, stalled_since: 0, reason: '', reported_at: 0 }

/** As the process that stores knows it, epoch ms. */
export type LiveProgress = {
  waiting: number
  stalledSince?: number | undefined
  failure: { message: string } | undefined
}

/** `live`: a store that takes nothing has not taken the report either. */
export async function readStanding(reader: Reader, live?: () => Promise<LiveProgress>) {
  const [progress, guides, now] = await Promise.all([
    readProgress(reader),
    select(reader, hasGuides, {}),
    live?.(),
  ])
  const in_spools = progress.spools.reduce((sum, [records]) => sum + records, 0)
  const mayWait = now === undefined && (progress.in_log === 1 || in_spools > 0)
  const [stored = nothing] = mayWait ? waitingSchema.parse(await select(reader, waiting, {})) : []
  const { waiting: n, stalled_since, reason, reported_at } = now === undefined ? stored : toReport(now)
  return {
    /** Everything acknowledged before this instant is counted, ISO 8601; `null`: unknown. */
    complete_through: toInstantOrNull(toCompleteThrough(progress)),
    /** Deliveries that are acknowledged and not counted yet. */
    waiting: n,
    /** Those of them that wait on the disk of an ingest process, because the event log does not take them. */
    in_spools,
    /** When it was last said that they wait, ISO 8601; `null`: just now, or none waits. Old: the consumer says nothing any more. */
    waiting_reported_at: n > 0 ? toInstantOrNull(reported_at) : null,
    /** Since when nothing was stored although deliveries wait, ISO 8601; `null`: it goes on. */
    stalled_since: toInstantOrNull(stalled_since),
    /** Why, in words for the owner; `null`: unknown, or it goes on. */
    reason: (stalled_since > 0 && reason) || null,
    /** Whether anything was ever read from the log. */
    has_begun: progress.positions.some((through) => through > 0),
    /** Whether anybody was ever given a guide. */
    has_guides: guides.length > 0,
  }
}

const toReport = ({ waiting: n, stalledSince = 0, failure }: LiveProgress): typeof nothing => ({
  waiting: n,
  stalled_since: stalledSince,
  reason: failure?.message ?? '',
  reported_at: 0,
})

/** How far everything acknowledged is in the store, epoch ms; `null`: unknown. */
export async function readCompleteThrough(reader: Reader): Promise<number | null> {
  return toCompleteThrough(await readProgress(reader))
}

async function readProgress(reader: Reader) {
  const [read] = positionsSchema.parse(await select(reader, positions, {}))
  // One after the other: see the statements.
  const [held] = holdingBackSchema.parse(await select(reader, holdingBack, {}))
  return { ...read, ...held }
}

type Progress = Awaited<ReturnType<typeof readProgress>>

/** As the view `complete_through`. */
function toCompleteThrough({ positions, spools, now }: Progress): number | null {
  const read = Math.min(...positions)
  if (positions.length === 0 || read === 0) return null
  const holdBack = spools.filter(
    ([records, oldest, emptied]) => oldest > 0 && (records > 0 || emptied > read),
  )
  return Math.min(now, read, ...holdBack.map(([, oldest]) => oldest))
}

/** When the last batch with a delivery was stored. */
export async function readLastStoredAt(reader: Reader): Promise<string> {
  return storedSchema.parse(await select(reader, lastStored, {}))[0].stored_at
}

/** Whether this is sample data. */
export async function readIsSample(reader: Reader): Promise<boolean> {
  return (await select(reader, sample, {})).length > 0
}

const storedSchema = z.tuple([z.object({ stored_at: z.string() })])
