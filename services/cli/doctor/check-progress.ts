/** Whether acknowledged deliveries get into the store, and why not. */
import { toInstant } from '../../../schemas/instant.ts'
import type { Progress } from '../../watch/watch-progress.ts'
import type { Finding } from '../command-deps.ts'

/** A consumer that keeps up has what arrives within seconds; a restart takes some more. */
const usualMs = 30_000

export function checkProgress(progress: Progress, now: number): Finding | undefined {
  const { waiting, oldestReceivedAt, failure, stalledSince } = progress
  const waits = toWaits({ waiting, oldestReceivedAt })
  if (stalledSince !== undefined) {
    return {
      code: 'stalled',
      severity: 'problem',
      what: `The consumer is stalled: nothing was stored since ${toInstant(stalledSince)}. ${waits}`,
      why:
        failure === undefined
          ? 'No error is known. Deliveries are acknowledged and kept in the log, and no number counts them.'
          : `The last error: ${failure.message} (code ${failure.code}). Deliveries are kept in the log, and no number counts them.`,
      todo: 'Fix what it says, such as a full disk or a missing table; the consumer tries again by itself. Keep the log. See docs/runbooks.md#rollcallnotstoring.',
    }
  }
  if (failure !== undefined) {
    return {
      code: 'store_refuses',
      severity: 'problem',
      what: `Nothing has been stored since ${toInstant(failure.since)}: ${failure.tries} tries have failed. ${waits}`,
      why: `The last one: ${failure.message} (code ${failure.code}). Deliveries are acknowledged and kept in the log, and no number counts them.`,
      todo: 'Mend what it says, such as a full disk; the consumer tries again by itself. If it is none of that, keep the log and report it.',
    }
  }
  if (waiting === 0 || oldestReceivedAt === undefined || now - oldestReceivedAt < usualMs) return undefined
  return {
    code: 'waiting',
    severity: 'warning',
    what: waits,
    why: 'They are acknowledged and kept in the log, and no number counts them yet.',
    todo: 'Start Rollcall, or the consumer, if it does not run; else see in its log what keeps it.',
  }
}

export function toWaits({ waiting, oldestReceivedAt }: Pick<Progress, 'waiting' | 'oldestReceivedAt'>): string {
  const since = oldestReceivedAt === undefined ? '' : `, the oldest since ${toInstant(oldestReceivedAt)}`
  return `${waiting} deliveries wait to be stored${since}.`
}
