/** Everything in the topic now, beside other readers: through temporary groups of its own. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kafka } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import type { LogSlice } from '../event-log.ts'
import { hasType, isRetriable } from './errors.ts'
import { toRecord } from './record.ts'
import { createKafka, type KafkaSettings } from './settings.ts'
import { toStartError, withAdmin } from './topic.ts'
import { repeat } from '../../runtime/repeat.ts'

/** A partition's next offset to read, and its end at the start of the scan. */
type Part = { next: number; end: number }

const recordsPerSlice = 2_000
/** A broker that has just started needs a while until it knows its groups. */
const patienceMs = 30_000
const retryPauseMs = 500

/**
 * From the oldest record of every partition to the last one at the start of the scan. Reads on by itself after errors that
 * may pass, until it has not come further for half a minute.
 */
export async function* scanKafkaLog(settings: KafkaSettings, logger: Logger): AsyncGenerator<LogSlice> {
  const kafka = createKafka(settings, logger)
  let parts: Map<number, Part> | undefined
  let progressAt = performance.now()
  for (;;) {
    try {
      parts ??= await findParts(kafka, settings.topic)
      if (parts.size === 0) return
      for await (const slice of readOn(kafka, settings, parts)) {
        yield slice
        progressAt = performance.now()
      }
    } catch (error) {
      if (!isRetriable(error) || hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION')) throw error
      if (performance.now() - progressAt > patienceMs) throw toStartError(error)
      await sleep(retryPauseMs)
    }
  }
}

function findParts(kafka: Kafka, topic: string): Promise<Map<number, Part>> {
  return withAdmin(kafka, async (admin) => {
    const offsets = await admin.fetchTopicOffsets(topic)
    const parts = offsets.map(
      ({ partition, low, high }) => [partition, { next: Number(low), end: Number(high) }] as const,
    )
    return new Map(parts.filter(([, { next, end }]) => end > next))
  })
}

/** Reads until nothing is left, or throws the error that ended the consumer; yielded records are not left any more. */
async function* readOn(kafka: Kafka, { topic, groupId }: KafkaSettings, parts: Map<number, Part>) {
  const group = `${groupId}-scan-${randomUUID()}`
  const consumer = kafka.consumer({
    groupId: group,
    allowAutoTopicCreation: false,
    // The end of a scan waits for the last fetch, for which nothing is left.
    maxWaitTimeInMs: 250,
    // It would begin again, and cannot be closed meanwhile.
    retry: { restartOnFailure: () => Promise.resolve(false) },
  })
  const slices = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const isOver = new AbortController()
  slices.once('close', () => isOver.abort())
  let failure: Error | undefined
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    failure = payload.error
    slices.end()
  })
  /** Control records and gaps: the position marks the end, not the last record. */
  function reach(partition: number, offset: string): void {
    if (Number(offset) >= (parts.get(partition)?.end ?? Infinity) - 1) parts.delete(partition)
    if (parts.size === 0) slices.end()
  }
  // Offsets that only transactions have used come in no batch.
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, batchSize, lastOffset } }) => {
    if (batchSize === 0) reach(partition, lastOffset)
  })
  consumer.on(consumer.events.GROUP_JOIN, () => {
    for (const [partition, { next }] of parts) consumer.seek({ topic, partition, offset: String(next) })
  })
  try {
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      async eachBatch({ batch, heartbeat, resolveOffset, pause, isStale, isRunning }) {
        const part = parts.get(batch.partition)
        if (part === undefined) return void pause()
        const isWanted = () => !isOver.signal.aborted && !isStale() && isRunning()
        const records = batch.messages
          .map(toRecord)
          .filter(({ offset }) => offset >= part.next && offset < part.end)
        const stopBeat = repeat(3_000, () => heartbeat().catch(() => undefined))
        for (let start = 0; start < records.length && isWanted(); start += recordsPerSlice) {
          const slice = records.slice(start, start + recordsPerSlice)
          const hasRoom = slices.write({ partition: batch.partition, records: slice })
          part.next = (slice.at(-1)?.offset ?? 0) + 1
          if (!hasRoom) await once(slices, 'drain', { signal: isOver.signal }).catch(() => undefined)
        }
        stopBeat()
        if (!isWanted()) return
        resolveOffset(batch.lastOffset())
        reach(batch.partition, batch.lastOffset())
      },
    })
    yield* slices as AsyncIterable<LogSlice>
    if (failure !== undefined && parts.size > 0) throw failure
  } finally {
    slices.destroy()
    await consumer.disconnect()
    await withAdmin(kafka, (admin) => admin.deleteGroups([group])).catch(() => undefined)
  }
}
