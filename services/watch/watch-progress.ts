/** Watches that the consumer gets on while there is something to read. If it does not, readiness, metrics and the log say so. */
import type { Registry } from 'prom-client'
import type { LogReader } from '../event-log/event-log.ts'
import { describeError, toSafeMessage } from '../runtime/describe-error.ts'
import type { Health } from '../runtime/http/health.ts'
import { createMeters } from '../runtime/telemetry.ts'

/** How far the consumer is behind the log, and why, for people: `rollcall doctor` and `rollcall erase` say it. */

export type Progress = {
  /** Deliveries that are in the log and not in the store. */
  waiting: number
  /** When the oldest of them was received, epoch ms; `undefined` where none waits, or it is unknown. */
  oldestReceivedAt: number | undefined
  /** The error that keeps the oldest from being stored. `undefined`: none that this process knows of. */
  failure: BatchFailure | undefined
  /** Since when nothing was stored although they wait, epoch ms. Left out: it goes on, or nobody looks. */
  stalledSince?: number | undefined
}

/** As a reader reports its lag. */
export function toProgress(
  lag: readonly { records: number; oldestMs: number }[],
  failure: BatchFailure | undefined,
  now = Date.now(),
  stall?: { since: number },
): Progress {
  const behind = lag.filter(({ records }) => records > 0)
  return {
    waiting: behind.reduce((sum, { records }) => sum + records, 0),
    oldestReceivedAt:
      behind.length === 0 ? undefined : now - Math.max(...behind.map(({ oldestMs }) => oldestMs)),
    failure,
    stalledSince: stall?.since,
  }
}

type BatchFailure = { since: number; tries: number; code: string; message: string }

export function createFailureMemory(now: () => number = Date.now) {
  let failure: BatchFailure | undefined
  return {
    failed(error: unknown): void {
      const { since = now(), tries = 0 } = failure ?? {}
      failure = {
        since,
        tries: tries + 1,
        code: describeError(error).code ?? 'UNKNOWN',
        message: toSafeMessage(error),
      }
    },
    /** A batch was stored: whatever it was is over. */
    stored: () => void (failure = undefined),
    current: () => failure,
  }
}

/** Deliveries wait, and no position was recorded for so long. */
export const stalledAfterMs = 30_000

/** How often a stall that lasts is logged. */
const logIntervalMs = 3_600_000

export type Stall = {
  /** Since when no position was recorded, epoch ms. */
  since: number
  /** Deliveries in the partitions that do not get on. */
  waiting: number
  partitions: number[]
  failure: BatchFailure | undefined
}

export type WaitingPart = { partition: number; records: number; oldestMs: number }

type ProgressWatchOptions = {
  lag: LogReader['lag']
  /** Why the last batch was not stored; `undefined`: unknown. */
  failure: () => BatchFailure | undefined
  /** Told of a stall once, and every hour that it lasts. */
  onStalled: (stall: Stall) => void
  onMoving: () => void
  registry: Registry
  /** Epoch ms; default the machine's clock. Only says since when: how long is measured by `elapsed`. */
  now?: () => number
  /** Ms of a clock that only goes forward. Default `performance.now`. */
  elapsed?: () => number
}

export type ProgressWatch = ReturnType<typeof createProgressWatch>

export function createProgressWatch(options: ProgressWatchOptions) {
  const { lag, failure, onStalled, onMoving, registry } = options
  const { now = Date.now, elapsed = () => performance.now() } = options
  /** Per partition in which something waits: since when, without a position, by `elapsed`. */
  const waitingSince = new Map<number, number>()
  let stall: Stall | undefined
  let stalledFrom = 0
  let loggedAt = -Infinity
  let parts: readonly WaitingPart[] = []

  createMeters(registry).reading(
    'rollcall_consumer_stalled_seconds',
    'For how long no position was recorded although deliveries wait; 0 below 30 s.',
    () => (stall === undefined ? 0 : (elapsed() - stalledFrom) / 1000),
  )

  function findStall(behind: readonly { partition: number; records: number }[]): Stall | undefined {
    const stalled = behind.filter(
      ({ partition }) => elapsed() - (waitingSince.get(partition) ?? elapsed()) >= stalledAfterMs,
    )
    if (stalled.length === 0) return undefined
    stalledFrom = Math.min(...stalled.map(({ partition }) => waitingSince.get(partition) ?? elapsed()))
    return {
      since: Math.round(now() - (elapsed() - stalledFrom)),
      waiting: stalled.reduce((sum, { records }) => sum + records, 0),
      partitions: stalled.map(({ partition }) => partition),
      failure: failure(),
    }
  }

  return {
    /** A position was recorded. */
    moved(partition: number): void {
      if (waitingSince.has(partition)) waitingSince.set(partition, elapsed())
    },
    /** Looks at the waiting deliveries. To be called every few seconds. */
    async look(): Promise<void> {
      parts = await lag()
      const behind = parts.filter(({ records }) => records > 0)
      const partitions = new Set(behind.map(({ partition }) => partition))
      // Read to the end, or another process's by now.
      for (const partition of waitingSince.keys())
        if (!partitions.has(partition)) waitingSince.delete(partition)
      for (const partition of partitions)
        if (!waitingSince.has(partition)) waitingSince.set(partition, elapsed())
      const was = stall
      stall = findStall(behind)
      if (stall === undefined) {
        loggedAt = -Infinity
        if (was !== undefined) onMoving()
      } else if (elapsed() - loggedAt >= logIntervalMs) {
        loggedAt = elapsed()
        onStalled(stall)
      }
    },
    /** The stall of the last look; `undefined`: it gets on. */
    current: () => stall,
    /** The waiting deliveries at the last look, by partition. */
    parts: () => parts,
    /** As of the last look. */
    isReady(): Health {
      if (stall === undefined) return { ok: true }
      const seconds = Math.round((elapsed() - stalledFrom) / 1000)
      const why = stall.failure === undefined ? 'No error is known.' : `Last error: ${stall.failure.message}`
      const waiting = stall.waiting === 1 ? '1 delivery waits' : `${stall.waiting} deliveries wait`
      return { ok: false, reason: `Nothing was stored for ${seconds} s, and ${waiting}. ${why}` }
    },
  }
}
