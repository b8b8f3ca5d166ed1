/** The findings of the Grading page: one sentence per block, with its numbers. */
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'
import type { ReviewState, WaitingAge } from '../../../reporting/metrics/grading.ts'
import type { ChallengeGrading, Grading } from '../../../reporting/queries/grading.ts'
import type { Metrics, Period } from '../../../schemas/metrics/answer.ts'
import { changeWords, fewestToRank, rowName, waitingWords } from '../../components/figures/findings.ts'

export const ageWords: Record<WaitingAge, Message> = {
  '0': 'under 1 day',
  '1-2': '1–2 days',
  '3-6': '3–6 days',
  '7-13': '7–13 days',
  '14-29': '14–29 days',
  '30+': '30 days or more',
}

export function reviewWords(state: ReviewState, dueSoonDays: number): string {
  const soon = t('{days, plural, =0 {due today} one {due within # day} other {due within # days}}', {
    days: dueSoonDays,
  })
  return { overdue: t('overdue'), soon, later: t('due later'), none: t('no review date') }[state]
}

/** A period in a sentence: "week of 16 Nov". */
export function periodWords(start: string, period: Period, format: Format): string {
  if (period === 'month') return format.month(start)
  return period === 'week' ? t('week of {start}', { start: format.day(start) }) : format.day(start)
}

export function queueFinding({ grading_backlog: backlog }: Metrics, format: Format): string {
  if (backlog.value === 0) return t('Nothing is waiting for a grade.')
  const { lead, detail } = waitingWords(backlog, format)
  return `${lead}${detail}`
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

export function reviewFinding(
  { by_review, waiting }: Pick<Grading, 'by_review' | 'waiting'>,
  { reviewer_on_time: rate }: Pick<Metrics, 'reviewer_on_time'>,
  format: Format,
): string {
  const n = by_review.find(({ state }) => state === 'overdue')?.count ?? 0
  const kept =
    rate.value === null
      ? t('No grades with a review date yet.')
      : t('{value} of {denominator} grades were on time.', {
          value: format.percent(rate.value),
          denominator: format.count(rate.denominator),
        })
  if (waiting === 0) return kept
  const counts = { overdue: format.count(n), all: format.count(waiting), n, kept }
  return t('{overdue} of {all} {n, plural, one {is} other {are}} past the review date. {kept}', counts)
}

type Turnaround = { n: number; p50_ms: number | null }

/** The slowest of those with enough grades to be named; undefined unless there are two. */
function findSlowest<Row>(rows: readonly Row[], turnaroundOf: (row: Row) => Turnaround): Row | undefined {
  const large = rows.filter((row) => turnaroundOf(row).n >= fewestToRank && turnaroundOf(row).p50_ms !== null)
  return large.length < 2
    ? undefined
    : large.reduce((a, b) => ((turnaroundOf(b).p50_ms ?? 0) > (turnaroundOf(a).p50_ms ?? 0) ? b : a))
}

/** " Slowest: Negotiation, median 28 days (241 grades)." */
function slowestWords(name: string, { p50_ms, n }: Turnaround, format: Format): string {
  return ` ${t('Slowest: {name}, median {median} ({n, plural, one {# grade} other {# grades}}).', { name, median: format.duration(p50_ms ?? 0), n })}`
}

export function turnaroundFinding(
  { turnaround }: Pick<Grading, 'turnaround'>,
  { p50_ms, p90_ms, n, censored }: Metrics['grading_turnaround'],
  period: Period,
  format: Format,
): string {
  if (p50_ms === null) return t('Too few grades to say how long grading takes.')
  const words = { median: format.duration(p50_ms), n, censored: format.count(censored) }
  const head =
    p90_ms === null
      ? t('Median {median} ({n, plural, one {# grade} other {# grades}}, {censored} still waiting).', words)
      : t(
          'Median {median}, 90% within {most} ({n, plural, one {# grade} other {# grades}}, {censored} still waiting).',
          {
            ...words,
            most: format.durationAfter(p90_ms),
          },
        )
  const slowest = findSlowest(turnaround.slice(0, -1), (row) => row)
  if (slowest === undefined) return head
  return `${head}${slowestWords(periodWords(slowest.period_start, period, format), slowest, format)}`
}

export function backlogFinding(
  { backlog }: Pick<Grading, 'backlog'>,
  period: Period,
  format: Format,
): string {
  const [last, before] = [backlog.at(-1), backlog.at(-2)]
  if (last === undefined) return t('No period to show.')
  const most = backlog.reduce((a, b) => (b.waiting_at_end > a.waiting_at_end ? b : a))
  if (most.waiting_at_end === 0) return t('Nothing was waiting.')
  const change =
    before === undefined
      ? ''
      : `, ${changeWords(last.waiting_at_end - before.waiting_at_end, period, format)}`
  const waiting = { n: format.count(last.waiting_at_end), change }
  if (most.waiting_at_end === last.waiting_at_end)
    return t('{n} waiting{change}. The most in this chart.', waiting)
  const when = periodWords(most.period_start, period, format)
  return t('{n} waiting{change}. Most: {most} ({when}).', {
    ...waiting,
    most: format.count(most.waiting_at_end),
    when,
  })
}

export function challengesFinding(
  challenges: readonly ChallengeGrading[],
  waiting: number,
  format: Format,
): string {
  const [most] = challenges
  if (most === undefined) return t('Nothing submitted yet.')
  const slow = findSlowest(challenges, ({ turnaround }) => turnaround)
  const slowest = slow === undefined ? '' : slowestWords(rowName(slow, 'challenge'), slow.turnaround, format)
  if (most.waiting === 0) return `${t('Nothing is waiting for a grade.')}${slowest}`
  const words = {
    name: rowName(most, 'challenge'),
    n: format.count(most.waiting),
    all: format.count(waiting),
  }
  return `${t('Most waiting: {name}, {n} of {all}.', words)}${slowest}`
}
