/**
 * Removes what the owner keeps for a time only (`RETENTION_DAYS`), table by table. Each step can be done again without harm, so a
 * run goes on after any interruption. Nothing that a number is counted from is ever touched.
 */
import type { ClickHouseClient } from '@clickhouse/client'
import { removable, type Removable, type Retention } from '../config/retention.ts'
import { removeOldParts } from '../erasure/remove-old-parts.ts'
import { readCount, type Job } from './job.ts'
import { toDateTime } from '../clickhouse/statements.ts'
import { execute, select } from './statements.ts'

/** Once a day, at a quiet hour. */
const schedule = '47 3 * * *'
const dayMs = 86_400_000

const tables: Record<Removable, { table: string; column: string }> = {
  failed_events: { table: 'failed_event_rows', column: 'received_at' },
  bodies: { table: 'event_bodies', column: 'received_at' },
  repeats: { table: 'repeat_rows', column: 'received_at' },
  findings: { table: 'reconcile_findings', column: 'found_at' },
}

/** `endSnapshots` ends the readers of the removed files. */
export function createRetentionJob(
  client: ClickHouseClient,
  retention: Retention,
  endSnapshots?: () => Promise<void>,
): Job {
  const names = removable.filter((name) => retention.has(name))

  return {
    name: 'retention',
    title: 'Removing what is kept for a time only',
    schedule: names.length === 0 ? 'off' : schedule,
    async run({ checkpoint, startedAtMs, signal, advance }) {
      const counts = (checkpoint?.['removed'] ?? {}) as Partial<Record<Removable, number>>
      for (let at = readCount(checkpoint, 'next'); at < names.length; at++) {
        signal.throwIfAborted()
        const name = names[at] as Removable
        const before = toDateTime(startedAtMs - (retention.get(name) as number) * dayMs)
        const old = { ...tables[name], before }
        const [{ rows } = { rows: 0 }] = await select<{ rows: number }>(client, 'count-old', old)
        if (rows > 0) await execute(client, 'remove-old', old)
        counts[name] = rows
        await advance({ done: rows, checkpoint: { next: at + 1, removed: { ...counts } }, of: names.length })
      }
      const removed = Object.entries(counts).filter(([, rows]) => rows > 0)
      if (removed.length > 0) {
        await removeOldParts(client)
        await endSnapshots?.()
      }
      return removed.length === 0
        ? {}
        : { note: `Removed: ${removed.map(([name, rows]) => `${name} ${rows}`).join(', ')}.` }
    },
  }
}
