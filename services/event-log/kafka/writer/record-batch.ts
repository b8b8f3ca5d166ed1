/**
 * Encodes the records of one partition as Kafka's record batch (magic 2), once per send, into memory that is used again. The
 * client library makes four buffers and an object of every record, which was the largest part of a send's cost.
 */
import { createRequire } from 'node:module'
import { constants, zstdCompressSync } from 'node:zlib'
import type { LogRecord } from '../../event-log.ts'

/** `keyBytes`: the key in UTF-8. `hash`: of the key; its partition is the remainder by their number. */
export type KeyedRecord = { record: LogRecord; keyBytes: Buffer; hash: number }

export function toKeyed(record: LogRecord): KeyedRecord {
  const keyBytes = Buffer.from(record.key)
  return { record, keyBytes, hash: hashKey(keyBytes) }
}

/** The number of zstd in a batch's attributes. */
const zstdAttributes = 4

/**
 * Level 1: twice as fast as the usual 3, and a few percent larger with bodies like ours. Told the size, zstd takes memory for a
 * batch of this size, instead of half a megabyte each time. Synchronous: a batch takes less time than the way to another thread.
 */
function compress(records: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  return zstdCompressSync(records, { params, pledgedSrcSize: records.byteLength })
}

/** The library's: Node has CRC-32 only, of another polynomial. */
const crc32c = createRequire(import.meta.url)('kafkajs/src/protocol/recordBatch/crc32C') as (
  bytes: Uint8Array,
) => number

/** Offset, length, epoch, magic, checksum, attributes, last delta, two timestamps, producer id, epoch, sequence, count. */
const batchHeadBytes = 61
const lengthEnd = 12
const checksumStart = 17
const checksumEnd = 21
/** The length of a record is written before it, and known after it. */
const lengthRoom = 5
/** More than the lengths, deltas and header names of a record can take. */
const recordHeadBytes = 128

let scratch = Buffer.allocUnsafeSlow(1024 * 1024)
let end = 0

/**
 * Records of one partition, in their order; never empty. Their time in Kafka (`sentAt`, epoch ms) is that of the send: by their receipt,
 * which is in a header, Kafka would refuse or remove what a spool has held for long.
 */
export function encodeRecordBatch(records: readonly KeyedRecord[], sentAt = Date.now()): Buffer {
  end = 0
  for (const [offsetDelta, keyed] of records.entries()) writeRecord(keyed, offsetDelta)
  const body = compress(scratch.subarray(0, end))
  const batch = Buffer.allocUnsafe(batchHeadBytes + body.byteLength)
  batch.writeBigInt64BE(0n, 0)
  batch.writeInt32BE(batch.byteLength - lengthEnd, 8)
  batch.writeInt32BE(0, lengthEnd)
  batch.writeInt8(2, 16)
  batch.writeInt16BE(zstdAttributes, checksumEnd)
  batch.writeInt32BE(records.length - 1, 23)
  // The first and the last time.
  batch.writeBigInt64BE(BigInt(sentAt), 27)
  batch.writeBigInt64BE(BigInt(sentAt), 35)
  // No producer id: these sends are not idempotent. Epoch and sequence mean nothing then; the library writes 0, too.
  batch.writeBigInt64BE(-1n, 43)
  batch.writeInt16BE(0, 51)
  batch.writeInt32BE(0, 53)
  batch.writeInt32BE(records.length, 57)
  batch.set(body, batchHeadBytes)
  batch.writeUInt32BE(crc32c(batch.subarray(checksumEnd)), checksumStart)
  return batch
}

function writeRecord({ record, keyBytes }: KeyedRecord, offsetDelta: number): void {
  const { body, eventId, source, receivedAt, isDamaged, oddRequest = '' } = record
  const headers = [
    ['event-id', eventId],
    ['source', source],
    ['received-at', String(receivedAt)],
  ] as [string, string][]
  if (isDamaged) headers.push(['damaged', 'true'])
  if (oddRequest !== '') headers.push(['odd-request', oddRequest])
  const texts = eventId.length + source.length + oddRequest.length
  reserve(keyBytes.byteLength + body.byteLength + maxBytesPerUnit * texts + recordHeadBytes)
  const recordStart = end
  const start = (end += lengthRoom)
  // No attributes, and no time after that of its batch.
  scratch[end++] = 0
  scratch[end++] = 0
  writeVarInt(offsetDelta)
  writeBytes(keyBytes)
  writeBytes(body)
  writeVarInt(headers.length)
  for (const texts of headers) for (const text of texts) writeText(text)
  const size = end - start
  end = recordStart
  writeVarInt(size)
  scratch.copyWithin(end, start, start + size)
  end += size
}

/** UTF-8 takes at most so many bytes for a unit of a text. */
const maxBytesPerUnit = 3

function reserve(size: number): void {
  if (end + size <= scratch.byteLength) return
  const larger = Buffer.allocUnsafeSlow(2 * (end + size))
  larger.set(scratch.subarray(0, end))
  scratch = larger
}

function writeText(text: string): void {
  writeVarInt(Buffer.byteLength(text))
  end += scratch.write(text, end)
}

function writeBytes(bytes: Uint8Array): void {
  writeVarInt(bytes.byteLength)
  scratch.set(bytes, end)
  end += bytes.byteLength
}

/** Zigzag, seven bits a byte. Nothing here is negative. */
function writeVarInt(value: number): void {
  let rest = 2 * value
  while (rest >= 128) {
    scratch[end++] = (rest % 128) | 128
    rest = Math.floor(rest / 128)
  }
  scratch[end++] = rest
}

/**
 * Which partition a key belongs to: Kafka's murmur2, as in its Java client, so that other producers agree. The client
 * library has it in big integers, at fifty times the cost.
 */
const seed = 0x9747b28c
const multiplier = 0x5bd1e995

/** Never negative; the partition is the remainder. */
export function hashKey(key: Buffer): number {
  const { length } = key
  let hash = seed ^ length
  let index = 0
  for (; index + 4 <= length; index += 4) {
    let word = Math.imul(key.readInt32LE(index), multiplier)
    word ^= word >>> 24
    hash = Math.imul(hash, multiplier) ^ Math.imul(word, multiplier)
  }
  if (index < length) hash = Math.imul(hash ^ key.readUIntLE(index, length - index), multiplier)
  hash = Math.imul(hash ^ (hash >>> 13), multiplier)
  return (hash ^ (hash >>> 15)) & 0x7fffffff
}
