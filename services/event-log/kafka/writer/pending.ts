/** The records in memory that Kafka has not acknowledged: how many there may be, and who waits for an answer until when. */
import type { KeyedRecord } from './record-batch.ts'

export type Waiting = {
  keyed: KeyedRecord
  bytes: number
  deadline: number
  /** `undefined` once it has been answered. */
  answer: { resolve(): void; reject(error: Error): void } | undefined
}

type PendingOptions = { maxRecords: number; maxBytes: number; appendTimeoutMs: number }

export type Pending = ReturnType<typeof createPending>

export function createPending({ maxRecords, maxBytes, appendTimeoutMs }: PendingOptions) {
  /** In the order of their deadlines. */
  const unanswered = new Set<Waiting>()
  let pendingRecords = 0
  let pendingBytes = 0
  let onEmpty: (() => void) | undefined

  /** Answers once: with `error`, or that the record is durable. */
  function settle(waiting: Waiting, error?: Error): void {
    const { answer } = waiting
    if (answer === undefined) return
    waiting.answer = undefined
    unanswered.delete(waiting)
    if (error === undefined) answer.resolve()
    else answer.reject(error)
  }

  return {
    hasRoom: (bytes: number) => pendingRecords < maxRecords && pendingBytes + bytes <= maxBytes,
    add(keyed: KeyedRecord, bytes: number): { waiting: Waiting; answered: Promise<void> } {
      pendingRecords++
      pendingBytes += bytes
      const { promise, ...answer } = Promise.withResolvers<void>()
      const waiting: Waiting = { keyed, bytes, deadline: performance.now() + appendTimeoutMs, answer }
      unanswered.add(waiting)
      return { waiting, answered: promise }
    },
    settle,
    /** Answers all whose time is over. */
    giveUpLate(toError: () => Error): void {
      const now = performance.now()
      for (const waiting of unanswered) {
        if (waiting.deadline > now) return
        settle(waiting, toError())
      }
    },
    /** Their send has ended, whatever became of it. */
    release(batch: readonly Waiting[]): void {
      for (const { bytes } of batch) pendingBytes -= bytes
      pendingRecords -= batch.length
      if (pendingRecords === 0) onEmpty?.()
    },
    hasUnanswered: () => unanswered.size > 0,
    size: () => ({ records: pendingRecords, bytes: pendingBytes }),
    async whenEmpty(): Promise<void> {
      if (pendingRecords > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
    },
  }
}
