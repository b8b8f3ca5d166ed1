/**
 * One sentence per figure, with its numbers and n. Pure functions of the data; where there is no data they say so, and
 * never call it zero.
 */
import { addDays } from '../../schemas/metrics/calendar.ts'
import type { Metrics, TrendPeriod } from '../../schemas/metrics/answer.ts'
import type { DueCohort, RankingRow } from '../../reporting/metrics/overview.ts'
import type { Format } from './format.ts'
import type { Moment } from './moment.ts'

/** Below this n a share is mostly chance: grey, and not ranked. */
export const fewestToRank = 10

/** `at`: where the moment lies that the page looks at, and whether the newest period is the one in which it lies. */
export function trendFinding(
  trend: TrendPeriod[],
  period: 'day' | 'week' | 'month',
  format: Format,
  at: { moment: Moment; isRunning: boolean } = { moment: 'now', isRunning: true },
): string {
  const [before, now] = [trend.at(-2), trend.at(-1)]
  if (now === undefined) return 'No period to show.'
  const isNow = at.moment === 'now' && at.isRunning
  const last = isNow ? `last ${period}` : `the ${period} before`
  const when = isNow ? `${thisPeriod[period]} so far` : `in the ${period} ${at.isRunning ? 'up to then' : 'shown last'}`
  const overdueWhen = isNow
    ? 'overdue now'
    : at.moment === 'future'
      ? 'overdue then, if nothing more happens'
      : 'overdue then'
  const flows = `${format.count(now.completed)} completed and ${format.count(now.assigned)} assigned ${when}`
  if (before === undefined) return `${flows}; ${format.count(now.overdue_at_end)} ${overdueWhen}.`
  const change = now.overdue_at_end - before.overdue_at_end
  const since = `at the end of ${last}`
  const overdue =
    change === 0
      ? `as many as ${since}`
      : `${format.count(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than ${since}`
  return `${flows} (${last}: ${format.count(before.completed)} and ${format.count(before.assigned)}). ${format.count(now.overdue_at_end)} ${overdueWhen}, ${overdue}.`
}

const thisPeriod = { day: 'today', week: 'this week', month: 'this month' } as const

const stageWords: Record<Metrics['funnel'][number]['stage'], string> = {
  assigned: 'assigned',
  viewed: 'viewed',
  started: 'started',
  submitted: 'handed in',
  graded: 'graded',
  passed: 'passed',
}

