/** The producer of one writer: it connects when it is needed, remembers why Kafka takes nothing, and finds out when it does again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PartitionMetadata } from 'kafkajs'
import { StartError } from '../../../config/start-error.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { isTooLarge, toText } from '../errors.ts'
import { createKafka, type KafkaSettings } from '../settings.ts'
import { encodedPartitioner, PartitionCountError, toMessage } from './encoded-send.ts'
import { encodeRecordBatch, type KeyedRecord } from './record-batch.ts'
import { repeat } from '../../../runtime/repeat.ts'

type SenderOptions = {
  settings: KafkaSettings
  logger: Logger
  /** How long a record may wait for its answer. */
  appendTimeoutMs: number
  /** Whether no record waits for an answer. */
  isIdle: () => boolean
  /** Checks the topic before the first send. Default: no check. */
  checkTopic?: (() => Promise<unknown>) | undefined
}

export type Sender = Awaited<ReturnType<typeof openSender>>

const probeIntervalMs = 1_000
const disconnectTimeoutMs = 5_000
/** How long the opening waits for Kafka. */
const openTimeoutMs = 10_000
/**
 * How old may be what is known of the topic's partitions and leaders. Two writers that count them differently put events of
 * one assignment into two partitions.
 */
const metadataMaxAgeMs = 10_000

/** Also opens when Kafka is away. Rejects with the `StartError` of `checkTopic` if that comes in time. */
export async function openSender({ settings, logger, appendTimeoutMs, isIdle, checkTopic }: SenderOptions) {
  const { topic } = settings
  // A broker that does not answer must not hold a send for longer than the records in it may wait.
  const kafka = createKafka(settings, logger, Math.min(30_000, appendTimeoutMs))
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    // The writer retries, because only it knows how long the records may still wait.
    retry: { retries: 0 },
    metadataMaxAge: metadataMaxAgeMs,
    createPartitioner: encodedPartitioner,
  })
  /** As of when it was last seen: the library asks again by itself, and the partitioner tells of a change. 0: not connected. */
  let partitionCount = 0
  let failure: string | undefined
  let connecting: Promise<void> | undefined
  let lastProbe: Promise<void> | undefined
  const stopProbing = repeat(probeIntervalMs, async () => {
    if (failure !== undefined && isIdle()) await (lastProbe = probe())
  })
  const late = pause(openTimeoutMs, undefined, { ref: false }).then(() =>
    Promise.reject(new Error(`There is no answer within ${openTimeoutMs / 1000} s.`)),
  )
  await Promise.race([connect(), late]).catch((error: unknown) => {
    fail(error)
    if (!(error instanceof StartError)) return
    stopProbing()
    throw error
  })

  async function connect(): Promise<void> {
    if (partitionCount > 0) return
    connecting ??= connectOnce().finally(() => (connecting = undefined))
    await connecting
  }

  async function connectOnce(): Promise<void> {
    await checkTopic?.()
    await producer.connect()
    partitionCount = (await fetchPartitions()).length
  }

  function fail(error: unknown): void {
    failure = `Kafka does not take records: ${toText(error)}`
  }

  /** While nothing is sent, nothing else would find out that Kafka is back. */
  async function probe(): Promise<void> {
    try {
      await connect()
      const partitions = await fetchPartitions()
      if (partitions.every(({ leader }) => leader >= 0)) failure = undefined
    } catch (error) {
      fail(error)
    }
  }

  async function fetchPartitions(): Promise<PartitionMetadata[]> {
    const admin = kafka.admin({ retry: { retries: 0 } })
    try {
      await admin.connect()
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      return topics[0]?.partitions ?? []
    } finally {
      await admin.disconnect().catch(() => undefined)
    }
  }

  async function produce(records: readonly KeyedRecord[]): Promise<void> {
    const byPartition = Map.groupBy(records, ({ hash }) => hash % partitionCount)
    const messages = [...byPartition].map(([partition, ofPartition]) => {
      const bytes = encodeRecordBatch(ofPartition)
      return toMessage({ partition, partitionCount, bytes })
    })
    try {
      await producer.send({ topic, acks: -1, timeout: appendTimeoutMs, messages })
    } catch (error) {
      if (!(error instanceof PartitionCountError)) throw error
      partitionCount = error.partitionCount
      await produce(records)
    }
  }

  return {
    /** Resolves once all in-sync replicas have the records. Tries once. */
    async send(records: readonly KeyedRecord[]): Promise<void> {
      try {
        await connect()
        await produce(records)
        failure = undefined
      } catch (error) {
        // A record that is too large is its own fault, not Kafka's.
        if (!isTooLarge(error)) fail(error)
        throw error
      }
    },
    /** Why Kafka takes no records; `undefined` while it does. */
    failure: () => failure,
    async close(): Promise<void> {
      stopProbing()
      const disconnected = Promise.allSettled([lastProbe, connecting]).then(() => producer.disconnect())
      // A broker that has vanished does not answer to a goodbye, and nothing depends on it.
      await Promise.race([disconnected, pause(disconnectTimeoutMs, undefined, { ref: false })])
    },
  }
}
