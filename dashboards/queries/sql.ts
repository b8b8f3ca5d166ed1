/** Runs the named `.sql` files beside this one; what comes back is checked by the caller. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Scope } from '../../schemas/metrics/scope.ts'

const texts = new Map<string, string>()

export type SqlName = 'blocks' | 'assignments' | 'assignments-page' | 'assignments-total'

export function readSql(name: SqlName): string {
  let text = texts.get(name)
  if (text === undefined) texts.set(name, (text = readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8')))
  return text
}

export async function selectRows(
  client: ClickHouseClient,
  name: SqlName,
  params: Record<string, unknown>,
): Promise<unknown[]> {
  const answer = await client.query({ query: readSql(name), query_params: params, format: 'JSONEachRow' })
  return answer.json()
}

/** The parameters that every statement over a scope has. Dates that were not given are empty text. */
export function toScopeParams(scope: Scope): Record<string, unknown> {
  return {
    as_of: toDateTime(scope.asOf),
    now: toDateTime(scope.now),
    time_zone: scope.timeZone,
    due_zone: scope.dueZone,
    due_end: scope.dueEnd,
    due_soon_days: scope.dueSoonDays,
    include_leavers: scope.includeLeavers,
    challenge: scope.challenge,
    team: scope.team,
    user: scope.user,
    status: scope.status,
    fact: scope.fact,
    aging: scope.aging,
    assigned_from: toDate(scope.assignedFrom),
    assigned_to: toDate(scope.assignedTo),
    completed_from: toDate(scope.completedFrom),
    completed_to: toDate(scope.completedTo),
    due_from: toDate(scope.dueFrom),
    due_to: toDate(scope.dueTo),
  }
}

/** DateTime64(3, 'UTC') as text. */
export function toDateTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 23).replace('T', ' ')
}

/** The engine's days end in 2149, after every time that can be read. */
function toDate(date: string | undefined): string {
  if (date === undefined) return ''
  return date < '1970-01-01' ? '1970-01-01' : date > '2149-06-06' ? '2149-06-06' : date
}
