/**
 * The writer to Kafka: appends gather while a send is under way and make the next one together. A key belongs to one lane,
 * and a lane has one send under way, so records of one key keep their order also over a retry. Acknowledged is what all
 * in-sync replicas have (acks=all).
 *
 * What a send did when its answer is lost cannot be known: such records are refused, and may be in the log all the same.
 * The idempotent producer would not change that, and allows one send at a time for everything.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import { LogUnavailableError, type LogRecord, type LogWriter } from '../event-log.ts'
import { isRetriable, isTooLarge, toText } from './errors.ts'
import { hashKey } from './key.ts'
import { toMessage } from './record.ts'
import { compressionTypes, createKafka, type KafkaSettings } from './settings.ts'

export type KafkaLogWriterOptions = {
  settings: KafkaSettings
  logger: Logger
  /** How long an append may take before it is refused with LOG_IO. Default 10 s. */
  appendTimeoutMs?: number
  /** Most records and bytes in memory that Kafka has not acknowledged. Default 20,000 and 64 MiB. */
  maxPendingRecords?: number
  maxPendingBytes?: number
}

export type KafkaLogWriter = LogWriter & {
  /** Appends not answered yet, and those given up whose send has not ended. */
  pending(): { records: number; bytes: number }
}

/**
 * Sends under way at once. A send costs the processor as much as some twenty records, so few and full ones are cheaper; two,
 * so that one gathers while the other is on its way.
 */
const laneCount = 2
/** Most in one send. The client groups a send's records by partition in a way that is slow with many. */
const maxSendRecords = 1_000
const maxSendBytes = 768 * 1024
/** A record of this size is sent alone: only such could be too large, and it must not take others with it. */
const aloneFromBytes = 128 * 1024
const recordOverheadBytes = 200
const retryPauseMs = 100
const probeIntervalMs = 1_000
const sweepIntervalMs = 100
const disconnectTimeoutMs = 5_000

const retryAfterMs = { LOG_FULL: 30_000, LOG_IO: 10_000, LOG_BUSY: 1_000, LOG_CLOSED: 5_000, LOG_TOO_LARGE: 3_600_000 }

type Waiting = {
  message: Message
  bytes: number
  deadline: number
  /** `undefined` once it has been answered. */
  answer: { resolve(): void; reject(error: Error): void } | undefined
}

type Lane = { queue: Waiting[]; isSending: boolean; isScheduled: boolean }

