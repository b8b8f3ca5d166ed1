/** How long completing takes: completed assignments of a scope by the whole days they took. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { inMemory } from './in-memory.ts'
import { findDaysToComplete, type DaysToComplete } from '../columns/days-to-complete.ts'
import { toScopeArgs } from './reporting-lines.ts'
import type { Reader } from '../read/reader.ts'
import { sql } from '../expressions/sql.ts'
import { select, type Statement } from '../read/statement.ts'
import { asOf, personsOf, versions, type ScopeArgs } from './versions.ts'

const columns = 'user_id, state, created_at, completed_at, akey, img, sign'

export const daysToComplete: Statement<ScopeArgs> = {
  name: 'days-to-complete',
  about: 'ids',
  asNumbers: true,
  persons: personsOf,
  text: (args, seen) => sql`WITH ${asOf(args.scope)}
SELECT days, count() AS n
FROM
(
    SELECT
        -- Unknown if either time was never sent.
        any(bitTest(state, 0) AND NOT bitTest(state, 12) AND toUnixTimestamp64Milli(completed_at) != 0) AS is_measured,
        greatest(0, intDiv(any(toUnixTimestamp64Milli(completed_at) - toUnixTimestamp64Milli(created_at)), 86400000)) AS days
    FROM (${versions(args, seen, columns)})
    GROUP BY akey, img
    HAVING sum(sign) > 0
)
WHERE is_measured
GROUP BY days
ORDER BY days`,
}

const row = z.object({ days: z.number(), n: z.number() })

export async function readDaysToComplete(reader: Reader, scope: Scope): Promise<DaysToComplete> {
  return (
    (await inMemory(reader, scope, findDaysToComplete)) ??
    row.array().parse(await select(reader, daysToComplete, await toScopeArgs(reader, scope)))
  )
}
