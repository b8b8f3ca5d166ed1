/**
 * A topic's id, which Kafka gives it when it is made. The client library asks for metadata by versions of the request that do not have it.
 * This adds version 10 for all of its calls, and the library passes the id on with each partition. Like `writer/encoded-send.ts`, which
 * checks the library's version, it is bound to the one that it was written for.
 */
import { createRequire } from 'node:module'
import type { Admin, PartitionMetadata } from 'kafkajs'
import { StartError } from '../../config/start-error.ts'

type Decoder = Record<'readInt16' | 'readInt32', () => number> & {
  readBoolean(): boolean
  readUVarIntString(): string | null
  readUVarIntArray<T>(read: () => T): T[] | null
  readTaggedFields(): unknown
  readBytes(length: number): Buffer
}
type Encoder = {
  writeUVarInt(value: number): Encoder
  writeUVarIntString(text: string | null): Encoder
  writeBoolean(value: boolean): Encoder
  writeBuffer(bytes: Uint8Array): Encoder
}
type Asked = { topics: readonly string[]; allowAutoTopicCreation?: boolean }
type Metadata = { versions: string[]; protocol(choice: { version: number }): (asked: Asked) => unknown }

const load = createRequire(import.meta.url)
const DecoderOfLibrary = load('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => Decoder
const EncoderOfLibrary = load('kafkajs/src/protocol/encoder') as new () => Encoder
const { Metadata: apiKey } = load('kafkajs/src/protocol/requests/apiKeys') as { Metadata: number }
const { parse } = load('kafkajs/src/protocol/requests/metadata/v0/response') as { parse: unknown }
const metadata = load('kafkajs/src/protocol/requests/metadata') as Metadata

const versionWithIds = 10
const newestOfLibrary = Math.max(...metadata.versions.map(Number))
const protocolOfLibrary = metadata.protocol
const noId = Buffer.alloc(16)

metadata.versions.push(String(versionWithIds))
metadata.protocol = ({ version }) => {
  if (version < versionWithIds) return protocolOfLibrary({ version: Math.min(version, newestOfLibrary) })
  const decodeAll = (bytes: Buffer) => Promise.resolve(decode(new DecoderOfLibrary(bytes)))
  const request = { apiKey, apiVersion: versionWithIds, apiName: 'Metadata' }
  return (asked) => ({
    request: { ...request, encode: () => Promise.resolve(encode(asked)) },
    response: { decode: decodeAll, parse },
  })
}

/** No topics: all of them. */
function encode({ topics, allowAutoTopicCreation = true }: Asked): Encoder {
  // Tagged fields of the head, of which there are none.
  const encoder = new EncoderOfLibrary().writeUVarInt(0)
  encoder.writeUVarInt(topics.length === 0 ? 0 : topics.length + 1)
  for (const topic of topics) encoder.writeBuffer(noId).writeUVarIntString(topic).writeUVarInt(0)
  // Rights are not asked for, of the cluster and of the topics.
  return encoder.writeBoolean(allowAutoTopicCreation).writeBoolean(false).writeBoolean(false).writeUVarInt(0)
}

/** In the form of the library's own versions. */
function decode(decoder: Decoder) {
  decoder.readTaggedFields()
  const clientSideThrottleTime = decoder.readInt32()
  const brokers = readAll(decoder, () => ({
    nodeId: decoder.readInt32(),
    host: decoder.readUVarIntString(),
    port: decoder.readInt32(),
    rack: decoder.readUVarIntString(),
    tags: decoder.readTaggedFields(),
  }))
  const clusterId = decoder.readUVarIntString()
  const controllerId = decoder.readInt32()
  const topicMetadata = readAll(decoder, () => {
    const topicErrorCode = decoder.readInt16()
    const topic = decoder.readUVarIntString()
    const topicId = decoder.readBytes(16).toString('base64url')
    const isInternal = decoder.readBoolean()
    const partitionMetadata = readAll(decoder, () => ({ ...readPartition(decoder), topicId }))
    // Rights.
    decoder.readInt32()
    decoder.readTaggedFields()
    return { topicErrorCode, topic, isInternal, partitionMetadata }
  })
  return { throttleTime: 0, clientSideThrottleTime, brokers, clusterId, controllerId, topicMetadata }
}

function readPartition(decoder: Decoder) {
  const partitionErrorCode = decoder.readInt16()
  const partitionId = decoder.readInt32()
  const leader = decoder.readInt32()
  // Epoch of the leader.
  decoder.readInt32()
  const [replicas, isr, offlineReplicas] = [1, 2, 3].map(() => readAll(decoder, () => decoder.readInt32()))
  decoder.readTaggedFields()
  return { partitionErrorCode, partitionId, leader, replicas, isr, offlineReplicas }
}

function readAll<T>(decoder: Decoder, read: () => T): T[] {
  return decoder.readUVarIntArray(read) ?? []
}

/** As the brokers know it now. */
export async function readTopic(admin: Admin, topic: string): Promise<{ id: string; partitions: number }> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
  const partitions = (topics[0]?.partitions ?? []) as (PartitionMetadata & { topicId?: string })[]
  const [first] = partitions
  // A broker that has just begun does not know its topics yet.
  if (first === undefined) throw new Error(`The topic ${topic} has no partitions`)
  if (first.topicId === undefined) {
    throw new StartError(
      'These Kafka brokers give topics no ids. Rollcall needs Kafka 2.8 or a later version.',
    )
  }
  return { id: first.topicId, partitions: partitions.length }
}
