/** Reads the set-up page's data from the store. */
import { join } from 'node:path'
import { z } from 'zod'
import { toInstantOrNull, toStartOfHour } from '../../schemas/instant.ts'
import { readFixed } from '../read/fixed.ts'
import { countFailed } from './failed.ts'
import { readArrived } from '../statements/page-frame.ts'
import { readIsSample } from '../statements/standing.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { readNamesById } from '../statements/people.ts'

const fixed = readFixed(join(import.meta.dirname, 'setup.sql'))
const setupDeliveries = fixed('setup-deliveries', 'everybody', { isHeld: true })
const setupPulls = fixed('setup-pulls', 'nobody', { isHeld: true })
const setupStored = fixed('setup-stored', 'nobody', { isHeld: true })

const deliverySchema = z.object({
  received_at: z.string(),
  event_id: z.string(),
  /** Name of the ingest token; `null` where the token was not known. */
  source: z.string().nullable(),
  event_type: z.string().nullable(),
  /** When it happened; `null`: unknown. */
  event_time: z.string().nullable(),
  person_id: z.string().nullable(),
  challenge_id: z.string().nullable(),
  outcome: z.enum(['stored', 'failed']),
  /** Why it failed or was refused, in words; `null` for the others. */
  reason: z.string().nullable(),
})
type StoredDelivery = z.infer<typeof deliverySchema>

/** One delivery as the set-up page lists it. */
export type SetupDelivery = Omit<StoredDelivery, 'event_id' | 'person_id' | 'challenge_id' | 'outcome'> & {
  /** Id of a delivery that was kept; `null`: it was not. */
  event_id: string | null
  /** Name of the person, or the id where the reader sees no names; `null`: none. */
  person: string | null
  /** Title of the challenge, or its id; `null`: none. */
  challenge: string | null
  /** stored: counted (or kept as unrecognised). pending: acknowledged, on its way. failed: kept with `reason`. refused: not kept. */
  outcome: 'stored' | 'pending' | 'failed' | 'refused'
}

/** One scheduled job: a pull from the platform, or reconciliation. */
const pullSchema = z.object({
  job: z.string(),
  /** `running` also after a crash, until it continues. */
  state: z.enum(['running', 'succeeded', 'failed']),
  /** `null`: never. */
  last_success_at: z.number().nullable().transform(toInstantOrNull),
  /** Items of the latest run. */
  items: z.number(),
  /** `null`: unknown. */
  total: z.number().nullable(),
  skipped: z.number(),
  /** Why its last attempt failed, in words. */
  error: z.string().nullable(),
  note: z.string().nullable(),
})
export type SetupPull = z.infer<typeof pullSchema>

/** The data of the set-up page. The process that knows the ingest side fills in its refusals. */
export type SetupData = Awaited<ReturnType<typeof readSetup>>
const storedSchema = z.tuple([z.object({ stored: z.number() })])

async function toNamed(reader: Reader, deliveries: StoredDelivery[]): Promise<SetupDelivery[]> {
  const now = Date.now()
  const nameOf = await readNamesById(
    reader,
    { asOf: now, now },
    deliveries.flatMap(({ person_id }) => person_id ?? []),
  )
  return deliveries.map(({ person_id, challenge_id, ...delivery }) => ({
    ...delivery,
    person: person_id && (nameOf('person', person_id) || person_id),
    challenge: challenge_id && (nameOf('challenge', challenge_id) || challenge_id),
  }))
}

/** Every job that ever ran, by name; empty where nothing ever ran. */
export async function readPulls(reader: Reader): Promise<SetupPull[]> {
  return z.array(pullSchema).parse(await select(reader, setupPulls, {}))
}

export async function readSetup(reader: Reader, ingestUrl: string | null) {
  const [deliveries, total, { newest_by_webhook }, failed, pulls, sample] = await Promise.all([
    select(reader, setupDeliveries, { from: toStartOfHour(Date.now()) - 7 * 86_400_000 }),
    select(reader, setupStored, {}),
    readArrived(reader),
    countFailed(reader),
    readPulls(reader),
    readIsSample(reader),
  ])
  const [{ stored }] = storedSchema.parse(total)
  return {
    /** The full URL with its token, or `null` where this process does not know it. */
    ingest_url: ingestUrl,
    /** Newest first, at most 20. */
    deliveries: await toNamed(reader, z.array(deliverySchema).parse(deliveries)),
    /** All deliveries ever stored and ever kept as failed. */
    totals: { stored, failed },
    /** Whether one ever came; a test event is none. */
    has: { challenge_events: newest_by_webhook > 0 },
    pulls,
    sample,
  }
}
