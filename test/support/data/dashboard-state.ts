/** A record of every kind and a row of the audit, all about one person. */
import type { ClickHouseClient } from '@clickhouse/client'
import { insertRows } from '../../../services/clickhouse/insert-rows.ts'
import { toKey } from '../../../services/records/records.ts'
import type { KindName } from '../../../services/records/kinds.ts'
import { toEverySession } from '../../../services/access/access-store.ts'

export type StatePerson = { userId: string; name: string; email: string }

/** Far in the future, for whatever goes by itself. */
const keptUntil = '2100-01-01 00:00:00'
const at = '2026-09-01 08:00:00.000'

/** A record of each kind: its key and its value. */
function toRecords({ userId, name, email }: StatePerson): Record<KindName, [key: string, value: object]> {
  const login = email.toLowerCase()
  const ofSignIn = { role: 'manager', names: false, user_id: userId }
  return {
    person: [login, { ...ofSignIn, password: '' }],
    token: [
      'token-1',
      {
        name: `Power BI of ${name}`,
        sha256: 'a'.repeat(64),
        ...ofSignIn,
        created_at_ms: 0,
        expires_at_ms: 4e12,
      },
    ],
    token_use: ['token-1', {}],
    session_end: [toEverySession(login), {}],
    view: [
      'view-1',
      {
        login,
        name: `Late: ${name}`,
        path: '/overdue',
        query: `q=${encodeURIComponent(name)}`,
      },
    ],
    note: ['note-1', { login, day: '2026-09-01', team: '', text: `Talk by ${name}` }],
    guide_order: [
      'order-1',
      {
        orderId: 'order-1',
        guideId: 'g1',
        guideTitle: `Ask ${name}`,
        userIds: [userId],
        dueDateMs: null,
        again: false,
        askedBy: login,
        reason: `q=${encodeURIComponent(name)}`,
        askedAtMs: 0,
        askedAgainMs: {},
      },
    ],
    guide_claim: [`g1/${userId}`, { thing: 'order-1', state: 'refused', end: '', detail: `${name} said no` }],
    subscription: [
      login,
      {
        login,
        email,
        frequency: 'weekly',
        weekday: 1,
        hour: 8,
        time_zone: 'Europe/Vienna',
        language: 'en',
        alerts: false,
        unsubscribe_key: 'key-1',
        role: 'manager',
        user_id: userId,
        seen_at_ms: 0,
      },
    ],
    send: [
      toKey('digest', login),
      {
        kind: 'digest',
        recipient: login,
        thing: '2026-09-01',
        state: 'refused',
        detail: `550 ${email} is unknown`,
        address: email,
      },
    ],
    reminder: [
      'key-2',
      {
        user_id: userId,
        day: '2026-09-01',
        asked_by: login,
        language: 'en',
        asked_at_ms: 0,
      },
    ],
    opt_out: [userId, { isOut: true }],
    alert: [
      'stall/1',
      { alert: 'stall', number: 1, state: 'started', atMs: 0, words: { en: '412 webhooks wait' } },
    ],
    targets: ['company', { on_time_rate: 90 }],
  }
}

/** Fills the tables and returns their names. */
export async function fillDashboardState(client: ClickHouseClient, person: StatePerson): Promise<string[]> {
  const login = person.email.toLowerCase()
  const records = Object.entries(toRecords(person)).map(([kind, [key, value]]) => {
    return { kind, key, version: 1, value: JSON.stringify(value), changed_at: at, keep_until: keptUntil }
  })
  const entry = {
    at,
    login,
    action: 'share',
    detail: `for ${login}`,
    address: '192.0.2.1',
    keep_until: keptUntil,
  }
  await insertRows(client, 'records', records)
  await insertRows(client, 'access_audit', [entry])
  return ['access_audit', 'records']
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
