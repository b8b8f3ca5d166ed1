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

test('it has what real ones have: popular challenges, equal times, deletions, new grades, late work, moved deadlines', async () => {
  const [facts] = await store.rows(`
    SELECT
      uniqExact(challenge_id) > 300 AS has_many_challenges,
      max(per_challenge) BETWEEN 150 AND 400 AS has_popular_ones,
      max(per_instant) > 2 AS has_bulks,
      countIf(class = 3) BETWEEN 20 AND 80 AS has_deleted,
      countIf(bitTest(state, 17)) > 200 AS has_graded_at_once,
      countIf(bitTest(state, 18)) > 50 AS has_moved_deadlines,
      countIf(bitTest(state, 1)) > 50 AS has_failed
    FROM
    (
      SELECT *, count() OVER (PARTITION BY challenge_id) AS per_challenge, count() OVER (PARTITION BY created_at) AS per_instant
      FROM rollcall.open_versions WHERE sign = 1
    )`)
  expect(Object.entries(facts ?? {}).filter(([, has]) => !has)).toEqual([])
  const [events] = await store.rows<Record<string, string>>(`
    SELECT
      countIf(begun = 2) > 100 AS at_one_instant,
      countIf(graded > 1) > 50 AS graded_anew,
      sum(late) > 100 AS handed_in_late,
      (SELECT count() = uniqExact(event_id) AND countIf(log_offset % 2 = 1) = 0 FROM rollcall.event_rows FINAL) AS keeps_first_deliveries
    FROM
    (
      SELECT countIf(event_time = created_at) AS begun, countIf(grade IS NOT NULL) AS graded, countIf(bitTest(flags_true, 3)) AS late
      FROM rollcall.event_rows GROUP BY assignment_id
    )`)
  expect(Object.entries(events ?? {}).filter(([, has]) => !has)).toEqual([])
})
