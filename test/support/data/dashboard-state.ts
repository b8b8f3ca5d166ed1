/** Rows in every table of the dashboards' own state: who may see what, links and saved views. All are about one person. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toEverySession } from '../../../services/access/access-store.ts'

export type StatePerson = { userId: string; name: string; email: string }

/** Far in the future, for whatever goes by itself. */
const keptUntil = '2100-01-01 00:00:00'
/** As a later row of the person's act may say; each table keeps the newest one. */
const at = '2026-09-01 08:00:00.000'

function toRows({ userId, name, email }: StatePerson): Record<string, Record<string, unknown>> {
  const login = email.toLowerCase()
  const ofSignIn = { role: 'manager', user_id: userId, changed_at: at }
  return {
    access_people: { login, ...ofSignIn, names: false, password: '', is_removed: false, changed_by: login },
    access_tokens: {
      id: 'token-1',
      name: `Power BI of ${name}`,
      sha256: 'a'.repeat(64),
      ...ofSignIn,
      created_at: at,
      expires_at: keptUntil,
      changed_by: login,
    },
    access_token_uses: { id: 'token-1', used_at: at },
    access_session_ends: { subject: toEverySession(login), ended_at: '2099-01-01 00:00:00.000' },
    access_audit: {
      at,
      login,
      action: 'share',
      detail: `for ${login}`,
      address: '192.0.2.1',
      keep_until: keptUntil,
    },
    access_views: {
      id: 'view-1',
      login,
      name: `Late: ${name}`,
      path: '/overdue',
      query: `q=${encodeURIComponent(name)}`,
      is_offered: true,
      changed_at: at,
    },
    access_notes: {
      id: 'note-1',
      login,
      day: '2026-09-01',
      team: '',
      text: `Talk by ${name}`,
      changed_at: at,
    },
    access_targets: { metric: 'on_time_rate', value: 90, changed_at: at, changed_by: login },
  }
}

/** Fills the tables and returns their names. Throws where a table of this kind has no row here: then add one. */
export async function fillDashboardState(client: ClickHouseClient, person: StatePerson): Promise<string[]> {
  const rows = toRows(person)
  const answer = await client.query({
    query: `SELECT name FROM system.tables WHERE database = 'rollcall' AND engine LIKE '%MergeTree'
      AND match(name, '^access_') ORDER BY name`,
    format: 'JSONEachRow',
  })
  const tables = (await answer.json<{ name: string }>()).map(({ name }) => name)
  const unknown = tables.filter((name) => rows[name] === undefined)
  if (unknown.length > 0 || tables.length !== Object.keys(rows).length) {
    throw new Error(`dashboard-state.ts does not fit the tables: ${unknown.join(', ') || 'some are gone'}`)
  }
  for (const table of tables) {
    await client.insert({ table: `rollcall.${table}`, values: [rows[table]], format: 'JSONEachRow' })
  }
  return tables
}

/** All rows of these tables, as text, to be compared. */
export async function readTablesAsText(
  client: Pick<ClickHouseClient, 'query'>,
  tables: readonly string[],
): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {}
  for (const table of tables) {
    const answer = await client.query({
      query: `SELECT toString(tuple(*)) AS row FROM rollcall.${table} ORDER BY row SETTINGS final = 1`,
      format: 'JSONEachRow',
    })
    contents[table] = (await answer.json<{ row: string }>()).map(({ row }) => row)
  }
  return contents
}
