import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore, type TestStore } from '../support/store/store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore()
})
afterAll(() => store.close())

test('a field that is new shows with its first delivery and is counted now and then, over restarts', async () => {
  let now = monday
  let offset = 0
  const start = () => createConsumer({ client: store.writer, now: () => now })
  let consumer = start()
  const receive = (user: Record<string, unknown>) => {
    const record = toRecord(toBody('Created', `a${offset}`, monday, {}, user), offset++)
    return consumer.handle(toBatch([record]))
  }
  const read = () =>
    store.rows(
      "SELECT kind, path, sum(events) AS events, dateDiff('millisecond', min(first_seen), max(last_seen)) AS apart FROM rollcall.drift_fields GROUP BY kind, path",
    )
  await receive({})
  expect(await read()).toEqual([])
  await receive({ badge: 1 })
  expect(await read()).toEqual([{ kind: 'unknown', path: 'user.badge', events: '1', apart: '0' }])
  await receive({ badge: 1 })
  expect(await read()).toMatchObject([{ events: '1' }])
  now += 60_000
  await receive({ badge: 1 })
  expect(await read()).toEqual([{ kind: 'unknown', path: 'user.badge', events: '3', apart: '2' }])
  consumer = start()
  await receive({ badge: 1 })
  expect(await read()).toMatchObject([{ events: '4' }])
})
