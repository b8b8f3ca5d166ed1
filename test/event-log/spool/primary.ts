/** The real local log in the place of Kafka, behind a tap: a log that refuses, that is silent, or that answers too late. */
import { setTimeout as pause } from 'node:timers/promises'
import { LogUnavailableError, type LogRecord } from '../../../services/event-log/event-log.ts'
import { openLocalLogWriter, type LocalLogWriter } from '../../../services/event-log/local/writer.ts'

/**
 * `late`: takes what it is given only with `answerLate`. `silent`: takes nothing until the tap is turned, and then answers as a broker
 * whose connections were cut. Both refuse after `timeoutMs`.
 */
export type Tap = 'open' | 'small' | 'refusing' | 'silent' | 'late'
export type Primary = LocalLogWriter & {
  tap: Tap
  /** How long an append may take. Default: for ever. */
  timeoutMs: number
  /** The appends that have come this far, in order. */
  asked: LogRecord[]
  /** Appends now the records that came while it was late. */
  answerLate(): void
}

const cut = new LogUnavailableError({ code: 'LOG_IO', message: 'the connection was cut' })

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
    timeoutMs: 3_600_000,
    asked: [],
    answerLate: late.resolve,
    async append(record) {
      primary.asked.push(record)
      const refuseLate = () =>
        pause(primary.timeoutMs, undefined, { ref: false }).then(() => Promise.reject(cut))
      if (tap === 'silent') await Promise.race([turned.promise.then(() => Promise.reject(cut)), refuseLate()])
      if (tap === 'refusing') throw new LogUnavailableError({ code: 'LOG_IO', message: 'no leader' })
      if (tap === 'small' && record.body.byteLength > 1_000)
        throw new LogUnavailableError({ code: 'LOG_TOO_LARGE', message: 'larger than the topic permits' })
      if (tap === 'late') return Promise.race([late.promise.then(() => log.append(record)), refuseLate()])
      await log.append(record)
    },
  }
  return primary
}
