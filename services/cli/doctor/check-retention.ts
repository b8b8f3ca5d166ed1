/** Whether rows that the owner keeps for a time only are removed, and how long others are kept. */
import type { ClickHouseClient } from '@clickhouse/client'
import { removable, type Retention } from '../../config/retention.ts'
import type { Finding } from './finding.ts'
import { select } from '../statements.ts'

const dayMs = 86_400_000
/** The job runs once a day, and not while the process is stopped. */
const lateDays = 3

export async function checkRetention(
  client: ClickHouseClient,
  retention: Retention,
  now: number,
): Promise<Finding | undefined> {
  if (retention.size === 0) return undefined
  const oldest = await select<{ name: string; oldestAt: number }>(client, 'oldest-kept')
  const late = removable.filter((name) => {
    const days = retention.get(name)
    const oldestAt = oldest.find((row) => row.name === name)?.oldestAt ?? 0
    return days !== undefined && oldestAt > 0 && now - oldestAt > (days + lateDays) * dayMs
  })
  if (late.length === 0) return undefined
  return {
    code: 'retention_late',
    severity: 'warning',
    what: `Older than RETENTION_DAYS says, and still there: ${late.join(', ')}.`,
    why: 'They are removed once a day by the process that stores.',
    todo: 'Leave it running at 03:47 (TIME_ZONE), and look for the job retention in the view pulls or on the page Health.',
  }
}

export function toRetentionLine(retention: Retention): string {
  const periods = removable.map((name) => {
    const days = retention.get(name) ?? (name === 'repeats' ? 90 : undefined)
    return `${name} ${days === undefined ? 'for ever' : `${days} days`}`
  })
  return `Kept: ${periods.join(', ')}; what numbers are counted from, for ever (docs/retention.md).`
}
