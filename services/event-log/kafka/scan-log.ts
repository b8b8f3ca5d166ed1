/** Everything in the topic now, beside other readers: through a temporary group of its own. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Logger } from '../../runtime/logger.ts'
import type { LogSlice } from '../event-log.ts'
import { toRecord } from './record.ts'
import { createKafka, type KafkaSettings } from './settings.ts'

const recordsPerSlice = 2_000

/** From the oldest record of every partition to the last one at the start of the scan. */
export async function* scanKafkaLog(settings: KafkaSettings, logger: Logger): AsyncGenerator<LogSlice> {
  const kafka = createKafka(settings, logger)
  const groupId = `${settings.groupId}-scan-${randomUUID()}`
  const admin = kafka.admin()
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false })
  const slices = new PassThrough({ objectMode: true, highWaterMark: 1 })
  const isOver = new AbortController()
  slices.once('close', () => isOver.abort())
  // The loop below throws it.
  slices.on('error', () => undefined)
  await admin.connect()
  try {
    const left = new Map<number, number>()
    for (const { partition, low, high } of await admin.fetchTopicOffsets(settings.topic)) {
      if (Number(high) > Number(low)) left.set(partition, Number(high))
    }
    if (left.size === 0) return
    consumer.on(consumer.events.CRASH, ({ payload }) => slices.destroy(payload.error))
    await consumer.connect()
    await consumer.subscribe({ topic: settings.topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      async eachBatch({ batch, heartbeat, resolveOffset, isStale, isRunning }) {
        const end = left.get(batch.partition)
        const messages = end === undefined ? [] : batch.messages.filter(({ offset }) => Number(offset) < end)
        const isWanted = () => !isOver.signal.aborted && !isStale() && isRunning()
        for (let start = 0; start < messages.length && isWanted(); start += recordsPerSlice) {
          const records = messages.slice(start, start + recordsPerSlice).map(toRecord)
          const beating = setInterval(() => void heartbeat().catch(() => undefined), 3_000)
          const hasRoom = slices.write({ partition: batch.partition, records })
          if (!hasRoom) await once(slices, 'drain', { signal: isOver.signal }).catch(() => undefined)
          clearInterval(beating)
          resolveOffset(String(records.at(-1)?.offset))
        }
        // Control records and gaps: the position marks the end, not the last record.
        if (end !== undefined && Number(batch.lastOffset()) >= end - 1) left.delete(batch.partition)
        if (left.size === 0) slices.end()
      },
    })
    yield* slices as AsyncIterable<LogSlice>
  } finally {
    slices.destroy()
    await consumer.disconnect()
    await admin.deleteGroups([groupId]).catch(() => undefined)
    await admin.disconnect()
  }
}
