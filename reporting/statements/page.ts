/** What a page shows besides its numbers: names, and what has arrived recently. It does not need their snapshot. */
import { instant, sql, when } from '../expressions/sql.ts'
import type { Statement } from '../read/statement.ts'
import { namesNow, valuesNow } from './people.ts'

/** `attributes`: those whose values are offered. */
export const names: Statement<{ attributes: readonly string[] }> = {
  name: 'names',
  about: 'ids',
  isHeld: true,
  persons: () => [],
  text: ({ attributes }, seen) =>
    sql`${namesNow(seen)}${when(attributes.length > 0, sql` UNION ALL SELECT * FROM (${valuesNow(seen, attributes)})`)}`,
}

/** `today`: when it began, epoch ms. */
export const arrived: Statement<{ today: number }> = {
  name: 'arrived',
  about: 'nobody',
  isHeld: true,
  text: ({ today }) => sql`SELECT
    (SELECT count() > 0 FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample,
    (SELECT count() > 0 FROM (SELECT 1 FROM rollcall.event_rows WHERE rank > 0 LIMIT 1)) AS has_challenge_events,
    (
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.event_rows),
        (SELECT toUnixTimestamp64Milli(max(received_at)) FROM rollcall.failed_event_rows),
        (SELECT uniqExact(event_id) FROM rollcall.failed_event_rows WHERE received_at >= ${instant(today)}),
        (SELECT uniqExact(event_id) FROM rollcall.event_rows WHERE received_at >= ${instant(today)} AND rank = 0 AND event_type != 'userDeleted')
    ) AS received`,
}
