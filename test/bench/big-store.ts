/** Makes a big, believable store, written straight into the tables: as the consumer makes it of up to six events an assignment. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'

export const bigStore = { now: Date.UTC(2026, 5, 1, 12), users: 50_000, challenges: 500 }

const nothingSaid = {
  isPermanentlyDeleted: undefined,
  managers: undefined,
  directReports: undefined,
  email: undefined,
}

/** As the arriving events say it, too, so that they bring no news of people. */
export function toBigStorePerson(id: number) {
  return { isDeleted: id % 25 === 0, teams: [{ id: `team-${id % 200}`, name: undefined }], name: 'Somebody' }
}

export type BigHistory = { first?: number; count: number; now?: number; users?: number; challenges?: number }

/** The statements for the rows of `count` assignments, as the consumer would write them (default: from number 0 on). */
export async function makeVersions(client: ClickHouseClient, history: BigHistory): Promise<void> {
  const query = await readStatement('store-versions')
  for (const open of [true, false]) {
    const table = open ? 'open_versions' : 'closed_versions'
    await client.command({ query, query_params: { ...toParams(history), table, open: Number(open) } })
  }
}

async function makeEvents(client: ClickHouseClient, history: BigHistory): Promise<void> {
  await client.command({ query: await readStatement('store-events'), query_params: toParams(history) })
}

function toParams({ first = 0, count, now = bigStore.now, ...size }: BigHistory) {
  const { users, challenges } = { ...bigStore, ...size }
  return { first, count, now_ms: now, users, challenges }
}

async function readStatement(name: string): Promise<string> {
  const [statement, history] = await Promise.all([name, 'store-history'].map(read))
  return `${statement}`.replace('FROM history', () => `FROM (${history})`)
}

function read(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, `${name}.sql`), 'utf8')
}

/** The store has its tables and nothing in them. */
export async function makeBigStore(
  client: ClickHouseClient,
  assignments: number,
  { users = bigStore.users, now = bigStore.now }: { users?: number; now?: number } = {},
): Promise<void> {
  const step = 250_000
  for (let first = 0; first < assignments; first += step) {
    const history = { first, count: Math.min(step, assignments - first), users, now }
    await makeVersions(client, history)
    await makeEvents(client, history)
  }
  const people = createPeople(client)
  for (let first = 1; first <= users; first += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, users + 1 - first) }, (_, index) => first + index)
    const said = ids.map((id) => ({
      ...toBigStorePerson(id),
      userId: String(id),
      observedAtMs: 1_000,
      ...nothingSaid,
    }))
    await storePulledPeople(client, people, said)
  }
  for (const table of ['open_versions', 'closed_versions', 'event_rows']) {
    await client.command({ query: `OPTIMIZE TABLE rollcall.${table} FINAL` })
  }
}
