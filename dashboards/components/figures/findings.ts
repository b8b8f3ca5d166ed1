/**
 * One sentence per figure, with its numbers and n. Pure functions of the data; where there is no data they say so, and
 * never call it zero.
 */
import { addDays } from '../../../schemas/metrics/calendar.ts'
import type { Metrics, Period, TrendPeriod } from '../../../schemas/metrics/answer.ts'
import type { DueCohort, RankingRow } from '../../../reporting/metrics/overview.ts'
import { capital, type Format } from '../../../language/format.ts'
import type { Moment } from '../stamp.tsx'
import { isolateText, t, type Message } from '../../../language/translate.ts'

/** Below this n a share is mostly chance: grey, and not ranked. */
export const fewestToRank = 10

/** `at`: where the moment lies that the page looks at, and whether the newest period is the one in which it lies. */
export function trendFinding(
  trend: TrendPeriod[],
  period: Period,
  format: Format,
  at: { moment: Moment; isRunning: boolean },
): string {
  const [before, now] = [trend.at(-2), trend.at(-1)]
  if (now === undefined) return t('No period to show.')
  const isNow = at.moment === 'now' && at.isRunning
  const flowsOf = ({ completed, assigned }: TrendPeriod) => ({
    completed: format.count(completed),
    assigned: format.count(assigned),
    period,
  })
  const flows = t(
    isNow
      ? '{completed} completed and {assigned} assigned {period, select, day {today} week {this week} other {this month}} so far'
      : at.isRunning
        ? '{completed} completed and {assigned} assigned in the {period, select, day {day} week {week} other {month}} up to then'
        : '{completed} completed and {assigned} assigned in the {period, select, day {day} week {week} other {month}} shown last',
    flowsOf(now),
  )
  const overdueNow = { n: format.count(now.overdue_at_end) }
  const overdue = isNow
    ? t('{n} overdue now', overdueNow)
    : at.moment === 'future'
      ? t('{n} overdue then, if nothing more happens', overdueNow)
      : t('{n} overdue then', overdueNow)
  if (before === undefined) return `${flows}; ${overdue}.`
  const last = isNow
    ? t(
        'last {period, select, day {day} week {week} other {month}}: {completed} and {assigned}',
        flowsOf(before),
      )
    : t(
        'the {period, select, day {day} week {week} other {month}} before: {completed} and {assigned}',
        flowsOf(before),
      )
  const change = now.overdue_at_end - before.overdue_at_end
  const than = thanBefore(change, period, format, isNow)
  return `${flows} (${last}). ${overdue}, ${than}.`
}

/** "3 more than at the end of the week before"; `isNow`: "of last week". */
export function thanBefore(change: number, period: Period, format: Format, isNow: boolean): string {
  const since = isNow
    ? t('at the end of last {period, select, day {day} week {week} other {month}}', { period })
    : t('at the end of the {period, select, day {day} week {week} other {month}} before', { period })
  const n = format.count(Math.abs(change))
  if (change === 0) return t('as many as {since}', { since })
  return change > 0 ? t('{n} more than {since}', { n, since }) : t('{n} fewer than {since}', { n, since })
}

/** "up 3 since the week before" */
export function changeWords(change: number, period: Period, format: Format): string {
  if (change === 0)
    return t('unchanged since the {period, select, day {day} week {week} other {month}} before', { period })
  const values = { n: format.count(Math.abs(change)), period }
  return change > 0
    ? t('up {n} since the {period, select, day {day} week {week} other {month}} before', values)
    : t('down {n} since the {period, select, day {day} week {week} other {month}} before', values)
}

const stageWords: Record<Metrics['funnel'][number]['stage'], Message> = {
  assigned: 'assigned',
  viewed: 'viewed',
  started: 'started',
  submitted: 'submitted',
  graded: 'graded',
  passed: 'passed',
}

export function stageName(stage: Metrics['funnel'][number]['stage']): string {
  return capital(t(stageWords[stage]))
}

/**
 * `failed`: assignments with that status; they are in the stages that they had reached.
 */
