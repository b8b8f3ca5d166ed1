/** The findings of the Grading page: one sentence per figure, with its numbers and n. */
import type { MetricsAnswer, Period } from '../../../schemas/metrics/answer.ts'
import type { ChallengeGrading, Grading } from '../../../reporting/queries/grading.ts'
import type { ReviewState, WaitingAge } from '../../../reporting/metrics/grading.ts'
import { fewestToRank, rowName, thanBefore, waitingWords } from '../../components/figures/findings.ts'
import type { Format } from '../../../language/format.ts'
import { t, type Message } from '../../../language/translate.ts'

export const ageWords: Record<WaitingAge, Message> = {
  '0': 'under 1 day',
  '1-2': '1–2 days',
  '3-6': '3–6 days',
  '7-13': '7–13 days',
  '14-29': '14–29 days',
  '30+': '30 days or more',
}

export function reviewWords(state: ReviewState, dueSoonDays: number): string {
  const soon = t('{days, plural, =0 {due on the same day} one {due within # day} other {due within # days}}', {
    days: dueSoonDays,
  })
  return { overdue: t('overdue'), soon, later: t('due later'), none: t('no due date for reviewers') }[state]
}

type Metrics = MetricsAnswer['metrics']

export function queueFinding({ grading_backlog: backlog }: Metrics, format: Format): string {
  if (backlog.value === 0) return t('Nothing waits for a grade.')
  const { lead, detail } = waitingWords(backlog, format)
  return `${lead}${detail}`
}

export function ageFinding({ by_age, waiting }: Pick<Grading, 'by_age' | 'waiting'>, format: Format): string {
  if (waiting === 0) return t('Nothing waits for a grade.')
  const long = by_age
    .filter(({ age }) => age === '7-13' || age === '14-29' || age === '30+')
    .reduce((sum, { count }) => sum + count, 0)
  if (long === 0) return t('None of {waiting} has waited for 7 days.', { waiting: format.count(waiting) })
  return t('{long} of {all} ({share}) {n, plural, one {has} other {have}} waited 7 days or more.', {
    long: format.count(long),
    all: format.count(waiting),
    share: format.percent(long / waiting),
    n: long,
  })
}

export function reviewFinding(
  { by_review, waiting }: Pick<Grading, 'by_review' | 'waiting'>,
  { reviewer_on_time: rate }: Metrics,
  format: Format,
): string {
  const overdue = by_review.find(({ state }) => state === 'overdue')?.count ?? 0
  const punctuality =
    rate.value === null
      ? t('Nothing with a due date for reviewers has been decided.')
      : t('{value} of grades were in time ({denominator}).', {
          value: format.percent(rate.value),
          denominator: format.count(rate.denominator),
        })
  if (waiting === 0) return punctuality
  return t('{overdue} of {all} {n, plural, one {is} other {are}} past the reviewers’ due date. {kept}', {
    overdue: format.count(overdue),
    all: format.count(waiting),
    n: overdue,
    kept: punctuality,
  })
}

/** Those that are large enough to be named. */
function slowestFirst<Row>(rows: readonly Row[], timeOf: (row: Row) => { n: number; p50_ms: number | null }): Row[] {
  const large = rows.filter((row) => timeOf(row).n >= fewestToRank && timeOf(row).p50_ms !== null)
  return large.sort((a, b) => (timeOf(b).p50_ms ?? 0) - (timeOf(a).p50_ms ?? 0))
}

export function turnaroundFinding(
  { turnaround }: Pick<Grading, 'turnaround'>,
  overall: Metrics['grading_turnaround'],
  period: Period,
  format: Format,
): string {
  if (overall.p50_ms === null) return t('Too little has been graded to say how long it takes.')
  const { n, censored } = overall
  const sizes = { n: format.count(n), censored: format.count(censored) }
  const half = format.durationAfter(overall.p50_ms)
  const head =
    overall.p90_ms === null
      ? t('Half are graded within {half} (n = {n}, and {censored} still waiting)', { half, ...sizes })
      : t('Half are graded within {half}, nine in ten within {most} (n = {n}, and {censored} still waiting)', {
          half,
          most: format.durationAfter(overall.p90_ms),
          ...sizes,
        })
  const [slowest, next] = slowestFirst(turnaround.slice(0, -1), (row) => row)
  if (slowest?.p50_ms == null || next === undefined) return `${head}.`
  const name =
    period === 'week'
      ? t('the week of {periodStart}', { periodStart: format.day(slowest.period_start) })
      : period === 'month'
        ? format.month(slowest.period_start)
        : format.day(slowest.period_start)
  return t('{head}. Slowest was {name}: {p50Ms} (n = {n}).', {
    head,
    name,
    p50Ms: format.duration(slowest.p50_ms),
    n: format.count(slowest.n),
  })
}

export function backlogFinding({ backlog }: Pick<Grading, 'backlog'>, period: Period, format: Format): string {
  const [first, last] = [backlog[0], backlog.at(-1)]
  if (first === undefined || last === undefined) return t('No period to show.')
  const most = backlog.reduce((a, b) => (b.waiting_at_end > a.waiting_at_end ? b : a))
  if (most.waiting_at_end === 0) return t('Nothing in this scope waited for a grade at the end of any period.')
  const before = backlog.at(-2)
  const than =
    before === undefined ? '' : `, ${thanBefore(last.waiting_at_end - before.waiting_at_end, period, format, false)}`
  const waiting = { n: format.count(last.waiting_at_end), than }
  if (most.waiting_at_end === last.waiting_at_end) return t('{n} waiting{than}; never more in the time shown.', waiting)
  return t(
    '{n} waiting{than}; most were {most} at the end of the {period, select, day {day} week {week} other {month}} of {start}.',
    { ...waiting, most: format.count(most.waiting_at_end), period, start: format.day(most.period_start) },
  )
}

export function challengesFinding(challenges: readonly ChallengeGrading[], waiting: number, format: Format): string {
  const [most] = challenges
  if (most === undefined) return t('Nothing has been handed in in this scope.')
  const [slow] = slowestFirst(challenges, ({ turnaround }) => turnaround)
  const longest =
    slow?.turnaround.p50_ms == null
      ? ''
      : t(' Grades of {slow} take longest: half more than {p50Ms} (n = {n}).', {
          slow: rowName(slow, 'challenge'),
          p50Ms: format.duration(slow.turnaround.p50_ms),
          n: format.count(slow.turnaround.n),
        })
  if (most.waiting === 0) return t('Nothing waits for a grade.{longest}', { longest })
  return t('{most} has most waiting: {waiting} of {waiting2}.{longest}', {
    most: rowName(most, 'challenge'),
    waiting: format.count(most.waiting),
    waiting2: format.count(waiting),
    longest,
  })
}
