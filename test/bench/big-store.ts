/** Makes a big, believable store, written straight into the tables: what the consumer would have made of four events an assignment. */
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

/** The store has its tables and nothing in them. */
export async function makeBigStore(client: ClickHouseClient, assignments: number): Promise<void> {
  const text = (name: string) => readFile(join(import.meta.dirname, `${name}.sql`), 'utf8')
  const versions = await text('store-versions')
  const { now: now_ms, users, challenges } = bigStore
  const step = 250_000
  for (let first = 0; first < assignments; first += step) {
    const count = Math.min(step, assignments - first)
    for (const open of [true, false]) {
      const table = open ? 'open_versions' : 'closed_versions'
      const query_params = { table, open, first, count, now_ms, users, challenges }
      await client.command({ query: versions, query_params })
    }
  }
  await client.command({ query: await text('store-events') })
  const people = createPeople(client)
  for (let first = 1; first <= users; first += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, index) => first + index)
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
