/**
 * One sentence per figure, with its numbers and n. Pure functions of the data; where there is no data they say so, and
 * never call it zero.
 */
import { addDays } from '../../../schemas/metrics/calendar.ts'
import type { Metrics, Period, TrendPeriod } from '../../../schemas/metrics/answer.ts'
import type { DueCohort, RankingRow } from '../../../reporting/metrics/overview.ts'
import { capital, type Format } from '../../../language/format.ts'
import { isolateText, t, type Message } from '../../../language/translate.ts'

/** Below this n a share is mostly chance: grey, and not ranked. */
export const fewestToRank = 10

/** The same words for every moment: the stamp of the page says which it is. */
export function trendFinding(trend: readonly TrendPeriod[], period: Period, format: Format): string {
  const [before, now] = [trend.at(-2), trend.at(-1)]
  if (now === undefined) return t('No period to show.')
  const { count } = format
  const overdue = count(now.overdue_at_end)
  const flows = { completed: count(now.completed), assigned: count(now.assigned), period, overdue }
  if (before === undefined)
    return t(
      '{completed} completed and {assigned} assigned in the latest {period, select, day {day} week {week} other {month}}. {overdue} overdue.',
      flows,
    )
  return t(
    '{completed} completed and {assigned} assigned in the latest {period, select, day {day} week {week} other {month}}, after {completed2} and {assigned2}. {overdue} overdue, {change}.',
    {
      ...flows,
      completed2: count(before.completed),
      assigned2: count(before.assigned),
      change: changeWords(now.overdue_at_end - before.overdue_at_end, period, format),
    },
  )
}

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
  // Where these are those that failed, one of the two says it.
  const ended = [
    unpassed > 0 && unpassed !== failed
      ? t('{fewer} were graded without a pass', { fewer: format.count(unpassed) })
      : '',
    failed > 0 ? t('{failed} failed', { failed: format.count(failed) }) : '',
  ].filter(Boolean)
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
  const head = t(
    'Of {n} due or done in the last {weeks, plural, one {full week} other {# full weeks}}, {onTime} were on time',
    { n: format.count(n), weeks: past.length, onTime: format.percent(onTime / n) },
  )
  if (rated.length < 2) return `${head}.`
  const worst = rated.reduce((a, b) => (b.on_time / b.n < a.on_time / a.n ? b : a))
  return t('{head}; lowest: week of {periodStart} ({onTime}, {n} due).', {
    head,
    periodStart: format.day(worst.period_start),
    onTime: format.percent(worst.on_time / worst.n),
    n: format.count(worst.n),
  })
}

export function countAging(aging: Metrics['aging'], ...buckets: string[]): number {
  return aging.reduce((n, { bucket, count }) => (buckets.includes(bucket) ? n + count : n), 0)
}

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
  if (lowest === undefined || highest === undefined)
    return t('None has {n} assignments that are due or done: too few to compare.', { n: fewestToRank })
  const say = (row: RankingRow) => {
    const { value, denominator } = row.on_time_rate
    const words = { some: format.percent(value ?? 0), all: format.count(denominator) }
    return { name: nameInSentence(row, noun), share: t('{some} of {all}', words) }
  }
  const [low, high] = [say(lowest), say(highest)]
  if (ranked.length === 1)
    return t('{lowest}: {share} on time. Too few in the others to compare.', {
      lowest: capital(low.name),
      share: low.share,
    })
  return t('Lowest on time: {lowest}, {share}. Highest: {highest}, {highestShare}.', {
    lowest: low.name,
    share: low.share,
    highest: high.name,
    highestShare: high.share,
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
