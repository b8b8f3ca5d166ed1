/** The data of the Health page: does what the platform sends arrive, complete and valid? */
import { join } from 'node:path'
import { z } from 'zod'
import { instantSchema, toInstant, toStartOfHour } from '../../schemas/instant.ts'
import { judgeSilence, type Silence } from '../../schemas/silence.ts'
import { readContradictions, type Contradictions } from './contradictions.ts'
import type { FailedEvents } from '../../schemas/answers/failed-events.ts'
import { readFailedEvents } from './failed.ts'
import { readMissingLists, type MissingList } from './missing-lists.ts'
import { readPlatformNotices, type PlatformNotice } from './platform-notices.ts'
import { readPulls, type SetupPull } from './setup.ts'
import { readFixed } from '../read/fixed.ts'
import { readStanding, type LiveProgress, type Standing } from '../statements/standing.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'

export type LedgerLine = { source: string } & ReturnType<typeof toLine>

const driftSchema = z.object({
  /** retyped: another form than specified; unknown: not specified; missing: required, and absent or null; event_type: not one of ours. */
  kind: z.enum(['retyped', 'unknown', 'missing', 'event_type']),
  name: z.string(),
  events: z.number(),
  first_seen: instantSchema,
  last_seen: instantSchema,
})
export type DriftLine = z.infer<typeof driftSchema>

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
  ledger: { day: LedgerLine[]; all: Omit<LedgerLine, 'source'> }
  failed: FailedEvents
  drift: DriftLine[]
  contradictions: Contradictions
  notices: PlatformNotice[]
  missing_lists: MissingList[]
  pulls: SetupPull[]
  reconciled: { people: number; last_at: string | null; findings: { kind: string; action: string; count: number }[] }
  sample: boolean
  store_version: string
}

const sql = readFixed(join(import.meta.dirname, 'health.sql'))
const arrivals = sql('arrivals', 'nobody')
const ledger = sql('health', 'nobody', { isHeld: true })
const silence = sql('silence', 'nobody')
const drift = sql('drift', 'nobody', { isHeld: true })

const counts = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])
type Counts = z.infer<typeof counts>
const bars = z.array(z.tuple([z.number(), z.number()]))
const arrivalsSchema = z.tuple([
  z.object({ minutes: bars, hours: bars, delay: z.tuple([z.number(), z.number(), z.number()]) }),
])
const healthSchema = z.tuple([
  z.object({
    ledger: z.array(z.tuple([z.string(), z.number(), ...counts.def.items])),
    findings: z.array(z.tuple([z.string(), z.string(), z.number()])),
    reconciled: z.tuple([z.number(), z.number()]),
    is_sample: z.union([z.boolean(), z.number()]).transform(Boolean),
    store_version: z.string(),
  }),
])
const silenceSchema = z.tuple([
  z.object({
    received: z.number(),
    lastAt: z.number(),
    windowSeconds: z.number(),
    sameWindow: z.array(z.number()),
  }),
])

export type HealthOptions = {
  /** Epoch ms. */
  now: number
  timeZone: string
  /** As of `readStanding`. */
  live?: (() => Promise<LiveProgress>) | undefined
}

const newestFailed = 20

export async function readHealth(reader: Reader, { now, timeZone, live }: HealthOptions): Promise<Health> {
  const [standing, quiet, arrivedRows, counted, failed, drifted, contradictions, notices, missingLists, pulls] =
    await Promise.all([
      readStanding(reader, live),
      readSilence(reader, { now, timeZone }),
      select(reader, arrivals, { now }),
      select(reader, ledger, { now: toStartOfHour(now) }),
      readFailedEvents(reader, { reason: '', limit: newestFailed }),
      select(reader, drift, {}),
      readContradictions(reader),
      readPlatformNotices(reader, now),
      readMissingLists(reader, now),
      readPulls(reader),
    ])
  const [arrived] = arrivalsSchema.parse(arrivedRows)
  const [row] = healthSchema.parse(counted)
  const [delays, p50_ms, p90_ms] = arrived.delay
  const [people, lastChecked] = row.reconciled
  return {
    as_of: toInstant(now),
    standing,
    silence: quiet,
    minutes: withoutGaps(arrived.minutes, { now, count: 60, stepMs: 60_000 }),
    hours: withoutGaps(arrived.hours, { now, count: 48, stepMs: 3_600_000 }),
    delay: delays === 0 ? null : { count: delays, p50_ms, p90_ms },
    ledger: {
      day: row.ledger.flatMap(([source, isShown, ...line]) => (isShown === 1 ? [{ source, ...toLine(line) }] : [])),
      all: toLine(row.ledger.reduce((sums, [, , ...line]) => addUp(sums, line), [0, 0, 0, 0, 0, 0])),
    },
    failed,
    drift: z.array(driftSchema).parse(drifted),
    contradictions,
    notices,
    missing_lists: missingLists,
    pulls,
    reconciled: {
      people,
      last_at: lastChecked <= 0 ? null : toInstant(lastChecked),
      findings: row.findings.map(([kind, action, count]) => ({ kind, action, count })),
    },
    sample: row.is_sample,
    store_version: row.store_version,
  }
}

export async function readSilence(
  reader: Reader,
  { now, timeZone }: { now: number; timeZone: string },
): Promise<Silence> {
  const [facts] = silenceSchema.parse(await select(reader, silence, { now, time_zone: timeZone }))
  return judgeSilence(facts)
}

const addUp = (a: Counts, b: Counts): Counts => a.map((each, index) => each + b[index]!) as Counts

function toLine([acknowledged, waiting, stored, duplicate, failed, difference]: Counts) {
  return { acknowledged, waiting, stored, duplicate, failed, difference }
}

function withoutGaps(
  found: z.infer<typeof bars>,
  { now, count, stepMs }: { now: number; count: number; stepMs: number },
): Arrived[] {
  const known = new Map(found.map(([seconds, events]) => [seconds * 1000, events]))
  const last = Math.floor(now / stepMs) * stepMs
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * stepMs
    return { at: toInstant(at), count: known.get(at) ?? 0 }
  })
}