export function funnelFinding(funnel: Metrics['funnel'], format: Format, failed: number): string {
  const [first, last] = [funnel[0], funnel.at(-1)]
  if (first === undefined || last === undefined || first.count === 0)
    return t('Nothing was assigned in this scope.')
  const steps = funnel
    .slice(1)
    .map((step, i) => ({ from: funnel[i] ?? first, to: step, fewer: (funnel[i]?.count ?? 0) - step.count }))
  const passed = t('{count} of {count2} passed', {
    count: format.percent(last.count / first.count),
    count2: format.count(first.count),
  })
  // Who was graded and did not pass waits for nothing: the last step is a result and not a delay. Who failed does not, either.
  const worst = steps.slice(0, -1).reduce((a, b) => (b.fewer > a.fewer ? b : a))
  const largest =
    worst.fewer === 0
      ? t('All of them were graded')
      : t('Most are lost between {from} and {to} ({fewer})', {
          from: t(stageWords[worst.from.stage]),
          to: t(stageWords[worst.to.stage]),
          fewer: format.count(worst.fewer),
        })
  const unpassed = steps.at(-1)?.fewer ?? 0
  const ended = [
    // Where these are those that failed, one of the two says it.
    ...(unpassed > 0 && unpassed !== failed
      ? [t('{fewer} were graded without a pass', { fewer: format.count(unpassed) })]
      : []),
    ...(failed > 0 ? [t('{failed} failed', { failed: format.count(failed) })] : []),
  ]
  return `${passed}. ${largest}.${ended.length === 0 ? '' : ` ${ended.join(', ')}.`}`
}

/** Weeks that are over: nothing in them can still become on time, except what awaits a grade. */
export function cohortFinding(cohorts: DueCohort[], today: string, format: Format): string {
  const past = cohorts.filter((c) => addDays(c.period_start, 7) <= today).slice(-4)
  const decided = past.map((c) => ({ ...c, n: c.on_time + c.late })).filter((c) => c.n > 0)
  const n = decided.reduce((sum, c) => sum + c.n, 0)
  if (n === 0) return t('Nothing with a due date was due or done in the last four full weeks.')
  const onTime = decided.reduce((sum, c) => sum + c.on_time, 0)
  const rated = decided.filter((c) => c.n >= fewestToRank)
  const weeks =
    past.length === 1
      ? t('the last full week')
      : past.length === 4
        ? t('the last four full weeks')
        : t('the last {n} full weeks', { n: past.length })
  const head = t('Of {n} due or done in {weeks}, {onTime} were on time', {
    n: format.count(n),
    weeks,
    onTime: format.percent(onTime / n),
  })
  if (rated.length < 2) return `${head}.`
  const worst = rated.reduce((a, b) => (b.on_time / b.n < a.on_time / a.n ? b : a))
  return t('{head}; lowest: week of {periodStart} ({onTime}, {n} due).', {
    head,
    periodStart: format.day(worst.period_start),
    onTime: format.percent(worst.on_time / worst.n),
    n: format.count(worst.n),
  })
}

/** How many have been overdue for so many days. */
export function countAging(aging: Metrics['aging'], ...buckets: string[]): number {
  return aging.reduce((n, { bucket, count }) => (buckets.includes(bucket) ? n + count : n), 0)
}

/** `total`: of all buckets. */
export function agingFinding(aging: Metrics['aging'], total: number, format: Format): string {
  if (total === 0) return t('No one is overdue.')
  const overMonth = countAging(aging, '31-60', '61-90', '91+')
  if (overMonth === 0)
    return t('{total} overdue, none for more than 30 days; {fresh} of them since at most 7 days.', {
      total: format.count(total),
      fresh: format.count(countAging(aging, '1-7')),
    })
  return t('{overMonth} of {total} overdue ({overMonth2}) have been so for more than 30 days.', {
    overMonth: format.count(overMonth),
    total: format.count(total),
    overMonth2: format.percent(overMonth / total),
  })
}

