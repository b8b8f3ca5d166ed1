/**
 * The writer to Kafka: appends gather while a send is under way and make the next one together, so a slow send makes the
 * next one larger. One send is under way at a time, its retries included, so records of one key keep their order.
 * Acknowledged is what all in-sync replicas have (acks=all).
 *
 * The outcome of a send without an answer cannot be known: its records are refused, and may be in the log all the same.
 * The idempotent producer would not change that, and allows one send at a time for everything.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../../runtime/logger.ts'
import {
  closed,
  LogUnavailableError,
  type LogFailure,
  type LogRecord,
  type LogWriter,
} from '../../event-log.ts'
import { isRetriable, isTooLarge, toText } from '../errors.ts'
import { createPending, type Pending, type Waiting } from './pending.ts'
import { toKeyed } from './record-batch.ts'
import { openSender, type Sender } from './sender.ts'
import type { KafkaSettings } from '../settings.ts'
import { repeat } from '../../../runtime/repeat.ts'

export type KafkaLogWriterOptions = {
  settings: KafkaSettings
  logger: Logger
  /** How long an append may take before it is refused with LOG_IO. Default 10 s. */
  appendTimeoutMs?: number
  /** Most records in memory that Kafka has not acknowledged. Default 20,000; their bytes are at most 64 MiB. */
  maxPendingRecords?: number
  /**
   * How old may be what is known of the topic's partitions and leaders. Two writers that count them differently
   * put events of one assignment into two partitions. Default 10 s.
   */
  metadataMaxAgeMs?: number
  /** Checks the topic before the first send. Its `StartError` is thrown at the opening. Default: no check. */
  checkTopic?: () => Promise<unknown>
}

export type KafkaLogWriter = LogWriter & {
  /** Appends not answered yet, and those given up whose send has not ended. */
  pending(): { records: number; bytes: number }
}

/** Most in one send: bounds how long a record waits behind others. */
const maxSendRecords = 1_000
const maxSendBytes = 768 * 1024
/** A record of this size is sent alone: only such could be too large, and it must not take others with it. */
const aloneFromBytes = 128 * 1024
const recordOverheadBytes = 200
const maxPendingBytes = 64 * 1024 ** 2
const retryPauseMs = 100
const sweepIntervalMs = 100

/** Also opens when Kafka is away: then appends are refused when their time is over, until it is back. */
export async function openKafkaLogWriter(options: KafkaLogWriterOptions): Promise<KafkaLogWriter> {
  const { settings, logger, appendTimeoutMs = 10_000, metadataMaxAgeMs = 10_000 } = options
  const { maxPendingRecords: maxRecords = 20_000, checkTopic } = options
  const pending = createPending({ maxRecords, maxBytes: maxPendingBytes, appendTimeoutMs })
  const isIdle = () => !pending.hasUnanswered()
  const sender = await openSender({ settings, logger, appendTimeoutMs, metadataMaxAgeMs, isIdle, checkTopic })
  const queue = createQueue({ sender, pending, topic: settings.topic })
  let isClosing = false

  function toLateError(): LogUnavailableError {
    const why = sender.failure() ?? 'There is no answer.'
    return refuse('LOG_IO', `Kafka has not taken a record within ${appendTimeoutMs} ms. ${why}`)
  }
  const stopSweep = repeat(sweepIntervalMs, () => pending.giveUpLate(toLateError))

  function findRefusal(bytes: number): LogUnavailableError | undefined {
    if (isClosing) return new LogUnavailableError(closed)
    if (pending.hasRoom(bytes)) return undefined
    return refuse('LOG_BUSY', `${pending.size().records} records wait for Kafka already.`)
  }

  return {
    append(record) {
      const bytes = sizeOf(record)
      const refusal = findRefusal(bytes)
      if (refusal !== undefined) return Promise.reject(refusal)
      const { waiting, answered } = pending.add(toKeyed(record), bytes)
      queue.push(waiting)
      return answered
    },
    health() {
      if (isClosing) return { ok: false, reason: closed.message }
      const reason = sender.failure()
      return reason === undefined ? { ok: true } : { ok: false, reason }
    },
    pending: () => pending.size(),
    async close() {
      if (isClosing) return
      isClosing = true
      await pending.whenEmpty()
      stopSweep()
      await sender.close()
    },
  }
}

/** One send under way, and the records that gather for the next one. */
function createQueue({ sender, pending, topic }: { sender: Sender; pending: Pending; topic: string }) {
  const queue: Waiting[] = []
  let isSending = false
  let isScheduled = false

  async function drain(): Promise<void> {
    if (isSending) return
    isSending = true
    while (queue.length > 0) {
      const batch = takeBatch(queue)
      await deliver(batch)
      pending.release(batch)
    }
    isSending = false
  }

  /** Sends until all are answered: by Kafka, or because their time is over. */
  async function deliver(batch: readonly Waiting[]): Promise<void> {
    for (;;) {
      const open = batch.filter(({ answer }) => answer !== undefined)
      if (open.length === 0) return
      try {
        await sender.send(open.map(({ keyed }) => keyed))
        for (const waiting of open) pending.settle(waiting)
        return
      } catch (error) {
        if (isTooLarge(error)) return separate(open)
        if (!isRetriable(error)) {
          const refusal = () => refuse('LOG_IO', `Kafka refuses records: ${toText(error)}`, error)
          for (const waiting of open) pending.settle(waiting, refusal())
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
      return pending.settle(only, refuse('LOG_TOO_LARGE', message))
    }
    const middle = Math.ceil(batch.length / 2)
    await deliver(batch.slice(0, middle))
    await deliver(batch.slice(middle))
  }

  return {
    push(waiting: Waiting): void {
      queue.push(waiting)
      if (isScheduled || isSending) return
      isScheduled = true
      // At the end of this turn of the loop, so that all requests that came in with it share the send.
      setImmediate(() => {
        isScheduled = false
        void drain()
      })
    },
  }
}

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

function refuse(code: LogFailure['code'], message: string, cause?: unknown): LogUnavailableError {
  return new LogUnavailableError({ code, message }, cause)
}
