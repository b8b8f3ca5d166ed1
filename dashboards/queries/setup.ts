/** What the set-up page shows of the store. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { SetupData } from '../setup.ts'

const readText = (name: string) => readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')
const deliveriesSql = readText('setup-deliveries')
const totalsSql = readText('setup-totals')

const deliveriesSchema = z.array(
  z.object({
    received_at: z.string(),
    source: z.string().nullable(),
    event_type: z.string().nullable(),
    outcome: z.enum(['stored', 'failed']),
    reason: z.string().nullable(),
  }),
)
const totalsSchema = z.tuple([z.object({ stored: z.number(), failed: z.number(), is_sample: z.boolean() })])

export async function readSetup(client: ClickHouseClient, ingestUrl: string | null): Promise<SetupData> {
  const read = async (query: string) => (await client.query({ query, format: 'JSONEachRow' })).json<unknown>()
  const [deliveries, totals] = await Promise.all([read(deliveriesSql), read(totalsSql)])
  const [{ is_sample, ...counts }] = totalsSchema.parse(totals)
  return { ingest_url: ingestUrl, deliveries: deliveriesSchema.parse(deliveries), totals: counts, sample: is_sample }
}
