/** The store that benchmarks read is as the consumer makes it of its events: its versions are written by SQL, the product folds. */
import { afterAll, expect, test } from 'vitest'
import { refoldAll } from '../../services/consumer/store/refold.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { openTestStore } from '../support/store/store.ts'
import { makeBigStore } from './big-store.ts'

const assignments = 3_000

const store = await openTestStore()
await makeBigStore(store.writer, assignments, { users: assignments / 3 })
afterAll(() => store.close())

const readVersions = (table: string) =>
  store.rows<{ assignment_id: string; life: number }>(
    `SELECT * EXCEPT (img, sign) FROM rollcall.${table} GROUP BY ALL HAVING sum(sign) > 0 ORDER BY assignment_id, valid_from`,
  )

async function readAll() {
  return { open: await readVersions('open_versions'), closed: await readVersions('closed_versions') }
}

test('a big store holds what the fold makes of its events', async () => {
  const made = await readAll()
  expect(made.open).toHaveLength(assignments)
  for (const table of ['open_versions', 'closed_versions']) {
    await store.writer.command({ query: `TRUNCATE TABLE rollcall.${table}` })
  }
  await refoldAll(store.writer, createPeople(store.writer), () => {})
  const folded = await readAll()
  expect(made.open).toEqual(folded.open)
  expect(made.closed).toEqual(folded.closed)
})
