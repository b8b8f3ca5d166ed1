import { afterAll, expect, test } from 'vitest'
import { insertRows } from '../../../services/clickhouse/insert-rows.ts'
import { openTestStore } from './store.ts'

const store = await openTestStore()
afterAll(() => store.close())

test('a store of tests keeps what has outlived its time by the clock of the machine', async () => {
  const ends = ['a', 'b'].map((subject) => ({ subject, ended_at: Date.UTC(2020, 0) }))
  for (const row of ends) await insertRows(store.writer, 'access_session_ends', [row])
  await store.writer.command({ query: 'OPTIMIZE TABLE rollcall.access_session_ends FINAL' })
  expect(await store.rows('SELECT subject FROM rollcall.access_session_ends ORDER BY subject')).toEqual([
    { subject: 'a' },
    { subject: 'b' },
  ])
})
