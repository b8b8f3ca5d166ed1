/**
 * The writer to Kafka: appends gather while a send is under way and make the next one together, so a slow send makes the
 * next one larger. One send is under way at a time, its retries included, so records of one key keep their order.
 * Acknowledged is what all in-sync replicas have (acks=all).
 *
 * The outcome of a send without an answer cannot be known: its records are refused, and may be in the log all the same.
 * The idempotent producer would not change that, and allows one send at a time for everything.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../../../config/start-error.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { repeat } from '../../../runtime/repeat.ts'
import { closed, LogUnavailableError, type LogFailure, type LogWriter } from '../../event-log.ts'
import { isRetriable, isTooLarge, toText } from '../errors.ts'
import { createKafka, type KafkaSettings } from '../settings.ts'
import { encodedPartitioner, PartitionCountError, toMessage } from './encoded-send.ts'
import { encodeRecordBatch, toKeyed, type KeyedRecord } from './record-batch.ts'

type KafkaLogWriterOptions = {
  settings: KafkaSettings
  logger: Logger
  /** How long an append may take before it is refused with LOG_IO. Default 10 s. */
  appendTimeoutMs?: number
  /** Most records in memory that Kafka has not acknowledged. Default 20,000; their bytes are at most 64 MiB. */
  maxPendingRecords?: number
  /** Checks the topic before the first send. Its `StartError` is thrown at the opening. Default: no check. */
  checkTopic?: () => Promise<unknown>
}

/** Most in one send: bounds how long a record waits behind others. */
const maxSendRecords = 1_000
const maxSendBytes = 768 * 1024
const recordOverheadBytes = 200
const maxPendingBytes = 64 * 1024 ** 2
const retryPauseMs = 100
const sweepIntervalMs = 100
/** How long the opening waits for Kafka. */
const openTimeoutMs = 10_000
const disconnectTimeoutMs = 5_000

type Waiting = {
  keyed: KeyedRecord
  bytes: number
  deadline: number
  resolve(): void
  reject(error: Error): void
}

/** Also opens when Kafka is away: then appends are refused when their time is over, until it is back. */
export async function openKafkaLogWriter(options: KafkaLogWriterOptions): Promise<LogWriter> {
  const { settings, appendTimeoutMs = 10_000, maxPendingRecords = 20_000 } = options
  /** In the order of their deadlines. */
  const unanswered = new Set<Waiting>()
  /** Those that gather for the next send. */
  const queue: Waiting[] = []
  /** Appends not answered yet, and those given up whose send has not ended. */
  let pendingRecords = 0
  let pendingBytes = 0
  let isSending = false
  let isClosing = false
  let onEmpty: (() => void) | undefined
  const sender = await openSender(options, appendTimeoutMs)
  const stopSweep = repeat(sweepIntervalMs, giveUpLate)

  /** Answers once: with `error`, or that the record is durable. */
  function settle(waiting: Waiting, error?: Error): void {
    if (!unanswered.delete(waiting)) return
    if (error === undefined) waiting.resolve()
    else waiting.reject(error)
  }

  function giveUpLate(): void {
    const now = performance.now()
    for (const waiting of unanswered) {
      if (waiting.deadline > now) return
      const message = `Kafka has not taken a record within ${appendTimeoutMs} ms. ${sender.failure()}`
      settle(waiting, refuse('LOG_IO', message))
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue)
      await deliver(batch, { sender, topic: settings.topic, unanswered, settle })
      // Their send has ended, whatever became of it.
      for (const { bytes } of batch) pendingBytes -= bytes
      pendingRecords -= batch.length
    }
    isSending = false
    if (pendingRecords === 0) onEmpty?.()
  }

  return {
    append(record) {
      if (isClosing) return Promise.reject(new LogUnavailableError(closed))
      const { body, key, source } = record
      const bytes = body.byteLength + key.length + source.length + recordOverheadBytes
      if (pendingRecords >= maxPendingRecords || pendingBytes + bytes > maxPendingBytes)
        return Promise.reject(refuse('LOG_BUSY', `${pendingRecords} records wait for Kafka already.`))
      pendingRecords++
      pendingBytes += bytes
      const { promise, ...answer } = Promise.withResolvers<void>()
      const deadline = performance.now() + appendTimeoutMs
      const waiting = { keyed: toKeyed(record), bytes, deadline, ...answer }
      unanswered.add(waiting)
      queue.push(waiting)
      // At the end of this turn of the loop, so that all requests that came in with it share the send.
      if (!isSending) {
        isSending = true
        setImmediate(() => void drain())
      }
      return promise
    },
    async close() {
      if (isClosing) return
      isClosing = true
      if (pendingRecords > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
      stopSweep()
      await sender.close()
    },
  }
}

