/** The machine's clock. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from './budget/call-budget.ts'

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
}
