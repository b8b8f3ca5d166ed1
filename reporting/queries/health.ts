/** The data of the Health page: do the platform's deliveries arrive, complete and valid? */
import { join } from 'node:path'
import { z } from 'zod'
import { instantSchema, toInstant, toInstantOrNull, toStartOfHour } from '../../schemas/instant.ts'
import { judgeSilence, speakAfterSeconds, toWeeksBefore, type Silence } from '../../schemas/silence.ts'
import type { FailedEvents } from '../../schemas/answers/deliveries.ts'
import { readFailedEvents } from './failed.ts'
import { readPulls, type SetupPull } from './setup.ts'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { readFixed } from '../read/fixed.ts'
import { readIsSample, readStanding, type LiveProgress, type Standing } from '../statements/standing.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { readArrived } from '../statements/page-frame.ts'

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

export type LedgerLine = z.infer<typeof lineSchema>
export type LedgerTotal = z.infer<typeof totalSchema>[0]

const driftSchema = z.object({
  /**
   * retyped: another form than specified; early: a time before 2000; ahead: a time more than a day after the receipt; unknown: not
   * specified; missing: required, and absent or null; event_type: not one of ours.
   */
  kind: z.enum(['retyped', 'early', 'ahead', 'unknown', 'missing', 'event_type']),
  name: z.string(),
  events: z.number(),
  first_seen: instantSchema,
  last_seen: instantSchema,
  /** Ids of some of the events; none of fields that are sampled. */
  examples: z.array(z.string()).default([]),
})
export type DriftLine = z.infer<typeof driftSchema>

const missingListSchema = z.object({
  list: z.enum(['guides', 'guide_assignments', 'changed_guide_assignments']),
  path: z.string(),
  /** `null`: never. */
  answered_at: z.number().transform(toInstantOrNull),
  refused_at: instantSchema,
})
/** The platform does not offer it. */
export type MissingList = z.infer<typeof missingListSchema>

/** A bar: deliveries that arrived from this instant on. */
export type Arrived = { at: string; count: number }

export type Health = {
  as_of: string
  standing: Standing
  silence: Silence
  /** The last 60 minutes and the last 48 hours, without gaps. */
  minutes: Arrived[]
  hours: Arrived[]
  /** From the event to its arrival, in the last 24 hours; `null`: nothing came. */
  delay: { count: number; p50_ms: number; p90_ms: number } | null
  /** Of the last 24 hours by source, and in all. */
  ledger: { day: LedgerLine[]; all: LedgerTotal }
  failed: FailedEvents
  drift: DriftLine[]
  contradictions: Contradictions
  missing_lists: MissingList[]
  pulls: SetupPull[]
  reconciled: {
    people: number
    last_at: string | null
    findings: { kind: string; action: string; count: number }[]
  }
  sample: boolean
  store_version: string
}

const sql = readFixed(join(import.meta.dirname, 'health.sql'))
const arrivals = sql('arrivals', 'nobody', { isHeld: true })
const failedArrivals = sql('failed-arrivals', 'nobody', { isHeld: true })
const ledger = sql('ledger', 'nobody', { isHeld: true })
const ledgerTotal = sql('ledger-total', 'nobody', { isHeld: true })
const reconciled = sql('reconciled', 'nobody', { isHeld: true })
const silence = sql('silence', 'nobody')
const missingLists = sql('missing-lists', 'nobody', { isHeld: true })
const oddFields = sql('odd-fields', 'nobody', { isHeld: true })

const oddEvents = sql('odd-events', 'nobody', { isHeld: true })

const outcomesSchema = z.object({ stored: z.number(), repeated: z.number(), failed: z.number() })
const lineSchema = outcomesSchema.extend({ source: z.string() })
const totalSchema = z.tuple([
  outcomesSchema.extend({ given: z.number(), waiting: z.number(), lost: z.number(), difference: z.number() }),
])
/** Where `at` is 0, of all. */
const arrivalsSchema = z.array(
  z.object({
    at: z.number(),
    events: z.number(),
    timed: z.number(),
    delays: z.tuple([z.number(), z.number()]),
  }),
)
const barsSchema = z.array(z.object({ at: z.number(), events: z.number() }))
const reconciledSchema = z.tuple([
  z.object({
    findings: z.array(z.tuple([z.string(), z.string(), z.number()])),
    reconciled: z.tuple([z.number(), z.number()]),
    store_version: z.string(),
  }),
])
const fieldsSchema = z.array(
  z.object({
    kind: z.enum(['unknown', 'missing']),
    name: z.string(),
    events: z.number(),
    first_seen: z.number(),
    last_seen: z.number(),
  }),
)
const silenceSchema = z.tuple([
  z.object({
    received: z.number(),
    lastAt: z.number(),
    windowSeconds: z.number(),
    sameWindow: z.array(z.number()),
  }),
])

