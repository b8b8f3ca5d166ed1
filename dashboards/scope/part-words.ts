/** The parts of metrics in words: the meaning of the rows behind a number. */
import { metrics } from '../../schemas/metrics/metrics.ts'
import type { Metrics, Rate } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Format } from '../../language/format.ts'
import { t, type Message, lookUp } from '../../language/translate.ts'
import { own } from '../../schemas/own.ts'

/** Where the words of a part depend on its metric. */
const ownWords: Partial<Record<keyof Metrics, Record<string, Message>>> = {
  completion_rate: { numerator: 'completed', denominator: 'all assigned', remainder: 'not completed' },
  on_time_rate: {
    numerator: 'completed on time',
    denominator: 'decided: on time or not',
    remainder: 'decided, and not on time',
    'fell_due.on_time': 'fell due and was completed on time',
    'fell_due.late': 'fell due and was completed late or is overdue',
    'fell_due.open': 'falls due and is neither completed nor overdue',
  },
  submitted_on_time_rate: {
    numerator: 'submitted on time',
    denominator: 'submitted or overdue',
    remainder: 'submitted late, or overdue',
  },
  overdue_rate: {
    numerator: 'overdue',
    denominator: 'open with a due date',
    remainder: 'open and not overdue',
  },
  pass_rate: { numerator: 'passed', denominator: 'graded', remainder: 'graded and not passed' },
  reviewer_on_time: {
    numerator: 'graded on time',
    denominator: 'graded, or the grade is overdue',
    remainder: 'graded late, or the grade is overdue',
  },
  grade: { n: 'graded, and the grade is known' },
  grading_backlog: { value: 'all that wait', untouched: 'untouched', partially_graded: 'partially graded' },
  grading_turnaround: {
    n: 'graded, and the time it took is known',
    censored: 'still waiting for a grade',
    unknown: 'left out: how long it took is unknown',
  },
  time_to_complete: {
    n: 'completed, and the time it took is known',
    censored: 'not completed',
    unknown: 'left out: how long it took is unknown',
  },
  funnel: { submitted: 'submitted' },
  deadline_moves: { value: 'all with a moved due date' },
}

const lineWords: Record<string, Message> = {
  assigned: 'assigned',
  completed: 'completed',
  graded: 'first graded',
  became_overdue: 'became overdue',
  overdue_at_end: 'overdue at the end',
}

/** "Completed on time: left out, not due yet". */
export function partWords(
  { metric, name }: NonNullable<Scope['part']>,
  period: Scope['period'],
  format: Format,
) {
  return { title: lookUp(metrics[metric].title), part: toWords(metric, name, period, format) }
}

function toWords(metric: keyof Metrics, name: string, period: Scope['period'], format: Format): string {
  const words = own(ownWords[metric] ?? {}, name)
  if (words !== undefined) return t(words)
  const [first = '', second = ''] = name.split('.')
  if (first === 'bin')
    return Number(second) === 90
      ? t('from 90 to 100')
      : t('from {from} to under {to}', { from: second, to: Number(second) + 10 })
  if (/^\d{4}-/.test(first))
    return `${lookUp(own(lineWords, second) ?? second)}, ${periodWords(first, period, format)}`
  if (first === 'excluded') return t('left out, as they {reason}', { reason: exclusionWords(second, 2) })
  if (first === 'on_time_by_first')
    return t('by the first due date: {value}', {
      value: toWords('on_time_rate', name.slice(17), period, format),
    })
  if (first === 'on_time_by_current')
    return t('by the current due date: {value}', {
      value: toWords('on_time_rate', name.slice(19), period, format),
    })
  if (first === 'value') return t('all')
  return metric === 'aging'
    ? t('{range} days', { range: first.replace('-', '–') })
    : lookUp(first.replaceAll('_', ' '))
}

function periodWords(start: string, period: Scope['period'], format: Format): string {
  if (period === 'month') return format.month(start)
  return period === 'week' ? t('week of {start}', { start: format.dayYear(start) }) : format.dayYear(start)
}

/** The exclusions of a rate, in words. The keys are those of `excluded` in METRICS.md. */
const words: Record<string, Message> = {
  no_due_date: '{n, plural, one {has} other {have}} no due date',
  no_completion_time: '{n, plural, one {is} other {are}} completed at an unknown time',
  failed: 'failed',
  awaiting_grading: '{n, plural, one {waits} other {wait}} for a grade',
  not_due_yet: '{n, plural, one {is} other {are}} not due yet',
  unknown: '{n, plural, one {began} other {began}} before our records',
  no_reviewers_due_date: '{n, plural, one {has} other {have}} no due date for reviewers',
}

/** One reason of `n` of them: "are not due yet". */
export function exclusionWords(reason: string, n: number): string {
  const message = own(words, reason)
  return message === undefined ? reason : t(message, { n })
}

/** "Left out: 210 have no due date, 41 are not due yet." Reasons with a count of 0 are omitted. */
export function exclusionSentence(rate: Rate<string>, format: Format): string {
  const counts = Object.entries(rate.excluded).filter(([, count]) => count > 0)
  if (counts.length === 0) return t('Nothing is left out.')
  const reasons = counts
    .map(([reason, count]) => `${format.count(count)} ${exclusionWords(reason, count)}`)
    .join(', ')
  return t('Left out: {reasons}.', { reasons })
}
