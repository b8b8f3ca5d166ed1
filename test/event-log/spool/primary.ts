/** The real local log in the place of Kafka, behind a tap: a log that refuses, that is silent, or that answers too late. */
import { setTimeout as pause } from 'node:timers/promises'
import { LogUnavailableError } from '../../../services/event-log/event-log.ts'
import { openLocalLogWriter, type LocalLogWriter } from '../../../services/event-log/local/writer.ts'

export type Tap = 'open' | 'small' | 'refusing' | 'busy' | 'silent' | 'late'
export type Primary = LocalLogWriter & {
  tap: Tap
  /** How many appends have come this far. */
  asked(): number
}

export async function openPrimary(directory: string, lateMs = 0): Promise<Primary> {
  const log = await openLocalLogWriter({ directory })
  let asked = 0
  const primary: Primary = {
    ...log,
    tap: 'open',
    asked: () => asked,
    async append(record) {
      asked++
      if (primary.tap === 'silent') return new Promise(() => {})
      if (primary.tap === 'refusing') throw new LogUnavailableError('LOG_IO', 'no leader', { retryAfterMs: 1 })
      if (primary.tap === 'busy') throw new LogUnavailableError('LOG_BUSY', 'too many wait', { retryAfterMs: 1 })
      if (primary.tap === 'small' && record.body.byteLength > 1_000)
        throw new LogUnavailableError('LOG_TOO_LARGE', 'larger than the topic permits', { retryAfterMs: 1 })
      if (primary.tap === 'late') await pause(lateMs)
      await log.append(record)
    },
  }
  return primary
}
