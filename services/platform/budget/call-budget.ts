/**
 * How many calls the platform gets from us. Everything that calls it shares one budget: at most so many calls in any hour,
 * counted over restarts. A part is kept back for people who wait for an answer; sweeps spread their calls over the hour.
 */
import type { CallPriority } from '../platform-client.ts'

export type CallBudget = {
  /** Resolves when the call may be made, most urgent first. Rejects with the signal's reason when aborted. */
  take(priority: CallPriority, signal?: AbortSignal): Promise<void>
  /** The platform said "too many": nobody calls before then. */
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

/** What remembers the calls over a restart, and tells of those of other processes. Counts per minute are exact enough. */
export type CallRecord = {
  /** Calls of everyone since then, this process's aside. */
  others(sinceMs: number): Promise<readonly MinuteCalls[]>
  /** So many calls of this process in that minute, replacing what was said of the minute before. Durable when it resolves. */
  write(calls: readonly MinuteCalls[]): Promise<void>
}

export type MinuteCalls = { minuteMs: number; calls: number }

/** Time, for tests that live through hours. */
export type Clock = {
  now(): number
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
