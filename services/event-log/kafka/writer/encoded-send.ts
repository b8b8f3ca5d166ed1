/**
 * Sends record batches that are encoded already through the client library's producer. Everything else of a send stays the
 * library's: leaders, connections, TLS, users, time limits and errors. A batch goes through its API as one message, whose
 * partition the partitioner below gives; where the library would encode messages, it finds the batch and writes it as it is.
 *
 * This replaces one private function of the library, so it is bound to the version that it was written for.
 */
import { createRequire } from 'node:module'
import type { ICustomPartitioner, Message } from 'kafkajs'

/** One batch for one partition of a topic that had this many of them when the batch was made. */
export type EncodedBatch = { partition: number; partitionCount: number; bytes: Uint8Array }

/** The topic has another number of partitions by now: keys belong to others of them. Nothing was sent. */
export class PartitionCountError extends Error {
  override readonly name = 'PartitionCountError'
  readonly partitionCount: number
  constructor(partitionCount: number) {
    super(`The topic has ${partitionCount} partitions now.`)
    this.partitionCount = partitionCount
  }
}

const supportedVersion = '2.2.4'

type Encoder = {
  writeString(text: string | null): Encoder
  writeInt16(value: number): Encoder
  writeInt32(value: number): Encoder
  writeBuffer(bytes: Uint8Array): Encoder
}
type Partition = { partition: number; messages: { value: unknown }[] }
type ProduceOptions = {
  acks: number
  timeout: number
  topicData: { topic: string; partitions: Partition[] }[]
}
type Request = { apiKey: number; apiVersion: number; encode(): Promise<Encoder> }
type Produce = (options: ProduceOptions) => { request: Request; response: unknown }
type ProduceProtocol = { protocol: (choice: { version: number }) => Produce }

const load = createRequire(import.meta.url)
const { version } = load('kafkajs/package.json') as { version: string }
if (version !== supportedVersion) {
  throw new Error(
    `kafkajs is ${version}, but encoded sends were written for ${supportedVersion}: see encoded-send.ts.`,
  )
}
const EncoderOfLibrary = load('kafkajs/src/protocol/encoder') as new () => Encoder
const produce = load('kafkajs/src/protocol/requests/produce') as ProduceProtocol
const protocolOfLibrary = produce.protocol

/** Versions 3 to 7 of the request have one layout; 7 is where zstd is permitted. */
produce.protocol = (choice) => {
  const produceMessages = protocolOfLibrary(choice)
  return (options) => {
    const sent = produceMessages(options)
    if (!options.topicData.every(({ partitions }) => partitions.every(isEncoded))) return sent
    return { ...sent, request: { ...sent.request, encode: () => Promise.resolve(encode(options)) } }
  }
}

export const encodedPartitioner: ICustomPartitioner = () => {
  return ({ partitionMetadata, message }) => {
    const { partition, partitionCount } = message.value as unknown as EncodedBatch
    if (partitionCount !== partitionMetadata.length) throw new PartitionCountError(partitionMetadata.length)
    return partition
  }
}

/** A batch as a value of the library's API, which passes values on without looking into them. */
export function toMessage(batch: EncodedBatch): Message {
  return { value: batch as unknown as Buffer }
}

/** One batch: brokers refuse more for one partition. */
function isEncoded({ messages }: Partition): boolean {
  return (
    messages.length === 1 &&
    messages.every(({ value }) => (value as Partial<EncodedBatch> | null)?.partitionCount !== undefined)
  )
}

function encode({ acks, timeout, topicData }: ProduceOptions): Encoder {
  const encoder = new EncoderOfLibrary().writeString(null).writeInt16(acks).writeInt32(timeout)
  encoder.writeInt32(topicData.length)
  for (const { topic, partitions } of topicData) {
    encoder.writeString(topic).writeInt32(partitions.length)
    for (const { partition, messages } of partitions) {
      const batches = messages.map(({ value }) => (value as EncodedBatch).bytes)
      encoder.writeInt32(partition).writeInt32(batches.reduce((size, bytes) => size + bytes.byteLength, 0))
      for (const bytes of batches) encoder.writeBuffer(bytes)
    }
  }
  return encoder
}
