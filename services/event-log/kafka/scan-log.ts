/** Everything in the topic now, beside other readers: through a temporary group of its own. */
import { randomUUID } from 'node:crypto'
import type { Logger } from '../../runtime/logger.ts'
import type { LogSlice, PositionedRecord } from '../event-log.ts'
import { toRecord } from './record.ts'
import { createKafka, type KafkaSettings } from './settings.ts'

const recordsPerSlice = 2_000

/** From the oldest record of every partition to the last one at the start of the scan. */
export async function* scanKafkaLog(settings: KafkaSettings, logger: Logger): AsyncGenerator<LogSlice> {
  const kafka = createKafka(settings, logger)
  const groupId = `${settings.groupId}-scan-${randomUUID()}`
  const admin = kafka.admin()
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false })
  const ready: LogSlice[] = []
  let wake = Promise.withResolvers<void>()
  let taken = Promise.withResolvers<void>()
  let failure: unknown
  await admin.connect()
  try {
    const left = new Map<number, number>()
    for (const { partition, low, high } of await admin.fetchTopicOffsets(settings.topic)) {
      if (Number(high) > Number(low)) left.set(partition, Number(high))
    }
    if (left.size === 0) return
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      failure = payload.error
      wake.resolve()
    })
    await consumer.connect()
    await consumer.subscribe({ topic: settings.topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      async eachBatch({ batch, heartbeat, resolveOffset, isStale, isRunning }) {
        const end = left.get(batch.partition)
        const messages = end === undefined ? [] : batch.messages.filter(({ offset }) => Number(offset) < end)
        for (let start = 0; start < messages.length && !isStale() && isRunning(); start += recordsPerSlice) {
          const records: PositionedRecord[] = messages.slice(start, start + recordsPerSlice).map(toRecord)
          taken = Promise.withResolvers()
          ready.push({ partition: batch.partition, records })
          wake.resolve()
          const beating = setInterval(() => void heartbeat().catch(() => undefined), 3_000)
          await taken.promise
          clearInterval(beating)
          resolveOffset(String(records.at(-1)?.offset))
        }
        // Control records and gaps: the position marks the end, not the last record.
        if (end !== undefined && Number(batch.lastOffset()) >= end - 1) left.delete(batch.partition)
        wake.resolve()
      },
    })
    while (left.size > 0 || ready.length > 0) {
      if (failure !== undefined) throw failure
      const slice = ready.shift()
      if (slice === undefined) {
        await wake.promise
        wake = Promise.withResolvers()
        continue
      }
      yield slice
      taken.resolve()
    }
  } finally {
    taken.resolve()
    await consumer.disconnect()
    await admin.deleteGroups([groupId]).catch(() => undefined)
    await admin.disconnect()
  }
}
