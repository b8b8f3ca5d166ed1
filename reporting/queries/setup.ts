/** Reads the set-up page's data from the store. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import type { SetupData } from './setup-data.ts'
import { selectRows } from './sql.ts'

const deliveriesSchema = z.array(
  z.object({
    received_at: z.string(),
    source: z.string().nullable(),
    event_type: z.string().nullable(),
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
const totalsSchema = z.tuple([z.object({ stored: z.number(), failed: z.number(), is_sample: z.boolean() })])

export async function readSetup(client: ClickHouseClient, ingestUrl: string | null): Promise<SetupData> {
  const [deliveries, totals, pulls] = await Promise.all([
    selectRows(client, 'setup-deliveries', {}),
    selectRows(client, 'setup-totals', {}),
    selectRows(client, 'setup-pulls', {}),
  ])
  const [{ is_sample, ...counts }] = totalsSchema.parse(totals)
  return {
    ingest_url: ingestUrl,
    deliveries: deliveriesSchema.parse(deliveries),
    totals: counts,
    pulls: pullsSchema.parse(pulls),
    sample: is_sample,
  }
}
