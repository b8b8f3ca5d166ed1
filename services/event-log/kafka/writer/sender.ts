/** The producer of one writer: it connects when it is needed, remembers why Kafka takes nothing, and finds out when it does again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from 'kafkajs'
import type { Logger } from '../../../runtime/logger.ts'
import { isTooLarge, toText } from '../errors.ts'
import { hashKey } from '../key.ts'
import { compressionTypes, createKafka, type KafkaSettings } from '../settings.ts'

export type SenderOptions = {
  settings: KafkaSettings
  logger: Logger
  /** How long a record may wait for its answer. */
  appendTimeoutMs: number
  /** Whether no record waits for an answer. */
  isIdle: () => boolean
}

export type Sender = {
  /** Resolves once all in-sync replicas have the messages. Tries once. */
  send(messages: Message[]): Promise<void>
  /** Why Kafka takes no records; `undefined` while it does. */
  failure(): string | undefined
  close(): Promise<void>
}

const probeIntervalMs = 1_000
const disconnectTimeoutMs = 5_000

/** Also opens when Kafka is away. */
export async function openSender({ settings, logger, appendTimeoutMs, isIdle }: SenderOptions): Promise<Sender> {
  const { topic } = settings
  const compression = compressionTypes[settings.compression]
  // A broker that does not answer must not hold a lane for longer than the records in it may wait.
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs ?? 30_000, appendTimeoutMs)
  const kafka = createKafka({ ...settings, requestTimeoutMs }, logger)
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    // The writer retries, because only it knows how long the records may still wait.
    retry: { retries: 0 },
    createPartitioner:
      () =>
      ({ partitionMetadata, message }) =>
        hashKey(message.key as Buffer) % partitionMetadata.length,
  })
  let isConnected = false
  let failure: string | undefined
  let lastProbe: Promise<void> | undefined
  const prober = setInterval(() => {
    if (failure !== undefined && isIdle()) lastProbe ??= probe().finally(() => (lastProbe = undefined))
  }, probeIntervalMs)
  prober.unref()
  await connect().catch(fail)

  async function connect(): Promise<void> {
    if (isConnected) return
    await producer.connect()
    isConnected = true
  }

  function fail(error: unknown): void {
    failure = `Kafka does not take records: ${toText(error)}`
  }

  /** While nothing is sent, nothing else would find out that Kafka is back. */
  async function probe(): Promise<void> {
    const admin = kafka.admin({ retry: { retries: 0 } })
    try {
      await admin.connect()
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
      if (topics[0]?.partitions.every(({ leader }) => leader >= 0)) failure = undefined
    } catch (error) {
      fail(error)
    } finally {
      await admin.disconnect().catch(() => undefined)
    }
  }

  return {
    async send(messages) {
      try {
        await connect()
        await producer.send({ topic, acks: -1, compression, timeout: appendTimeoutMs, messages })
        failure = undefined
      } catch (error) {
        // A record that is too large is its own fault, not Kafka's.
        if (!isTooLarge(error)) fail(error)
        throw error
      }
    },
    failure: () => failure,
    async close() {
      clearInterval(prober)
      await lastProbe
      // A broker that has vanished does not answer to a goodbye, and nothing depends on it.
      await Promise.race([producer.disconnect(), pause(disconnectTimeoutMs, undefined, { ref: false })])
    },
  }
}
