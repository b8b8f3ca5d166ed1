import { afterAll, beforeEach, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { openTestStore } from '../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())
beforeEach(() => store.clear())

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

test('a body with a byte order mark is stored, and looked at like any other', async () => {
  const body = Buffer.concat([Buffer.from('\ufeff'), toBody('Created', 'marked', monday, {}, { badge: 1 })])
  await createConsumer({ client: store.writer }).handle(toBatch([toRecord(body, 0)]))
  expect(await store.rows('SELECT assignment_id FROM rollcall.assignments')).toEqual([{ assignment_id: 'marked' }])
  expect(await store.rows('SELECT path FROM rollcall.drift_fields')).toEqual([{ path: 'user.badge' }])
})

test('deliveries are stored although what is odd about them cannot be, and that is written later', async () => {
  let now = monday
  let isRefused = true
  const client = new Proxy(store.writer, {
    get(target, name) {
      if (name !== 'insert') return Reflect.get(target, name) as unknown
      return (params: Parameters<typeof target.insert>[0]) =>
        isRefused && params.table.endsWith('drift_fields')
          ? Promise.reject(new Error('refused'))
          : target.insert(params)
    },
  })
  const consumer = createConsumer({ client, now: () => now })
  const receive = (offset: number) =>
    consumer.handle(toBatch([toRecord(toBody('Created', `a${offset}`, monday, {}, { badge: 1 }), offset)]))
  await receive(0)
  await receive(1)
  expect(await store.rows('SELECT count() AS n FROM rollcall.assignments')).toEqual([{ n: '2' }])
  isRefused = false
  now += 60_000
  await receive(2)
  expect(await store.rows('SELECT path, sum(events) AS events FROM rollcall.drift_fields GROUP BY path')).toEqual([
    { path: 'user.badge', events: '3' },
  ])
})
