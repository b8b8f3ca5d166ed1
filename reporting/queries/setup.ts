/** Reads the set-up page's data from the store. */
import { join } from 'node:path'
import { z } from 'zod'
import type { SetupData, SetupDelivery, SetupPull } from './setup-data.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { select } from '../read/statement.ts'
import { readNamesById } from '../statements/people.ts'

const fixed = readFixed(join(import.meta.dirname, 'setup.sql'))
const setupDeliveries = fixed('setup-deliveries', 'everybody')
const setupPulls = fixed('setup-pulls', 'nobody')
const setupTotals = fixed('setup-totals', 'nobody')

const deliveriesSchema = z.array(
  z.object({
    received_at: z.string(),
    event_id: z.string(),
    source: z.string().nullable(),
    event_type: z.string().nullable(),
    event_time: z.string().nullable(),
    person_id: z.string().nullable(),
    challenge_id: z.string().nullable(),
    outcome: z.enum(['stored', 'failed']),
    reason: z.string().nullable(),
  }),
)
const pullsSchema = z.array(
  z.object({
    job: z.string(),
    state: z.enum(['running', 'succeeded', 'failed']),
    last_success_at: z.string().nullable(),
    items: z.number(),
    skipped: z.number(),
    error: z.string().nullable(),
    note: z.string().nullable(),
  }),
)
const totalsSchema = z.tuple([
  z.object({
    stored: z.number(),
    failed: z.number(),
    has_challenge_events: z.boolean(),
    has_test_events: z.boolean(),
    is_sample: z.boolean(),
  }),
])

type StoredDelivery = z.infer<typeof deliveriesSchema>[number]

async function toNamed(reader: Reader, deliveries: StoredDelivery[]): Promise<SetupDelivery[]> {
  const now = Date.now()
  const nameOf = await readNamesById(
    reader,
    { asOf: now, now },
    {
      people: deliveries.flatMap(({ person_id }) => person_id ?? []),
      challenges: deliveries.flatMap(({ challenge_id }) => challenge_id ?? []),
    },
  )
  return deliveries.map(({ person_id, challenge_id, ...delivery }) => ({
    ...delivery,
    person: person_id && (nameOf('person', person_id) || person_id),
    challenge: challenge_id && (nameOf('challenge', challenge_id) || challenge_id),
  }))
}

/** Every job that ever ran, by name. */
export async function readPulls(reader: Reader): Promise<SetupPull[]> {
  return pullsSchema.parse(await select(reader, setupPulls, {}))
}

export async function readSetup(reader: Reader, ingestUrl: string | null): Promise<SetupData> {
  const [deliveries, totals, pulls] = await Promise.all([
    select(reader, setupDeliveries, {}),
    select(reader, setupTotals, {}),
    readPulls(reader),
  ])
  const [{ is_sample, has_challenge_events, has_test_events, ...counts }] = totalsSchema.parse(totals)
  return {
    ingest_url: ingestUrl,
    deliveries: await toNamed(reader, deliveriesSchema.parse(deliveries)),
    totals: counts,
    has: { challenge_events: has_challenge_events, test_events: has_test_events },
    pulls,
    sample: is_sample,
  }
}
