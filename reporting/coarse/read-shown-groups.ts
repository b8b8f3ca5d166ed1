import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toScopeParams } from '../queries/sql.ts'
import { toShownGroups, type ShownGroups } from './shown-groups.ts'
import type { Reader } from '../read/reader.ts'

const rowsSchema = z.array(
  z.object({
    kind: z.enum(['all', 'challenge', 'teams', 'both']),
    ids: z.array(z.string()),
    people: z.number(),
    only: z.number(),
    grades: z.number(),
    graded: z.number(),
    completed: z.number(),
    waiting: z.number(),
  }),
)

/** At the moment of a scope; its filters do not count. */
export async function readShownGroups(reader: Reader, scope: Scope): Promise<ShownGroups> {
  const everybody = toScopeParams({ ...scope, team: [], challenge: [] })
  return toShownGroups(rowsSchema.parse(await selectRows(reader, 'group-people', everybody)))
}