type Delivering = {
  sender: Awaited<ReturnType<typeof openSender>>
  topic: string
  unanswered: ReadonlySet<Waiting>
  settle(waiting: Waiting, error?: Error): void
}

/** Sends until all are answered: by Kafka, or because their time is over. */
async function deliver(batch: readonly Waiting[], options: Delivering): Promise<void> {
  const { sender, topic, unanswered, settle } = options
  for (;;) {
    const open = batch.filter((waiting) => unanswered.has(waiting))
    const [first] = open
    if (first === undefined) return
    try {
      await sender.send(open.map(({ keyed }) => keyed))
      return open.forEach((waiting) => settle(waiting))
    } catch (error) {
      if (isTooLarge(error)) {
        const limit = `larger than the topic ${topic} permits (max.message.bytes)`
        if (open.length === 1)
          return settle(first, refuse('LOG_TOO_LARGE', `A record of ${first.bytes} bytes is ${limit}.`))
        const middle = Math.ceil(open.length / 2)
        await deliver(open.slice(0, middle), options)
        return deliver(open.slice(middle), options)
      }
      if (!isRetriable(error)) {
        const refusal = refuse('LOG_IO', `Kafka refuses records: ${toText(error)}`, error)
        return open.forEach((waiting) => settle(waiting, refusal))
      }
      await pause(retryPauseMs)
    }
  }
}

/** The producer of one writer. It connects when it is needed. */
async function openSender(options: KafkaLogWriterOptions, appendTimeoutMs: number) {
  const { settings, logger, checkTopic } = options
  const { topic } = settings
  // A broker that does not answer must not hold a send for longer than the records in it may wait.
  const producer = createKafka(settings, logger, Math.min(30_000, appendTimeoutMs)).producer({
    allowAutoTopicCreation: false,
    // The writer retries, because only it knows how long the records may still wait.
    retry: { retries: 0 },
    // Two writers that count partitions differently put events of one assignment into two of them.
    metadataMaxAge: 10_000,
    createPartitioner: encodedPartitioner,
  })
  /** As of the last send: the partitioner tells of a change. */
  let partitionCount = 1
  let failure: string | undefined
  let connected: Promise<void> | undefined

  async function connect(): Promise<void> {
    await checkTopic?.()
    await producer.connect()
  }

  function forget(error: unknown): never {
    connected = undefined
    throw error
  }

  async function attempt(step?: () => Promise<void>): Promise<void> {
    try {
      await (connected ??= connect().catch(forget))
      await step?.()
      failure = undefined
    } catch (error) {
      // A record that is too large is its own fault, not Kafka's.
      if (!isTooLarge(error)) failure = toText(error)
      throw error
    }
  }

  async function produce(records: readonly KeyedRecord[]): Promise<void> {
    const byPartition = Map.groupBy(records, ({ hash }) => hash % partitionCount)
    const messages = [...byPartition].map(([partition, ofPartition]) =>
      toMessage({ partition, partitionCount, bytes: encodeRecordBatch(ofPartition) }),
    )
    try {
      await producer.send({ topic, acks: -1, timeout: appendTimeoutMs, messages })
    } catch (error) {
      if (!(error instanceof PartitionCountError)) throw error
      partitionCount = error.partitionCount
      await produce(records)
    }
  }

  await Promise.race([attempt(), pause(openTimeoutMs, undefined, { ref: false })]).catch((error: unknown) => {
    if (error instanceof StartError) throw error
  })
  return {
    /** Resolves once all in-sync replicas have the records. Tries once. */
    send: (records: readonly KeyedRecord[]) => attempt(() => produce(records)),
    /** Why Kafka takes no records. */
    failure: () => failure ?? 'There is no answer.',
    async close(): Promise<void> {
      const disconnected = Promise.allSettled([connected]).then(() => producer.disconnect())
      // A broker that has vanished does not answer to a goodbye, and nothing depends on it.
      await Promise.race([disconnected, pause(disconnectTimeoutMs, undefined, { ref: false })])
    },
  }
}

function takeBatch(queue: Waiting[]): Waiting[] {
  let bytes = 0
  const end = queue.findIndex((waiting, at) => (bytes += waiting.bytes) > maxSendBytes && at > 0)
  return queue.splice(0, Math.min(end === -1 ? queue.length : end, maxSendRecords))
}

function refuse(code: LogFailure['code'], message: string, cause?: unknown): LogUnavailableError {
  return new LogUnavailableError({ code, message }, cause)
}
