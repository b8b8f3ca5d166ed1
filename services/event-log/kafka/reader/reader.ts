/**
 * The reader from Kafka. The handler decides where to resume: Kafka's committed offsets only show lag to tools. Whatever the
 * client library does about offsets by itself, a batch is handled only if it begins exactly at this reader's position.
 */
import { createBackoff } from '../../../runtime/backoff.ts'
import type { Logger } from '../../../runtime/logger.ts'
import { createTurns } from '../../../runtime/turns.ts'
import type { LogReader } from '../../event-log.ts'
import { toText } from '../errors.ts'
import { openKafkaSession, type Session } from './session.ts'
import { createKafka, type KafkaSettings } from '../settings.ts'

type KafkaLogReaderOptions = {
  settings: KafkaSettings
  logger: Logger
  /**
   * After how long without a sign of life the group gives the partitions to others. Default 10 s: this is also how long the
   * group waits after a broker's crash for the member that this reader was before it.
   */
  sessionTimeoutMs?: number
}

const firstRetryMs = 200
const maxRetryMs = 5_000

export function openKafkaLogReader(options: KafkaLogReaderOptions): LogReader {
  const { settings, logger, sessionTimeoutMs = 10_000 } = options
  const { topic, groupId } = settings
  const kafka = createKafka(settings, logger)
  const stopping = new AbortController()
  const exclusive = createTurns()
  const shared = { kafka, topic, groupId, sessionTimeoutMs, logger, exclusive }
  let session: Session | undefined
  let running: Promise<void> | undefined

  return {
    start(handler, limits, onError) {
      running = (async () => {
        const backoff = createBackoff(firstRetryMs, maxRetryMs, stopping.signal)
        while (!stopping.signal.aborted) {
          const startedAt = performance.now()
          session = openKafkaSession({ ...shared, handler, limits, onError })
          const error = await session.ended
          if (error === undefined) return
          await session.close()
          logger.warn({ says: toText(error), groupId }, 'The Kafka consumer has ended and is started again')
          if (performance.now() - startedAt > maxRetryMs) backoff.reset()
          await backoff.wait()
        }
      })()
    },
    lag: () => Promise.resolve(session?.lag() ?? []),
    assigned: () => session?.assigned() ?? [],
    async close() {
      stopping.abort()
      await session?.close()
      await running
    },
  }
}
