/** Finds teams, challenges and people by name or id: those that the reader may see. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toDateTime } from './sql.ts'
import type { Reader } from '../read/reader.ts'

const foundSchema = z.array(
  z.object({ kind: z.enum(['team', 'challenge', 'person']), id: z.string(), name: z.string() }),
)
export type Found = z.infer<typeof foundSchema>[number]

/** People as of a moment, by the name they had then; of teams and challenges only the latest name is kept. `limit`: of each kind. */
export async function readSearch(
  reader: Reader,
  text: string,
  { asOf, now }: Pick<Scope, 'asOf' | 'now'>,
  limit: number,
): Promise<Found[]> {
  const { persons } = reader.audience()
  const params = { text, as_of: toDateTime(asOf), now: toDateTime(now), limit }
  return foundSchema.parse(await selectRows(reader, 'search', params, { persons }))
}
