/** Whether acknowledged webhooks get into the store. */
import { toInstant } from '../../../schemas/instant.ts'
import type { Progress } from '../../watch/watch-progress.ts'
import { checksOf, when } from './check.ts'

export type ProgressFacts = { progress: Progress; now: number }

/** A consumer that keeps up stores a webhook within seconds. A restart takes longer. */
const usualMs = 30_000
const { problem, warning } = checksOf<ProgressFacts>()

export const progressChecks = [
  problem('stalled', {
    test: ({ progress }) => when(progress.stalledSince !== undefined && progress),
    what: (progress) =>
      `The consumer is stalled: it has stored nothing since ${toInstant(progress.stalledSince ?? 0)}. ${toWaits(progress)}`,
    why: ({ failure }) => `${toError(failure)} The log keeps the webhooks, and no number counts them.`,
    todo: 'Fix the cause, such as a full disk or a missing table. The consumer retries by itself. Keep the log. See docs/runbooks.md#rollcallnotstoring.',
  }),
  problem('store_refuses', {
    test: ({ progress: { failure, stalledSince, ...rest } }) =>
      when(stalledSince === undefined && failure !== undefined && { failure, ...rest }),
    what: ({ failure, ...rest }) =>
      `Nothing has been stored since ${toInstant(failure.since)}: ${failure.tries} attempts have failed. ${toWaits(rest)}`,
    why: ({ failure }) => `${toError(failure)} The log keeps the webhooks, and no number counts them.`,
    todo: 'Fix the cause, such as a full disk. The consumer retries by itself. If you find no cause, keep the log and report it.',
  }),
  warning('waiting', {
    test: ({ progress: { failure, stalledSince, ...rest }, now }) => {
      const isOld = now - (rest.oldestReceivedAt ?? now) >= usualMs
      return when(stalledSince === undefined && failure === undefined && rest.waiting > 0 && isOld && rest)
    },
    what: toWaits,
    why: 'They are acknowledged and in the log, and no number counts them yet.',
    todo: 'Start Rollcall, or the consumer, if it is not running. Otherwise its log shows the reason.',
  }),
]

function toError(failure: Progress['failure']): string {
  return failure === undefined
    ? 'No error is known.'
    : `The last error: ${failure.message} (code ${failure.code}).`
}

export function toWaits({
  waiting,
  oldestReceivedAt,
}: Pick<Progress, 'waiting' | 'oldestReceivedAt'>): string {
  const since = oldestReceivedAt === undefined ? '' : `, the oldest since ${toInstant(oldestReceivedAt)}`
  return `${waiting} webhooks wait to be stored${since}.`
}
