/** Finds teams, challenges and people by name or id: those that the reader may see. */
import type { ClickHouseClient } from '@clickhouse/client'
import { z } from 'zod'
import { toSeer } from '../audience/seen-by.ts'
import { selectRows, toDateTime } from './sql.ts'

const foundSchema = z.array(
  z.object({ kind: z.enum(['team', 'challenge', 'person']), id: z.string(), name: z.string() }),
)
export type Found = z.infer<typeof foundSchema>[number]

/** `limit`: of each kind. */
export async function readSearch(client: ClickHouseClient, text: string, now: number, limit: number): Promise<Found[]> {
  const { persons } = toSeer(client).audience
  const params = { text, now: toDateTime(now), limit }
  return foundSchema.parse(await selectRows(client, 'search', params, { persons }))
}