/** Also opens when Kafka is away: then appends are refused when their time is over, until it is back. */
export async function openKafkaLogWriter(options: KafkaLogWriterOptions): Promise<KafkaLogWriter> {
  const { settings, logger, appendTimeoutMs = 10_000 } = options
  const { maxPendingRecords = 20_000, maxPendingBytes = 64 * 1024 ** 2 } = options
  const { topic } = settings
  const compression = compressionTypes[settings.compression]
  // A broker that does not answer must not hold a lane for longer than the records in it may wait.
  const requestTimeoutMs = Math.min(settings.requestTimeoutMs ?? 30_000, appendTimeoutMs)
  const kafka = createKafka({ ...settings, requestTimeoutMs }, logger)
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    // Retries are ours, because only we know how long the records may still wait.
    retry: { retries: 0 },
    createPartitioner:
      () =>
      ({ partitionMetadata, message }) =>
        hashKey(message.key as Buffer) % partitionMetadata.length,
  })

  const lanes: Lane[] = Array.from({ length: laneCount }, () => ({ queue: [], isSending: false, isScheduled: false }))
  /** In the order of their deadlines. */
  const unanswered = new Set<Waiting>()
  let pendingRecords = 0
  let pendingBytes = 0
  let isConnected = false
  let isClosing = false
  let failure: string | undefined
  let onIdle: (() => void) | undefined
  let lastProbe: Promise<void> | undefined

  const sweep = setInterval(giveUpLate, sweepIntervalMs)
  const prober = setInterval(() => {
    if (failure !== undefined && unanswered.size === 0) lastProbe ??= probe().finally(() => (lastProbe = undefined))
  }, probeIntervalMs)
  sweep.unref()
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

  function schedule(lane: Lane): void {
    if (lane.isScheduled || lane.isSending) return
    lane.isScheduled = true
    // At the end of this turn of the loop, so that all requests that came in with it share the send.
    setImmediate(() => {
      lane.isScheduled = false
      void drain(lane)
    })
  }

  async function drain(lane: Lane): Promise<void> {
    if (lane.isSending) return
    lane.isSending = true
    while (lane.queue.length > 0) {
      const batch = takeBatch(lane.queue)
      await deliver(batch)
      for (const { bytes } of batch) pendingBytes -= bytes
      pendingRecords -= batch.length
    }
    lane.isSending = false
    if (pendingRecords === 0) onIdle?.()
  }

  /** Sends until all are answered: by Kafka, or because their time is over. */
  async function deliver(batch: readonly Waiting[]): Promise<void> {
    for (;;) {
      const open = batch.filter(({ answer }) => answer !== undefined)
      if (open.length === 0) return
      try {
        await connect()
        await producer.send({
          topic,
          acks: -1,
          compression,
          timeout: appendTimeoutMs,
          messages: open.map(({ message }) => message),
        })
        failure = undefined
        for (const waiting of open) settle(waiting)
        return
      } catch (error) {
        if (isTooLarge(error)) return separate(open)
        fail(error)
        if (!isRetriable(error)) {
          for (const waiting of open)
            settle(waiting, refuse('LOG_IO', `Kafka refuses records: ${toText(error)}`, error))
          return
        }
        await pause(retryPauseMs)
      }
    }
  }

  async function separate(batch: readonly Waiting[]): Promise<void> {
    const [only] = batch
    if (only === undefined) return
    if (batch.length === 1) {
      const message = `A record of ${only.bytes} bytes is larger than the topic ${topic} permits (max.message.bytes).`
      return settle(only, refuse('LOG_TOO_LARGE', message))
    }
    const middle = Math.ceil(batch.length / 2)
    await deliver(batch.slice(0, middle))
    await deliver(batch.slice(middle))
  }

  function settle(waiting: Waiting, error?: Error): void {
    const { answer } = waiting
    if (answer === undefined) return
    waiting.answer = undefined
    unanswered.delete(waiting)
    if (error === undefined) answer.resolve()
    else answer.reject(error)
  }

  function giveUpLate(): void {
    const now = performance.now()
    for (const waiting of unanswered) {
      if (waiting.deadline > now) return
      const why = failure ?? 'There is no answer.'
      settle(waiting, refuse('LOG_IO', `Kafka has not taken a record within ${appendTimeoutMs} ms. ${why}`))
    }
  }

  function findRefusal(bytes: number): LogUnavailableError | undefined {
    if (isClosing) return refuse('LOG_CLOSED', 'The event log is closed.')
    if (pendingRecords < maxPendingRecords && pendingBytes + bytes <= maxPendingBytes) return undefined
    return refuse('LOG_BUSY', `${pendingRecords} records wait for Kafka already.`)
  }

  return {
    append(record) {
      const bytes = sizeOf(record)
      const refusal = findRefusal(bytes)
      if (refusal !== undefined) return Promise.reject(refusal)
      pendingRecords++
      pendingBytes += bytes
      const message = toMessage(record)
      const { promise, ...answer } = Promise.withResolvers<void>()
      const waiting: Waiting = { message, bytes, deadline: performance.now() + appendTimeoutMs, answer }
      unanswered.add(waiting)
      const lane = lanes[hashKey(message.key as Buffer) % laneCount] as Lane
      lane.queue.push(waiting)
      schedule(lane)
      return promise
    },
    health() {
      if (isClosing) return { ok: false, reason: 'The event log is closed.' }
      return failure === undefined ? { ok: true } : { ok: false, reason: failure }
    },
    pending: () => ({ records: pendingRecords, bytes: pendingBytes }),
    async close() {
      if (isClosing) return
      isClosing = true
      if (pendingRecords > 0) await new Promise<void>((resolve) => (onIdle = resolve))
      clearInterval(sweep)
      clearInterval(prober)
      await lastProbe
      // A broker that has vanished does not answer to a goodbye, and nothing depends on it.
      await Promise.race([producer.disconnect(), pause(disconnectTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Takes the head of a queue: as much as makes a good send. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let bytes = 0
  let count = 0
  for (const waiting of queue) {
    const isLarge = waiting.bytes >= aloneFromBytes
    if (count > 0 && (isLarge || bytes + waiting.bytes > maxSendBytes || count === maxSendRecords)) break
    bytes += waiting.bytes
    count++
    if (isLarge) break
  }
  return queue.splice(0, count)
}

function sizeOf({ body, key, source }: LogRecord): number {
  return body.byteLength + key.length + source.length + recordOverheadBytes
}

function refuse(code: LogUnavailableError['code'], message: string, cause?: unknown): LogUnavailableError {
  return new LogUnavailableError(code, message, { retryAfterMs: retryAfterMs[code], cause })
}
