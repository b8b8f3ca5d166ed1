/** The findings of the Grading page: one sentence per figure, with its numbers and n. */
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { ChallengeGrading, Grading, ReviewState, WaitingAge } from '../../reporting/queries/grading.ts'
import { fewestToRank } from './findings.ts'
import { counted, type Format } from './format.ts'

export const ageWords: Record<WaitingAge, string> = {
  '0': 'under 1 day',
  '1-2': '1–2 days',
  '3-6': '3–6 days',
  '7-13': '7–13 days',
  '14-29': '14–29 days',
  '30+': '30 days or more',
}

export function reviewWords(state: ReviewState, dueSoonDays: number): string {
  const soon =
    dueSoonDays === 0 ? 'due today' : dueSoonDays === 1 ? 'due by tomorrow' : `due within ${dueSoonDays} days`
  return { overdue: 'overdue', soon, later: 'due later', none: 'no due date for reviewers' }[state]
}

export function challengeName({ id, name }: Pick<ChallengeGrading, 'id' | 'name'>): string {
  return name || id || 'Unknown challenge'
}

type Metrics = MetricsAnswer['metrics']

export function queueFinding(
  { waiting }: Pick<Grading, 'waiting'>,
  { grading_backlog: backlog }: Metrics,
  format: Format,
): string {
  if (waiting === 0) return 'Nothing waits for a grade.'
  const oldest =
    backlog.oldest_age_ms === null ? '' : `; the oldest was handed in ${format.duration(backlog.oldest_age_ms)} ago`
  const half =
    backlog.p50_age_ms === null || waiting < 2
      ? ''
      : `, half of them more than ${format.duration(backlog.p50_age_ms)} ago`
  return `${counted(format, waiting, 'assignment')} ${waiting === 1 ? 'waits' : 'wait'} for a grade${oldest}${half}.`
}

export function ageFinding({ by_age, waiting }: Pick<Grading, 'by_age' | 'waiting'>, format: Format): string {
  if (waiting === 0) return 'Nothing waits for a grade.'
  const long = by_age
    .filter(({ age }) => age === '7-13' || age === '14-29' || age === '30+')
    .reduce((sum, { count }) => sum + count, 0)
  if (long === 0) return `None of ${format.count(waiting)} has waited for 7 days.`
  return `${format.count(long)} of ${format.count(waiting)} (${format.percent(long / waiting)}) ${long === 1 ? 'has' : 'have'} waited 7 days or more.`
}

export function reviewFinding(
  { by_review, waiting }: Pick<Grading, 'by_review' | 'waiting'>,
  { reviewer_on_time: rate }: Metrics,
  format: Format,
): string {
  const overdue = by_review.find(({ state }) => state === 'overdue')?.count ?? 0
  const kept =
    rate.value === null
      ? 'Nothing with a due date for reviewers has been decided.'
      : `${format.percent(rate.value)} of ${format.count(rate.denominator)} decided were graded by the reviewers’ due date.`
  if (waiting === 0) return kept
  return `${format.count(overdue)} of ${format.count(waiting)} waiting ${overdue === 1 ? 'is' : 'are'} overdue. ${kept}`
}

export function turnaroundFinding(
  { turnaround }: Pick<Grading, 'turnaround'>,
  overall: Metrics['grading_turnaround'],
  period: string,
  format: Format,
): string {
  if (overall.p50_ms === null) return 'Too little has been graded to say how long it takes.'
  const head = `Half are graded within ${format.duration(overall.p50_ms)}${overall.p90_ms === null ? '' : `, nine in ten within ${format.duration(overall.p90_ms)}`} (n = ${format.count(overall.n)}, and ${format.count(overall.censored)} still waiting)`
  const full = turnaround.slice(0, -1).filter(({ n, p50_ms }) => n >= fewestToRank && p50_ms !== null)
  const slowest = full.reduce<(typeof full)[number] | null>(
    (a, b) => (a === null || (b.p50_ms ?? 0) > (a.p50_ms ?? 0) ? b : a),
    null,
  )
  if (slowest === null || slowest.p50_ms === null || full.length < 2) return `${head}.`
  const name =
    period === 'week'
      ? `the week of ${format.day(slowest.period_start)}`
      : period === 'month'
        ? format.month(slowest.period_start)
        : format.day(slowest.period_start)
  return `${head}. Slowest was ${name}: ${format.duration(slowest.p50_ms)} (n = ${format.count(slowest.n)}).`
}

export function backlogFinding({ backlog }: Pick<Grading, 'backlog'>, period: string, format: Format): string {
  const [first, last] = [backlog[0], backlog.at(-1)]
  if (first === undefined || last === undefined) return 'No period to show.'
  const most = backlog.reduce((a, b) => (b.waiting_at_end > a.waiting_at_end ? b : a))
  if (most.waiting_at_end === 0) return 'Nothing in this scope waited for a grade at the end of any period.'
  const before = backlog.at(-2)
  const change = before === undefined ? 0 : last.waiting_at_end - before.waiting_at_end
  const than =
    before === undefined
      ? ''
      : change === 0
        ? `, as many as a ${period} before`
        : `, ${format.count(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than at the end of the ${period} before`
  return `${format.count(last.waiting_at_end)} waiting${than}; most were ${format.count(most.waiting_at_end)} at the end of the ${period} of ${format.day(most.period_start)}.`
}

export function challengesFinding(challenges: readonly ChallengeGrading[], waiting: number, format: Format): string {
  const [most] = challenges
  if (most === undefined) return 'Nothing has been handed in in this scope.'
  const slow = challenges
    .filter(({ turnaround }) => turnaround.n >= fewestToRank && turnaround.p50_ms !== null)
    .reduce<ChallengeGrading | null>(
      (a, b) => (a === null || (b.turnaround.p50_ms ?? 0) > (a.turnaround.p50_ms ?? 0) ? b : a),
      null,
    )
  const longest =
    slow === null || slow.turnaround.p50_ms === null
      ? ''
      : ` Grades of ${challengeName(slow)} take longest: half more than ${format.duration(slow.turnaround.p50_ms)} (n = ${format.count(slow.turnaround.n)}).`
  if (most.waiting === 0) return `Nothing waits for a grade.${longest}`
  return `${challengeName(most)} has most waiting: ${format.count(most.waiting)} of ${format.count(waiting)}.${longest}`
}
