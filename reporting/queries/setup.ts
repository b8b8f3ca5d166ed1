/** Reads the set-up page's data from the store. */
import { join } from 'node:path'
import { z } from 'zod'
import type { SetupData, SetupDelivery, SetupPull } from './setup-data.ts'
import { readFixed } from '../read/fixed.ts'
import type { Reader } from '../read/reader.ts'
import { list, sql, where } from '../read/sql.ts'
import { select, type Statement } from '../read/statement.ts'

const fixed = readFixed(join(import.meta.dirname, 'setup.sql'))
const setupDeliveries = fixed('setup-deliveries', 'everybody')
const setupPulls = fixed('setup-pulls', 'nobody')
const setupTotals = fixed('setup-totals', 'nobody')

/** Names of the people and challenges of the newest deliveries. */
export const setupNames: Statement<{ people: readonly string[]; challenges: readonly string[] }> = {
  name: 'setup-names',
  about: 'names',
  persons: () => [],
  text: ({ people, challenges }, seen) => sql`SELECT 'challenge' AS kind, id, argMax(name, (last_seen, name)) AS name
FROM rollcall.names
WHERE kind = 'challenge' AND id IN ${list('String', challenges)}
GROUP BY id
UNION ALL
SELECT 'person', user_id, ${seen.name('name', 'user_id')}
FROM rollcall.people_at(as_of = now64(3, 'UTC'), now = now64(3, 'UTC'))
${where(sql`user_id IN ${list('String', people)}`, sql`name != ''`, seen.only('user_id'))}`,
}

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
const namesSchema = z.array(z.object({ kind: z.enum(['person', 'challenge']), id: z.string(), name: z.string() }))

type StoredDelivery = z.infer<typeof deliveriesSchema>[number]

async function toNamed(reader: Reader, deliveries: StoredDelivery[]): Promise<SetupDelivery[]> {
  const ids = (key: 'person_id' | 'challenge_id') => [
    ...new Set(deliveries.map((delivery) => delivery[key]).filter((id) => id !== null)),
  ]
  const asked = { people: ids('person_id'), challenges: ids('challenge_id') }
  const found = namesSchema.parse(await select(reader, setupNames, asked))
  const names = new Map(found.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  return deliveries.map(({ person_id, challenge_id, ...delivery }) => ({
    ...delivery,
    person: person_id === null ? null : (names.get(`person ${person_id}`) ?? person_id),
    challenge: challenge_id === null ? null : (names.get(`challenge ${challenge_id}`) ?? challenge_id),
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
