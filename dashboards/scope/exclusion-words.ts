import type { Rate } from '../../schemas/metrics/answer.ts'
import type { Format } from '../../language/format.ts'
import { t, type Message } from '../../language/translate.ts'

/** The exclusions of a rate, in words. The keys are those of `excluded` in METRICS.md. */
const words: Record<string, Message> = {
  no_due_date: 'have no due date',
  no_completion_time: 'are completed, but nobody knows when',
  failed: 'failed',
  awaiting_grading: 'wait for a grade',
  not_due_yet: 'are not due yet',
  unknown: 'began before our records',
  no_reviewers_due_date: 'have no due date for reviewers',
}

/** One reason: "are not due yet". */
export function exclusionWords(reason: string): string {
  const message = Object.hasOwn(words, reason) ? words[reason] : undefined
  return message === undefined ? reason : t(message)
}

/** "Left out: 210 have no due date, 41 are not due yet." Reasons with a count of 0 are omitted. */
export function exclusionSentence(rate: Rate<string>, format: Format): string {
  const counts = Object.entries(rate.excluded).filter(([, count]) => count > 0)
  if (counts.length === 0) return t('Nothing is left out.')
  const reasons = counts.map(([reason, count]) => `${format.count(count)} ${exclusionWords(reason)}`).join(', ')
  return t('Left out: {reasons}.', { reasons })
}
