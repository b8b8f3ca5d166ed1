/** The bytes that are sent, read by the client library. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  encodeRecordBatch,
  toKeyed,
  type KeyedRecord,
} from '../../../services/event-log/kafka/writer/record-batch.ts'
// Its effect is needed: the library reads zstd by it.
import '../../../services/event-log/kafka/settings.ts'

type Decoded = {
  records: { key: Buffer; value: Buffer; timestamp: string; headers: Record<string, Buffer> }[]
}

const load = createRequire(import.meta.url)
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

test('the client library reads a batch of any records as they went in', async () => {
  await fc.assert(
    fc.asyncProperty(records, async (list) => {
      const { records: read } = await decodeBatch(new Decoder(encodeRecordBatch(list, 1e12)))
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
    { numRuns: 100, seed: 1 },
  )
})

test('a body larger than the memory that is used again is encoded whole, and the next one is not touched by it', async () => {
  const make = (size: number, fill: number) =>
    toKeyed({ key: 'k', eventId: 'e', source: 's', receivedAt: 1, body: new Uint8Array(size).fill(fill) })
  const batches = [make(3_000_000, 1), make(10, 2)].map((record) => encodeRecordBatch([record]))
  for (const [index, fill] of [1, 2].entries()) {
    const { records: read } = await decodeBatch(new Decoder(batches[index] as Buffer))
    expect(read[0]?.value.every((byte) => byte === fill)).toBe(true)
  }
})
