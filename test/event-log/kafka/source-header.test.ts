/** The `source` header of a record may say anything: other producers write into the topic, too. */
import { afterAll, expect, test } from 'vitest'
import type { KafkaMessage } from 'kafkajs'
import { createConsumer } from '../../../services/consumer/consumer.ts'
import { toRecord } from '../../../services/event-log/kafka/record.ts'
import { monday, toBatch, toBody } from '../../support/data/records.ts'
import { openTestStore } from '../../support/store/store.ts'

const store = await openTestStore()
afterAll(() => store.close())

const texts = [
  '(lost)',
  '(not read yet)',
  ' (lost)',
  '',
  'a\0b',
  '\u{1f6d1}',
  "'; DROP TABLE rollcall.event_rows --",
  '__proto__',
  'x'.repeat(100_000),
]
const values: unknown[] = [
  ...texts.map((text) => Buffer.from(text)),
  Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]),
  [Buffer.from('(lost)'), Buffer.from('main')],
  [],
  undefined,
  null,
]

test('whatever it says, the delivery is stored and the ledger adds up, with nothing lost', async () => {
  const records = [...values, Buffer.from('main')].map((source, offset) =>
    toRecord({
      offset: String(offset),
      key: Buffer.from('key'),
      value: Buffer.from(toBody('Created', `a${offset}`, monday)),
      timestamp: String(monday),
      headers: { source },
    } as unknown as KafkaMessage),
  )
  await createConsumer({ client: store.writer }).handle(toBatch(records))
  const rows = await store.rows(
    'SELECT source, sum(l.stored) AS stored FROM rollcall.ledger AS l GROUP BY source ORDER BY source',
  )
  // Neither text nor bytes, or none of them.
  const none = 4
  const count = (n: number) => ({ stored: String(n) })
  expect(rows).toEqual([
    { source: 'kafka', ...count(none) },
    { source: 'main', ...count(1) },
    { source: 'unknown', ...count(values.length - none) },
  ])
  expect(await store.rows('SELECT lost, difference FROM rollcall.ledger_total')).toEqual([
    { lost: '0', difference: '0' },
  ])
})
