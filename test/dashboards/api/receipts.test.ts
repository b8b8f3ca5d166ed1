/** Where a delivery is, asked by its receipt, over a real log and a real store. */
import { afterAll, expect, test } from 'vitest'
import { createApi } from '../../../dashboards/api/app.ts'
import { readReceipt } from '../../../reporting/queries/receipt.ts'
import type { Receipt } from '../../../schemas/answers/deliveries.ts'
import { createQueries } from '../../../reporting/queries/queries.ts'
import { receipt } from '../../../services/cli/commands/receipt.ts'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { findWaiting } from '../../../services/event-log/local/log-use.ts'
import { openLocalLogWriter } from '../../../services/event-log/local/writer.ts'
import { writeStoredThrough } from '../../../services/event-log/local/position.ts'
import { monday, toBatch, toBody, toRecord } from '../../support/data/records.ts'
import { runInStore } from '../../support/processes/cli.ts'
import { openTestStore } from '../../support/store/store.ts'
import { asDescribed } from './described.ts'
import { ownReader } from '../../../reporting/read/reader.ts'
import { fileDirectory } from '../../support/directories.ts'

// These are of now: repeats are kept for 90 days.
const records = [
  toRecord(toBody('Created', 'a', monday), 0),
  toRecord(toBody('Created', 'a', monday), 1, 'other'),
  toRecord(Buffer.from('{"eventType": "x", "user": {"name": "Zoe Quist"'), 2),
  toRecord(Buffer.from('{"eventType": "rollcall.test", "timestamp": 1790000000000}'), 3),
  toRecord(toBody('Created', 'late', monday), 4),
].map((record) => ({ ...record, receivedAt: Date.now() + record.offset }))
const [first, , cut, trial, late] = records as [(typeof records)[0], unknown, ...typeof records]

const store = await openTestStore()
const directory = fileDirectory()
const log = await openLocalLogWriter({ directory })
for (const record of records) await log.append(record)
const consumer = createConsumer({ client: store.writer })
await consumer.handle(toBatch(records.slice(0, 4)))
writeStoredThrough(directory, 4)
const queries = createQueries(ownReader(store.reader), { findWaiting: (id) => findWaiting(directory, id) })
const settings = { timeZone: 'UTC', dueZone: 'UTC', dueEnd: 'end_of_day' } as const
const api = asDescribed(createApi({ queries, settings, clock: () => monday }))
afterAll(async () => {
  await log.close()
  await store.close()
})

const ask = async (receipt: string | undefined) =>
  (await (await api.request(`/receipts/${receipt}`)).json()) as Receipt

test('a delivery that is stored says so, with its repeats', async () => {
  expect(await ask(first.eventId)).toMatchObject({
    state: 'stored',
    says: 'It is stored, and the numbers have it. It came 2 times and counts once.',
    event_type: 'assignmentCreated.challenge',
    deliveries: [
      { source: 'main', outcome: 'stored' },
      { source: 'other', outcome: 'duplicate' },
    ],
  })
  expect((await ask(trial?.eventId)).says).toContain('no challenge event')
})

test('a delivery that cannot be used says why, and nothing of its body', async () => {
  const answer = await ask(cut?.eventId)
  expect(answer).toMatchObject({
    state: 'failed',
    reasons: ['not_json'],
    deliveries: [{ outcome: 'failed' }],
  })
  expect(answer.says).toContain('it breaks off at character 47')
  expect(JSON.stringify(answer)).not.toContain('Zoe')
})

test('a delivery that is in the log and not stored waits; one that nobody knows is unknown', async () => {
  expect(await ask(late?.eventId)).toMatchObject({
    state: 'waiting',
    deliveries: [{ source: 'main', outcome: 'waiting' }],
  })
  const unknown = await ask('0'.repeat(32))
  expect(unknown).toMatchObject({ state: 'unknown', deliveries: [] })
  expect(unknown.says).toContain('Everything that was acknowledged is stored.')
})

test('where nobody can look into the log, an unknown one is told up to when everything is stored', async () => {
  const blind = await readReceipt(ownReader(store.reader), late?.eventId ?? '')
  expect(blind.state).toBe('unknown')
  const through = new Date(records[3]?.receivedAt ?? 0).toISOString()
  expect(blind.says).toContain(`Everything acknowledged before ${through} is; a later one may still wait.`)
})

test('the command line tells a stored, a failed and an unknown webhook apart', async () => {
  const run = (id = '0'.repeat(32)) => runInStore(receipt, { receipt: id }, { client: store.reader })
  expect(await run(first.eventId)).toMatchObject({ outcome: 'done', data: { state: 'stored' } })
  expect(await run(cut?.eventId)).toMatchObject({ outcome: 'problems', data: { state: 'failed' } })
  expect(await run()).toMatchObject({ outcome: 'problems', data: { state: 'unknown' } })
})

test('what is no receipt is refused', async () => {
  for (const id of ['abc', '0'.repeat(33), "0' OR 1=1 --", '%00']) {
    expect((await api.request(`/receipts/${encodeURIComponent(id)}`)).status, id).toBe(400)
  }
})