export function gradeFinding(
  grade: Metrics['grade'],
  passRate: Metrics['pass_rate'],
  format: Format,
): string {
  if (grade.n === 0 || grade.median === null) return t('Nothing has been graded in this scope.')
  const passed =
    passRate.value === null
      ? ''
      : t(' {value} of {denominator} graded passed.', {
          value: format.percent(passRate.value),
          denominator: format.count(passRate.denominator),
        })
  return t('The median grade is {median} (n = {n}).{passed}', {
    median: format.decimal(grade.median),
    n: format.count(grade.n),
    passed,
  })
}

/** How much waits for a grade, and for how long. `detail` continues the lead, with punctuation. */
export function waitingWords(
  { value, oldest_age_ms: oldest, p50_age_ms: median }: Metrics['grading_backlog'],
  format: Format,
): { lead: string; detail: string } {
  const lead = t('{n, plural, one {# assignment is} other {# assignments are}} waiting for a grade', {
    n: value,
  })
  if (oldest === null) return { lead, detail: '.' }
  const longest = { oldest: format.duration(oldest) }
  if (value === 1 || median === null) return { lead, detail: t('. Oldest: {oldest}.', longest) }
  return {
    lead,
    detail: t('. Oldest: {oldest}. Median: {median}.', { ...longest, median: format.duration(median) }),
  }
}

/** Rows with enough assignments, lowest on-time rate first (ties: more overdue first); then the rest by size. */
export function rank(rows: RankingRow[]): { ranked: RankingRow[]; few: RankingRow[] } {
  const onTime = (row: RankingRow) => row.on_time_rate.value ?? 1
  const isRanked = (row: RankingRow) => row.on_time_rate.denominator >= fewestToRank
  return {
    ranked: rows
      .filter(isRanked)
      .sort((a, b) => onTime(a) - onTime(b) || b.overdue - a.overdue || order(a, b)),
    few: rows.filter((row) => !isRanked(row)).sort((a, b) => b.assigned - a.assigned || order(a, b)),
  }
}

function order(a: RankingRow, b: RankingRow): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1
}

export function rankingFinding(rows: RankingRow[], noun: 'team' | 'challenge', format: Format): string {
  const { ranked } = rank(rows)
  const [lowest, highest] = [ranked[0], ranked.at(-1)]
  const isTeam = noun === 'team'
  if (rows.length === 0) return isTeam ? t('No team in this scope.') : t('No challenge in this scope.')
  if (lowest === undefined || highest === undefined)
    return isTeam
      ? t('No team has {n} assignments that are due or done, too few to rank.', { n: fewestToRank })
      : t('No challenge has {n} assignments that are due or done, too few to rank.', { n: fewestToRank })
  const share = (row: RankingRow) =>
    t('{some} of {all}', {
      some: format.percent(row.on_time_rate.value ?? 0),
      all: format.count(row.on_time_rate.denominator),
    })
  const name = (row: RankingRow) => nameInSentence(row, noun)
  const low = { lowest: name(lowest), share: share(lowest) }
  if (ranked.length === 1)
    return isTeam && lowest.id === ''
      ? t('People without a team completed {share} on time; no team has enough to compare.', low)
      : isTeam
        ? t('{lowest} completed {share} on time; no other team has enough to compare.', low)
        : t('{lowest} completed {share} on time; no other challenge has enough to compare.', low)
  return t('Lowest on time: {lowest}, {share}. Highest: {highest}, {highestShare}.', {
    ...low,
    highest: name(highest),
    highestShare: share(highest),
  })
}

/** "No team" in a sentence would say the opposite. */
export function nameInSentence(row: { id: string; name: string }, noun: 'team' | 'challenge'): string {
  return noun === 'team' && row.id === '' ? t('people without a team') : rowName(row, noun)
}

const nameless = { team: 'No team', challenge: 'Unknown challenge', manager: 'No manager known' } as const

export function rowName({ id, name }: { id: string; name: string }, noun: keyof typeof nameless): string {
  return isolateText(name || id) || t(nameless[noun])
}
