/** After an erasure nothing of the person is in any file of the store. The files are made readable: without compression. */
import { join } from 'node:path'
import { z } from 'zod'
import { createRecords } from '../../services/records/records.ts'
import { afterAll, expect, test } from 'vitest'
import { createConsumer } from '../../services/consumer/consumer.ts'
import { erasePerson } from '../../services/erasure/erase-person.ts'
import { createOrderStore } from '../../services/guide-orders/order-store.ts'
import { insertRows } from '../../services/clickhouse/insert-rows.ts'
import { createPeople } from '../../services/consumer/store/store-people.ts'
import { storePulledPeople } from '../../services/consumer/store/store-pulled-people.ts'
import { day, monday, toBatch, toBody, toRecord } from '../support/data/records.ts'
import { copyStoreTemplate } from '../support/store/template.ts'
import { storeGuides } from '../../services/sync/pull/guide-rows.ts'
import { findInColumnsOf, findInFilesOf, readRows, storeUncompressed } from './on-disk.ts'
import { fileDirectory } from '../support/directories.ts'
import { openDirectory } from '../support/store/store.ts'

const parent = fileDirectory()
const directory = join(parent, 'clickhouse')
copyStoreTemplate(directory)
const store = await openDirectory(directory)
await storeUncompressed(store)
afterAll(async () => {
  await store.close()
})

const rows = <Row>(query: string) => readRows<Row>(store, query)
const findInFiles = (...texts: string[]) => findInFilesOf(directory, texts)
const findInColumns = (...texts: string[]) => findInColumnsOf(store, texts)

const ada = { id: 7, name: 'Ada Moreno', email: 'ada@example.com', customFields: { born: '1985-12-10' } }
const bo = { id: '8', name: 'Bo Lind', email: 'bo@example.com', groups: [{ id: 't2', name: 'Sales' }] }
const searched = ['ada moreno', 'ada@example', '1985-12-10']

const titled = (body: Uint8Array) =>
  Buffer.from(body.toString().replace('First call', 'Welcome, Ada Moreno!'))
const toDeliveries = (from: number) => [
  titled(toBody('Created', `a${from}`, monday + from, {}, ada)),
  titled(toBody('Progress', `a${from}`, monday + day + from, {}, { ...ada, name: 'Moreno, Ada' })),
  toBody('Created', `b${from}`, monday + from, {}, bo),
  Buffer.from(`{"eventType":"guide.shared","timestamp":${monday + from},"message":"Ask ADA@example.com"}`),
  Buffer.from(`ada@example.com is no JSON ${from}`),
]

async function deliver(from: number): Promise<void> {
  const consumer = createConsumer({ client: store.writer })
  const offset = await consumer.resumeFrom(0)
  const records = toDeliveries(from).map((body, index) => toRecord(body, offset + index))
  // One batch each, so that parts are merged, and old ones lie about.
  for (const record of records) await consumer.handle(toBatch([record]))
  const pulled = { userId: '7', observedAtMs: monday + from, isDeleted: false, isPermanentlyDeleted: false }
  const said = {
    teams: [{ id: 't1', name: 'Team of Ada Moreno' }],
    managers: undefined,
    directReports: undefined,
  }
  await storePulledPeople(store.writer, createPeople(store.writer), [
    { ...pulled, ...said, name: 'Ada Moreno', email: 'ada@example.com' },
  ])
  await storeGuides(
    store.writer,
    [{ id: 'g1', title: 'Ask Ada Moreno', tags: ['Ada Moreno'] }],
    monday + from,
  )
}

const erase = () => erasePerson({ client: store.writer, userId: '7', settle: () => Promise.resolve() })

test('nothing of an erased person is in any file of the store, nor in what comes later', async () => {
  await deliver(0)
  const { orders, calls } = createOrderStore(store.writer)
  await orders.put('o', {
    orderId: 'o',
    askedAtMs: monday,
    askedBy: 'Ada Moreno',
    reason: 'For the team of Ada Moreno',
    guideId: 'g1',
    guideTitle: 'Ask Ada Moreno',
    userIds: ['8'],
    dueDateMs: null,
    again: false,
    askedAgainMs: {},
  })
  await calls.claim('g1/8', { thing: 'o', state: 'refused', end: '', detail: 'Ada Moreno said no' })
  const people = createRecords({ name: 'person', schema: z.object({ user_id: z.string() }) }, store)
  await people.put('ada@example.com', { user_id: '' }, 0)
  await people.put('ada@example.com', { user_id: '' }, 1)
  await people.put('sub:a-d-a', { user_id: '7' })
  const notes = createRecords(
    { name: 'note', schema: z.object({ login: z.string(), text: z.string() }) },
    store,
  )
  await notes.put('n1', { login: 'sub:a-d-a', text: 'A talk by Ada Moreno' })
  const record = (kind: string, key: string, value: object) => ({
    kind,
    key,
    claim: kind,
    version: 1,
    value: JSON.stringify(value),
    changed_at: monday,
    keep_until: 2 ** 32 - 1,
  })
  await insertRows(store.writer, 'records', [
    record('subscription', 'sub:a-d-a', { email: 'Ada@example.com', user_id: '' }),
    record('subscription', 'bo@example.com', { email: '', user_id: '8' }),
    record('send', 'digest/ada%40example.com', { address: 'ada@example.com' }),
    record('send', 'digest/sub%3Aa-d-a', { address: 'Ada@example.com' }),
    record('send', 'digest/bo%40example.com', { address: 'bo@example.com' }),
  ])
  // The search can find something.
  expect(findInFiles('ada moreno')).not.toEqual([])
  expect(findInFiles('1985-12-10')).not.toEqual([])
  expect(await findInColumns(...searched)).toEqual(
    expect.arrayContaining(['names.name', 'user_observations.name']),
  )

  const erasure = await erase()
  expect(erasure).toMatchObject({ titles: 4, oldParts: 0 })
  expect(await findInColumns(...searched)).toEqual([])
  expect(findInFiles(...searched)).toEqual([])

  expect(
    await rows(
      "SELECT key FROM rollcall.records WHERE kind IN ('person', 'subscription', 'send') ORDER BY key",
    ),
  ).toEqual([{ key: 'bo@example.com' }, { key: 'digest/bo%40example.com' }])

  await deliver(100)
  expect(await findInColumns(...searched)).toEqual([])
  expect(findInFiles(...searched)).toEqual([])
  expect((await notes.read('n1'))?.value).toEqual({ login: '[erased]', text: 'A talk by [erased]' })
  // The rest of a title is shown, and stays.
  expect(await rows('SELECT kind, name FROM rollcall.names FINAL ORDER BY kind, name')).toEqual([
    { kind: 'challenge', name: 'First call' },
    { kind: 'challenge', name: 'Welcome, [erased]!' },
    { kind: 'team', name: 'Sales' },
    { kind: 'team', name: 'Team of [erased]' },
  ])
  expect(await rows('SELECT title, tags FROM rollcall.guide_rows FINAL')).toEqual([
    { title: 'Ask [erased]', tags: ['[erased]'] },
  ])
  expect(await rows('SELECT asked_by, reason, guide, detail FROM rollcall.guide_orders')).toEqual([
    {
      asked_by: '[erased]',
      reason: 'For the team of [erased]',
      guide: 'Ask [erased]',
      detail: '[erased] said no',
    },
  ])
})
