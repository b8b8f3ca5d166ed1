/** Names to join to a statement, which defines `as_of`. Written out, because a view costs 20 ms more than its text. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import { instant, join, raw, sql, where, type Fragment } from '../read/sql.ts'

type Column = 'name' | 'email' | 'teams' | 'active'

/** The people of the moment, one row each. */
export function people({ now }: Scope, columns: readonly Column[], condition: Fragment | null = null): Fragment {
  const then = [raw('valid_from <= as_of'), raw('valid_to > as_of')]
  return sql`SELECT user_id, ${join(columns.map(toColumn), ', ')}
    FROM rollcall.user_versions AS version
    ${where(...then, condition)}
    GROUP BY user_id, img
    HAVING sum(sign) > 0`

  // Teams reported only after both the moment and now do not count.
  function toColumn(column: Column): Fragment {
    const any = raw(`any(version.${column})`)
    const of =
      column === 'teams' ? sql`if(any(version.teams_seen_at) <= greatest(as_of, ${instant(now)}), ${any}, [])` : any
    return sql`${of} AS ${raw(column)}`
  }
}

/** The titles of challenges, as last sent. */
export const titles: Fragment = raw(
  `(SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id)`,
)