type HealthOptions = {
  /** Epoch ms. */
  now: number
  timeZone: string
  /** As of `readStanding`. */
  live?: (() => Promise<LiveProgress>) | undefined
}

const newestFailed = 20
/** It reads few rows of many tables: a plan as written, in one thread, takes four fifths of the time. */
const ledgerSettings = ', max_threads = 1, query_plan_enable_optimizations = 0'

export async function readHealth(reader: Reader, { now, timeZone, live }: HealthOptions): Promise<Health> {
  const [
    day,
    total,
    standing,
    quiet,
    arrived,
    checked,
    failed,
    drift,
    contradicting,
    missing,
    pulls,
    sample,
  ] = await Promise.all([
    // Takes longest.
    select(reader, ledger, { now: toStartOfHour(now) }, ledgerSettings),
    select(reader, ledgerTotal, {}, ledgerSettings),
    readStanding(reader, live),
    readSilence(reader, { now, timeZone }),
    readArrivals(reader, now),
    select(reader, reconciled, { now: toStartOfHour(now) }),
    readFailedEvents(reader, { reason: '', limit: newestFailed }),
    readDrift(reader),
    readContradictions(reader),
    select(reader, missingLists, { now: toStartOfHour(now) }),
    readPulls(reader),
    readIsSample(reader),
  ])
  const [row] = reconciledSchema.parse(checked)
  const [people, lastChecked] = row.reconciled
  return {
    as_of: toInstant(now),
    standing,
    silence: quiet,
    ...arrived,
    ledger: { day: lineSchema.array().parse(day), all: totalSchema.parse(total)[0] },
    failed,
    drift,
    contradictions: contradicting,
    missing_lists: missingListSchema.array().parse(missing),
    pulls,
    reconciled: {
      people,
      last_at: lastChecked <= 0 ? null : toInstant(lastChecked),
      findings: row.findings.map(([kind, action, count]) => ({ kind, action, count })),
    },
    sample,
    store_version: row.store_version,
  }
}

export async function readSilence(
  reader: Reader,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<Silence> {
  const { newest_by_webhook: lastAt } = await readArrived(reader)
  const windowSeconds = Math.floor(now / 1_000) - Math.floor(lastAt / 1_000)
  // The usual silence is asked for only where there is silence.
  if (lastAt > 0 && lastAt <= now && windowSeconds < speakAfterSeconds)
    return judgeSilence({ received: 1, lastAt, windowSeconds, sameWindow: [] })
  const [facts] = silenceSchema.parse(
    await select(reader, silence, { now, weeks_before: toWeeksBefore(timeZone, now) }),
  )
  return judgeSilence(facts)
}

async function readArrivals(
  reader: Reader,
  now: number,
): Promise<Pick<Health, 'minutes' | 'hours' | 'delay'>> {
  const [minute, hour] = [60_000, 3_600_000]
  // The same question for a minute, whose answer is held.
  const end = (Math.floor(now / minute) + 1) * minute
  const [received, ofFailed] = await Promise.all([
    select(reader, arrivals, { end, hour_ago: end - hour, day_ago: end - 24 * hour, from: end - 49 * hour }),
    select(reader, failedArrivals, { from: toStartOfHour(now) - 48 * hour }),
  ])
  const events = arrivalsSchema.parse(received)
  const { timed = 0, delays: [p50_ms, p90_ms] = [0, 0] } = events.find(({ at }) => at === 0) ?? {}
  const bars = [...events.filter(({ at }) => at !== 0), ...barsSchema.parse(ofFailed)]
  return {
    minutes: toBars(bars, { now, count: 60, stepMs: 60_000 }),
    hours: toBars(bars, { now, count: 48, stepMs: hour }),
    delay: timed === 0 ? null : { count: timed, p50_ms, p90_ms },
  }
}

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

/** Fields and types that are not as specified, those seen last first. */
async function readDrift(reader: Reader): Promise<DriftLine[]> {
  const [events, fields] = await Promise.all([readOddEvents(reader), select(reader, oddFields, {})])
  const oddities = [...events.filter(({ kind }) => kind !== 'contradiction'), ...fieldsSchema.parse(fields)]
  oddities.sort((a, b) => b.last_seen - a.last_seen || compare(a.kind, b.kind) || compare(a.name, b.name))
  return driftSchema.array().parse(oddities.slice(0, 200))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** One bar for each of the last steps, without gaps. */
function toBars(
  bars: readonly { at: number; events: number }[],
  { now, count, stepMs }: { now: number; count: number; stepMs: number },
): Arrived[] {
  const eventsAt = new Map<number, number>()
  for (const { at, events } of bars) {
    const step = Math.floor((at * 1_000) / stepMs)
    eventsAt.set(step, (eventsAt.get(step) ?? 0) + events)
  }
  const last = Math.floor(now / stepMs)
  return Array.from({ length: count }, (_, index) => {
    const step = last - (count - 1 - index)
    return { at: toInstant(step * stepMs), count: eventsAt.get(step) ?? 0 }
  })
}
