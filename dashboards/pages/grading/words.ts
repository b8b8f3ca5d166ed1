/** The findings of the Grading page: one sentence per block, with its numbers. */
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { WaitingAge } from '../../../reporting/metrics/grading.ts'
import type { ChallengeGrading, Grading } from '../../../reporting/queries/grading.ts'
import type { Metrics, Period } from '../../../schemas/metrics/answer.ts'
import { changeWords, rowName, waitingWords } from '../../components/figures/findings.ts'

export const ageWords: Record<WaitingAge, Message> = {
  '0': 'under 1 day',
  '1-2': '1–2 days',
  '3-6': '3–6 days',
  '7-13': '7–13 days',
  '14-29': '14–29 days',
  '30+': '30 days or more',
}

/** A period in a sentence: "week of 16 Nov". */
export function periodWords(start: string, period: Period, format: Format): string {
  if (period === 'month') return format.month(start)
  return period === 'week' ? t('week of {start}', { start: format.day(start) }) : format.day(start)
}

export function queueFinding(
  { grading_backlog: backlog, reviewer_overdue: late, reviewer_on_time: rate }: Metrics,
  format: Format,
): string {
  const { lead, detail } = waitingWords(backlog, format)
  const kept = rate.value !== null && {
    value: format.percent(rate.value),
    denominator: format.count(rate.denominator),
  }
  return [
    backlog.value === 0 ? t('Nothing is waiting for a grade.') : `${lead}${detail}`,
    late.value > 0 && t('{n, plural, one {# is} other {# are}} past the review date.', { n: late.value }),
    kept && t('{value} of {denominator} grades were on time.', kept),
  ]
    .filter(Boolean)
    .join(' ')
}

export function ageFinding({ by_age, waiting }: Pick<Grading, 'by_age' | 'waiting'>, format: Format): string {
  if (waiting === 0) return t('Nothing is waiting for a grade.')
  const long = by_age.filter(({ age }) => ['7-13', '14-29', '30+'].includes(age))
  const n = long.reduce((sum, { count }) => sum + count, 0)
  if (n === 0) return t('None of {waiting} has waited for 7 days.', { waiting: format.count(waiting) })
  return t('{long} of {all} ({share}) {n, plural, one {has} other {have}} waited 7 days or more.', {
    long: format.count(n),
    all: format.count(waiting),
    share: format.percent(n / waiting),
    n,
  })
}

export function turnaroundFinding(
  { grading_turnaround: { p50_ms, p90_ms, n, censored } }: Pick<Metrics, 'grading_turnaround'>,
  format: Format,
): string {
  if (p50_ms === null) return t('Too few grades to say how long grading takes.')
  const words = { median: format.duration(p50_ms), n, censored: format.count(censored) }
  return p90_ms === null
    ? t('Median {median} ({n, plural, one {# grade} other {# grades}}, {censored} still waiting).', words)
    : t(
        'Median {median}, 90% within {most} ({n, plural, one {# grade} other {# grades}}, {censored} still waiting).',
        { ...words, most: format.durationAfter(p90_ms) },
      )
}

export function backlogFinding(
  { backlog }: Pick<Grading, 'backlog'>,
  period: Period,
  format: Format,
): string {
  const [last, before] = [backlog.at(-1)?.waiting_at_end, backlog.at(-2)?.waiting_at_end]
  if (last === undefined) return t('No period to show.')
  const change = before === undefined ? '' : `, ${changeWords(last - before, period, format)}`
  return t('{n} waiting{change}.', { n: format.count(last), change })
}

export function challengesFinding(
  challenges: readonly ChallengeGrading[],
  waiting: number,
  format: Format,
): string {
  const [most] = challenges
  if (most === undefined) return t('Nothing submitted yet.')
  if (most.waiting === 0) return t('Nothing is waiting for a grade.')
  return t('Most waiting: {name}, {n} of {all}.', {
    name: rowName(most, 'challenge'),
    n: format.count(most.waiting),
    all: format.count(waiting),
  })
}
