/** The bytes that are sent, beside those that the client library itself would send, and read by the library. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMessage } from '../../../services/event-log/kafka/writer/encoded-send.ts'
import {
  encodeRecordBatch,
  toKeyed,
  type KeyedRecord,
} from '../../../services/event-log/kafka/writer/record-batch.ts'
// Its effect is needed: the library reads zstd by it.
import '../../../services/event-log/kafka/settings.ts'

type Encoded = { buffer: Buffer }
type Produce = (options: object) => { request: { apiVersion: number; encode(): Promise<Encoded> } }
type Decoded = {
  records: { key: Buffer; value: Buffer; timestamp: string; headers: Record<string, Buffer> }[]
}

const load = createRequire(import.meta.url)
const { protocol } = load('kafkajs/src/protocol/requests/produce') as {
  protocol: (choice: { version: number }) => Produce
}
const Decoder = load('kafkajs/src/protocol/decoder') as new (bytes: Uint8Array) => object
const decodeBatch = load('kafkajs/src/protocol/recordBatch/v0/decoder') as (
  decoder: object,
) => Promise<Decoded>

const text = fc.string({ unit: 'binary', maxLength: 60 })
const keyedRecord: fc.Arbitrary<KeyedRecord> = fc
  .record({
    key: text,
    eventId: text,
    source: text,
    receivedAt: fc.integer({ min: 1, max: 2 ** 50 }),
    body: fc.uint8Array({ maxLength: 3_000 }),
    isDamaged: fc.boolean(),
  })
  .map(({ isDamaged, ...rest }) => ({ ...rest, ...(isDamaged && { isDamaged }) }))
  .map(toKeyed)
const records = fc.array(keyedRecord, { minLength: 1, maxLength: 40 })

const produce = (version: number, messages: object[]) =>
  protocol({ version })({
    acks: -1,
    timeout: 10_000,
    compression: 0,
    topicData: [{ topic: 'a-topic', partitions: [{ partition: 3, messages }] }],
  }).request

test('a batch has the very bytes that the library would send', async () => {
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.integer({ min: 3, max: 7 }),
      fc.integer({ min: 1, max: 2 ** 50 }),
      async (list, version, sentAt) => {
        const byLibrary = produce(
          version,
          list.map(({ record: { eventId, source, receivedAt, body, isDamaged }, keyBytes }) => ({
            key: keyBytes,
            value: Buffer.from(body),
            timestamp: sentAt,
            headers: {
              'event-id': eventId,
              source,
              'received-at': String(receivedAt),
              ...(isDamaged && { damaged: 'true' }),
            },
          })),
        )
        const bytes = encodeRecordBatch(list, 'none', sentAt)
        const byUs = produce(version, [toMessage({ partition: 3, partitionCount: 6, bytes })])
        expect(byUs.apiVersion).toBe(byLibrary.apiVersion)
        const [expected, actual] = [await byLibrary.encode(), await byUs.encode()]
        expect(Buffer.compare(actual.buffer, expected.buffer)).toBe(0)
      },
    ),
    { numRuns: 200 },
  )
})

test.each(['none', 'gzip', 'zstd'] as const)(
  'a batch of any records comes out as it went in (%s)',
  async (compression) => {
    await fc.assert(
      fc.asyncProperty(records, async (list) => {
        const { records: read } = await decodeBatch(new Decoder(encodeRecordBatch(list, compression, 1e12)))
        expect(read).toHaveLength(list.length)
        for (const [index, { record }] of list.entries()) {
          const { key, value, timestamp, headers } = read[index] as Decoded['records'][number]
          expect(key.toString()).toBe(record.key.toWellFormed())
          expect(Buffer.compare(value, record.body)).toBe(0)
          expect(Number(timestamp)).toBe(1e12)
          expect(headers['event-id']?.toString()).toBe(record.eventId.toWellFormed())
          expect(headers['source']?.toString()).toBe(record.source.toWellFormed())
          expect(headers['received-at']?.toString()).toBe(String(record.receivedAt))
          expect(headers['damaged']?.toString()).toBe(record.isDamaged ? 'true' : undefined)
        }
      }),
      { numRuns: 100 },
    )
  },
)

test('a body larger than the memory that is used again is encoded whole, and the next one is not touched by it', async () => {
  const make = (size: number, fill: number) =>
    toKeyed({ key: 'k', eventId: 'e', source: 's', receivedAt: 1, body: new Uint8Array(size).fill(fill) })
  const batches = [make(3_000_000, 1), make(10, 2)].map((record) => encodeRecordBatch([record], 'none'))
  for (const [index, fill] of [1, 2].entries()) {
    const { records: read } = await decodeBatch(new Decoder(batches[index] as Buffer))
    expect(read[0]?.value.every((byte) => byte === fill)).toBe(true)
  }
})
