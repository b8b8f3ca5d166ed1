/** The data of the Health page: do the platform's deliveries arrive, complete and valid? */
import { join } from 'node:path'
import { z } from 'zod'
import { instantSchema, toInstant, toStartOfHour } from '../../schemas/instant.ts'
import { judgeSilence, speakAfterSeconds, toWeeksBefore, type Silence } from '../../schemas/silence.ts'
import { readFailedEvents } from './failed.ts'
import { readPulls } from './setup.ts'
import { contradictions } from '../../schemas/webhook/contradictions.ts'
import { readFixed } from '../read/fixed.ts'
import { readIsSample, readStanding, type LiveProgress } from '../statements/standing.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { readArrived } from '../statements/page-frame.ts'

const sql = readFixed(join(import.meta.dirname, 'health.sql'))
const arrivals = sql('arrivals', 'nobody', { isHeld: true })
const failedArrivals = sql('failed-arrivals', 'nobody', { isHeld: true })
const ledger = sql('ledger', 'nobody', { isHeld: true })
const ledgerTotal = sql('ledger-total', 'nobody', { isHeld: true })
const reconciled = sql('reconciled', 'nobody', { isHeld: true })
const findings = sql('findings', 'nobody', { isHeld: true })
const silence = sql('silence', 'nobody')
const missingLists = sql('missing-lists', 'nobody', { isHeld: true })
const oddities = sql('oddities', 'nobody', { isHeld: true })

const outcomesSchema = z.object({ stored: z.number(), repeated: z.number(), failed: z.number() })
const lineSchema = outcomesSchema.extend({ source: z.string() })
const totalSchema = z.tuple([
  outcomesSchema.extend({ given: z.number(), waiting: z.number(), lost: z.number(), difference: z.number() }),
])
const barsSchema = z.array(z.object({ at: z.number(), events: z.number() }))
/** Where `at` is 0, of all. */
const arrivalsSchema = z.array(
  barsSchema.element.extend({ timed: z.number(), delays: z.tuple([z.number(), z.number()]) }),
)
const reconciledSchema = z.tuple([
  z.object({ people: z.number(), last_at: z.number(), store_version: z.string() }),
])
const findingSchema = z.object({ kind: z.string(), action: z.string(), count: z.number() })
const missingListSchema = z.object({
  list: z.enum(['guides', 'guide_assignments', 'changed_guide_assignments']),
  path: z.string(),
})
/** The platform does not offer it. */
export type MissingList = z.infer<typeof missingListSchema>

const seenSchema = z.object({
  name: z.string(),
  events: z.number(),
  first_seen: instantSchema,
  last_seen: instantSchema,
})
/**
 * retyped: another form than specified; early: a time before 2000; ahead: a time more than a day after the receipt; unknown: not
 * specified; missing: required, and absent or null; event_type: not one of ours.
 */
const driftSchema = seenSchema.extend({
  kind: z.enum(['retyped', 'early', 'ahead', 'unknown', 'missing', 'event_type']),
})
export type DriftLine = z.infer<typeof driftSchema>
/** Of a contradiction the name is its bit; 0: any. */
const odditySchema = z.union([driftSchema, seenSchema.extend({ kind: z.literal('contradiction') })])

const silenceSchema = z.tuple([
  z.object({
    received: z.number(),
    lastAt: z.number(),
    windowSeconds: z.number(),
    sameWindow: z.array(z.number()),
  }),
])

/** `now`: epoch ms. `live`: as of `readStanding`. */
type HealthOptions = { now: number; timeZone: string; live?: (() => Promise<LiveProgress>) | undefined }

const newestFailed = 20
/** It reads few rows of many tables: a plan as written, in one thread, takes four fifths of the time. */
const ledgerSettings = ', max_threads = 1, query_plan_enable_optimizations = 0'

export type Health = Awaited<ReturnType<typeof readHealth>>

export async function readHealth(reader: Reader, { now, timeZone, live }: HealthOptions) {
  const hour = { now: toStartOfHour(now) }
  const [day, total, standing, quiet, arrived, checked, found, failed, odd, missing, pulls, sample] =
    await Promise.all([
      // Takes longest.
      select(reader, ledger, hour, ledgerSettings),
      select(reader, ledgerTotal, {}, ledgerSettings),
      readStanding(reader, live),
      readSilence(reader, { now, timeZone }),
      readArrivals(reader, now),
      select(reader, reconciled, {}),
      select(reader, findings, hour),
      readFailedEvents(reader, { reason: '', limit: newestFailed }),
      readOddities(reader),
      select(reader, missingLists, hour),
      readPulls(reader),
      readIsSample(reader),
    ])
  const [{ people, last_at, store_version }] = reconciledSchema.parse(checked)
  return {
    as_of: toInstant(now),
    standing,
    silence: quiet,
    ...arrived,
    /** Of the last 24 hours by source, and in all. */
    ledger: { day: lineSchema.array().parse(day), all: totalSchema.parse(total)[0] },
    failed,
    ...odd,
    missing_lists: missingListSchema.array().parse(missing),
    pulls,
    reconciled: {
      people,
      last_at: last_at <= 0 ? null : toInstant(last_at),
      findings: findingSchema.array().parse(found),
    },
    sample,
    store_version,
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

const [minute, hour] = [60_000, 3_600_000]

async function readArrivals(reader: Reader, now: number) {
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
    /** The last 60 minutes and the last 48 hours, without gaps. */
    minutes: toBars(bars, { now, count: 60, stepMs: minute }),
    hours: toBars(bars, { now, count: 48, stepMs: hour }),
    /** From the event to its arrival, in the last 24 hours; `null`: nothing came. */
    delay: timed === 0 ? null : { count: timed, p50_ms, p90_ms },
  }
}

/** Fields and types that are not as specified, and deliveries that contradict themselves: those seen last first. */
export async function readOddities(reader: Reader) {
  const all = odditySchema.array().parse(await select(reader, oddities, {}))
  const ofBits = all.filter(({ kind }) => kind === 'contradiction')
  const countOf = (bit: number) => ofBits.find(({ name }) => name === String(bit))
  return {
    drift: all.filter((each): each is DriftLine => each.kind !== 'contradiction').slice(0, 200),
    contradictions: {
      /** Deliveries with at least one. */
      total: countOf(0)?.events ?? 0,
      lines: contradictions.flatMap(({ bit, name, text }) => {
        const { events, first_seen, last_seen } = countOf(bit) ?? { events: 0, first_seen: '', last_seen: '' }
        return events === 0 ? [] : [{ name, text, events, first_seen, last_seen }]
      }),
    },
  }
}

/** One bar for each of the last steps, without gaps: deliveries that arrived from this instant on. */
function toBars(
  bars: z.infer<typeof barsSchema>,
  { now, count, stepMs }: { now: number; count: number; stepMs: number },
) {
  const eventsAt = new Map<number, number>()
  for (const { at, events } of bars) {
    const step = Math.floor((at * 1_000) / stepMs)
    eventsAt.set(step, (eventsAt.get(step) ?? 0) + events)
  }
  const first = Math.floor(now / stepMs) - count + 1
  return Array.from({ length: count }, (_, index) => ({
    at: toInstant((first + index) * stepMs),
    count: eventsAt.get(first + index) ?? 0,
  }))
}
