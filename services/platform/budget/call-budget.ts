/**
 * The budget of calls to the platform. All callers share it: a maximum in any hour, counted across restarts. A part is
 * reserved for waiting people; sweeps spread their calls over the hour.
 */
import type { CallPriority } from '../platform-client.ts'

export type CallBudget = {
  /** Resolves when the call may be made, most urgent first. Rejects with the signal's reason when aborted. */
  take(priority: CallPriority, signal?: AbortSignal): Promise<void>
  /** The platform answered "too many calls": no call before then. */
  pauseUntil(atMs: number): void
  state(): CallBudgetState
}

export type CallBudgetState = {
  callsPerHour: number
  /** Within the last hour. */
  used: number
  waiting: number
  /** Epoch ms; 0: not paused. */
  pausedUntilMs: number
}

/** Records the calls across restarts, and reads those of other processes. Counts per minute are exact enough. */
export type CallRecord = {
  /** Calls of all other processes since then. */
  others(sinceMs: number): Promise<readonly MinuteCalls[]>
  /** The number of this process's calls in that minute, replacing the number before. Durable when it resolves. */
  write(calls: readonly MinuteCalls[]): Promise<void>
}

export type MinuteCalls = { minuteMs: number; calls: number }

/** Time, for tests that simulate hours. */
export type Clock = {
  now(): number
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
