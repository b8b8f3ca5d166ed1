/**
 * The budget of calls to the platform. All callers share it: a maximum in any hour, counted by the minute, across restarts, and
 * recorded ahead of the calls. A part is reserved for waiting people; sweeps spread their calls over the hour.
 */
import type { CallPriority } from './platform-client.ts'
import { systemClock, type Clock } from './clock.ts'

/** Records the calls across restarts, and reads those of other processes. Counts per minute are exact enough. */
export type CallRecord = {
  /** Calls of all other processes since then. */
  others(sinceMs: number): Promise<readonly MinuteCalls[]>
  /** The number of this process's calls in that minute, replacing the number before. Durable when it resolves. */
  write(calls: readonly MinuteCalls[]): Promise<void>
}

export type MinuteCalls = { minuteMs: number; calls: number }

type CallBudgetOptions = {
  /** Maximum calls in any hour, of all processes together. */
  callsPerHour: number
  record: CallRecord
  /** Reserved for waiting people. Default a twentieth, 100 at most. */
  keptForPeople?: number
  clock?: Clock
}

type Waiting = { priority: CallPriority; go: () => void; fail: (error: Error) => void }

const hourMs = 3_600_000
const minuteMs = 60_000
const order: readonly CallPriority[] = ['person', 'job', 'sweep']

/** This many calls are recorded at a time, before the first of them: a crash can only overcount by these. */
const writtenAhead = 20

export type CallBudget = ReturnType<typeof createCallBudget>

export function createCallBudget(options: CallBudgetOptions) {
  const { callsPerHour, record, clock = systemClock } = options
  const reserve = options.keptForPeople ?? Math.min(100, Math.ceil(callsPerHour / 20))
  const sweepIntervalMs = Math.ceil(hourMs / Math.max(1, callsPerHour - reserve))
  const block = Math.max(1, Math.min(writtenAhead, Math.floor(callsPerHour / 20)))

  const waiting: Waiting[] = []
  const mine = new Map<number, number>()
  let others: readonly MinuteCalls[] = []
  let isOthersKnown = false
  /** How many calls of the current minute are recorded. */
  let written = { minuteMs: -1, calls: 0 }
  let lastSweepAt = -Infinity
  let pausedUntilMs = 0
  let isServing = false
  let wake = new AbortController()

  /** A minute counts until its last call is an hour old. Others' clocks may be ahead by a minute. */
  const isCounted = (minute: number, now: number) => minute + minuteMs > now - hourMs && minute <= now + minuteMs

  function countUsed(now: number): number {
    let used = 0
    for (const [minute, calls] of mine) {
      if (isCounted(minute, now)) used += calls
      else mine.delete(minute)
    }
    return others.reduce((sum, { minuteMs, calls }) => (isCounted(minuteMs, now) ? sum + calls : sum), used)
  }

  /** How long the first call of the queue must still wait; 0: it may go. */
  function toWaitMs(priority: CallPriority, now: number): number {
    if (now < pausedUntilMs) return pausedUntilMs - now
    const most = priority === 'person' ? callsPerHour : callsPerHour - reserve
    if (countUsed(now) >= most) return toNextFreedAt(now) - now
    return priority === 'sweep' ? Math.max(0, lastSweepAt + sweepIntervalMs - now) : 0
  }

  function toNextFreedAt(now: number): number {
    const minutes = [...mine.keys(), ...others.map(({ minuteMs }) => minuteMs)].filter((one) => isCounted(one, now))
    return Math.min(...minutes) + minuteMs + hourMs
  }

  /** Records the next calls of this minute, and the real number of the minute before. */
  async function writeAhead(now: number): Promise<void> {
    const minute = toMinute(now)
    const before = written.minuteMs
    others = await record.others(now - hourMs - minuteMs)
    isOthersKnown = true
    const used = mine.get(minute) ?? 0
    const calls = used + block
    await record.write([
      ...(before !== minute && before >= 0 ? [{ minuteMs: before, calls: mine.get(before) ?? 0 }] : []),
      { minuteMs: minute, calls },
    ])
    written = { minuteMs: minute, calls }
  }

  async function serve(): Promise<void> {
    for (;;) {
      const first = order.flatMap((priority) => waiting.filter((one) => one.priority === priority))[0]
      if (first === undefined) return
      const now = clock.now()
      const minute = toMinute(now)
      if (written.minuteMs !== minute || (mine.get(minute) ?? 0) >= written.calls) {
        // Only when there is room: else every wait would write.
        if (!isOthersKnown || toWaitMs(first.priority, now) === 0) await writeAhead(now)
      }
      const waitMs = toWaitMs(first.priority, now)
      if (waitMs > 0) {
        wake = new AbortController()
        await clock.sleep(waitMs, wake.signal).catch(() => undefined)
        continue
      }
      const at = waiting.indexOf(first)
      // The first one may have given up meanwhile.
      if (at < 0) continue
      waiting.splice(at, 1)
      mine.set(minute, (mine.get(minute) ?? 0) + 1)
      if (first.priority === 'sweep') lastSweepAt = now
      first.go()
    }
  }

  function startServing(): void {
    if (isServing) return
    isServing = true
    serve()
      .catch((error: unknown) => {
        // Calls that cannot be recorded must not be made: every waiting caller gets the error.
        for (const { fail } of waiting.splice(0)) fail(toError(error))
      })
      .finally(() => {
        isServing = false
        if (waiting.length > 0) startServing()
      })
  }

  return {
    /** Resolves when the call may be made, most urgent first. Rejects with the signal's reason when aborted. */
    async take(priority: CallPriority, signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const call: Waiting = { priority, go: resolve, fail: reject }
      const leave = () => {
        const at = waiting.indexOf(call)
        if (at >= 0) waiting.splice(at, 1)
        wake.abort()
        reject(toError(signal?.reason))
      }
      signal?.addEventListener('abort', leave, { once: true })
      waiting.push(call)
      wake.abort()
      startServing()
      await promise.finally(() => signal?.removeEventListener('abort', leave))
    },
    /** The platform answered "too many calls": no call before then. */
    pauseUntil(atMs: number): void {
      pausedUntilMs = Math.max(pausedUntilMs, atMs)
    },
    state() {
      const now = clock.now()
      return {
        used: countUsed(now),
        waiting: waiting.length,
        /** Epoch ms; 0: not paused. */
        pausedUntilMs: now < pausedUntilMs ? pausedUntilMs : 0,
      }
    },
  }
}

function toMinute(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The wait for a call was given up', { cause: reason })
}
