/** The real local log in the place of Kafka, behind a tap: a log that refuses, that is silent, or that answers too late. */
import { LogUnavailableError, type LogRecord } from '../../../services/event-log/event-log.ts'
import { openLocalLogWriter, type LocalLogWriter } from '../../../services/event-log/local/writer.ts'

/** `late`: keeps what it is given until `answerLate`. `silent`: answers nothing until the tap is turned, and then as a broker whose connections were cut. */
export type Tap = 'open' | 'small' | 'refusing' | 'busy' | 'silent' | 'late'
export type Primary = LocalLogWriter & {
  tap: Tap
  /** The appends that have come this far, in order. */
  asked: LogRecord[]
  /** Appends now what came while it was late. */
  answerLate(): void
}

const cut = new LogUnavailableError('LOG_IO', 'the connection was cut', { retryAfterMs: 1 })

export async function openPrimary(directory: string): Promise<Primary> {
  const log = await openLocalLogWriter({ directory })
  const late = Promise.withResolvers<void>()
  let tap: Tap = 'open'
  let turned = Promise.withResolvers<void>()
  const primary: Primary = {
    ...log,
    get tap() {
      return tap
    },
    set tap(next) {
      tap = next
      turned.resolve()
      turned = Promise.withResolvers<void>()
    },
    asked: [],
    answerLate: late.resolve,
    async append(record) {
      primary.asked.push(record)
      if (tap === 'silent') await turned.promise.then(() => Promise.reject(cut))
      if (tap === 'refusing') throw new LogUnavailableError('LOG_IO', 'no leader', { retryAfterMs: 1 })
      if (tap === 'busy') throw new LogUnavailableError('LOG_BUSY', 'too many wait', { retryAfterMs: 1 })
      if (tap === 'small' && record.body.byteLength > 1_000)
        throw new LogUnavailableError('LOG_TOO_LARGE', 'larger than the topic permits', { retryAfterMs: 1 })
      if (tap === 'late') await late.promise
      await log.append(record)
    },
  }
  return primary
}