export function stageName(stage: Metrics['funnel'][number]['stage']): string {
  const words = stageWords[stage]
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `failed`: assignments with that status; they are in the stages that they had reached. */
export function funnelFinding(funnel: Metrics['funnel'], format: Format, failed = 0): string {
  const [first, last] = [funnel[0], funnel.at(-1)]
  if (first === undefined || last === undefined || first.count === 0) return 'Nothing was assigned in this scope.'
  const steps = funnel
    .slice(1)
    .map((step, i) => ({ from: funnel[i] ?? first, to: step, fewer: (funnel[i]?.count ?? 0) - step.count }))
  const passed = `${format.percent(last.count / first.count)} of ${format.count(first.count)} have passed`
  // Who was graded and did not pass waits for nothing: the last step is a result and not a delay. Who failed does not, either.
  const worst = steps.slice(0, -1).reduce((a, b) => (b.fewer > a.fewer ? b : a))
  const largest =
    worst.fewer === 0
      ? 'All of them were graded'
      : `The largest step down is from ${stageWords[worst.from.stage]} to ${stageWords[worst.to.stage]}: ${format.count(worst.fewer)} fewer`
  const ended = [
    ...((steps.at(-1)?.fewer ?? 0) > 0 ? [`${format.count(steps.at(-1)?.fewer ?? 0)} were graded without a pass`] : []),
    ...(failed > 0 ? [`${format.count(failed)} failed`] : []),
  ]
  return `${passed}. ${largest}.${ended.length === 0 ? '' : ` ${ended.join(', ')}.`}`
}

/** Weeks that are over: nothing in them can still become on time, except what awaits a grade. */
export function cohortFinding(cohorts: DueCohort[], today: string, format: Format): string {
  const past = cohorts.filter((c) => addDays(c.period_start, 7) <= today).slice(-4)
  const decided = past.map((c) => ({ ...c, n: c.on_time + c.late })).filter((c) => c.n > 0)
  const n = decided.reduce((sum, c) => sum + c.n, 0)
  if (n === 0) return 'Nothing with a due date has been decided in the last four full weeks.'
  const onTime = decided.reduce((sum, c) => sum + c.on_time, 0)
  const rated = decided.filter((c) => c.n >= fewestToRank)
  const weeks =
    past.length === 1 ? 'the last full week' : `the last ${past.length === 4 ? 'four' : past.length} full weeks`
  const head = `Of ${format.count(n)} decided in ${weeks}, ${format.percent(onTime / n)} were on time`
  if (rated.length < 2) return `${head}.`
  const worst = rated.reduce((a, b) => (b.on_time / b.n < a.on_time / a.n ? b : a))
  return `${head}; lowest was the week of ${format.day(worst.period_start)}, ${format.percent(worst.on_time / worst.n)} of ${format.count(worst.n)}.`
}

export function agingFinding(aging: Metrics['aging'], format: Format): string {
  const total = aging.reduce((sum, bucket) => sum + bucket.count, 0)
  if (total === 0) return 'Nobody is overdue.'
  const old = aging.filter(({ bucket }) => bucket === '31-60' || bucket === '61-90' || bucket === '91+')
  const overMonth = old.reduce((sum, bucket) => sum + bucket.count, 0)
  const fresh = aging.find(({ bucket }) => bucket === '1-7')?.count ?? 0
  if (overMonth === 0)
    return `${format.count(total)} overdue, none for more than 30 days; ${format.count(fresh)} of them since at most 7 days.`
  return `${format.count(overMonth)} of ${format.count(total)} overdue (${format.percent(overMonth / total)}) have been so for more than 30 days.`
}

export function gradeFinding(grade: Metrics['grade'], passRate: Metrics['pass_rate'], format: Format): string {
  if (grade.n === 0 || grade.median === null) return 'Nothing has been graded in this scope.'
  const passed =
    passRate.value === null
      ? ''
      : ` ${format.percent(passRate.value)} of ${format.count(passRate.denominator)} graded passed.`
  return `The median grade is ${format.decimal(grade.median)} (n = ${format.count(grade.n)}).${passed}`
}

/** Rows with enough assignments, lowest on-time rate first (ties: more overdue first); then the rest by size. */
export function rank(rows: RankingRow[]): { ranked: RankingRow[]; few: RankingRow[] } {
  const onTime = (row: RankingRow) => row.on_time_rate.value ?? 1
  const isRanked = (row: RankingRow) => row.on_time_rate.denominator >= fewestToRank
  return {
    ranked: rows.filter(isRanked).sort((a, b) => onTime(a) - onTime(b) || b.overdue - a.overdue || order(a, b)),
    few: rows.filter((row) => !isRanked(row)).sort((a, b) => b.assigned - a.assigned || order(a, b)),
  }
}

function order(a: RankingRow, b: RankingRow): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1
}

export function rankingFinding(rows: RankingRow[], noun: 'team' | 'challenge', format: Format): string {
  const { ranked } = rank(rows)
  const [lowest, highest] = [ranked[0], ranked.at(-1)]
  if (rows.length === 0) return `No ${noun} in this scope.`
  if (lowest === undefined || highest === undefined)
    return `No ${noun} has ${fewestToRank} decided assignments yet, too few to rank.`
  const share = (row: RankingRow) =>
    `${format.percent(row.on_time_rate.value ?? 0)} of ${format.count(row.on_time_rate.denominator)}`
  const name = (row: RankingRow) => rowName(row, noun)
  if (ranked.length === 1)
    return `${name(lowest)} finished ${share(lowest)} on time; no other ${noun} has enough to compare.`
  return `Lowest on time: ${name(lowest)}, ${share(lowest)}. Highest: ${name(highest)}, ${share(highest)}.`
}

export function rowName(row: { id: string; name: string }, noun: 'team' | 'challenge'): string {
  if (row.name !== '') return row.name
  return row.id === '' ? (noun === 'team' ? 'No team' : 'Unknown challenge') : row.id
}
