/** Sentences of pages, each with what it is made of: in English, and in German where the grammar differs. */
import { describe, expect, test } from 'vitest'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { beforeAfter } from '../../../reporting/words/change-words.ts'
import { Headlines } from '../../../dashboards/components/figures/headlines.tsx'
import type { PageContext } from '../../../dashboards/page-context.ts'
import { anybody } from '../../../services/access/visitor.ts'
import { attention } from '../../../dashboards/pages/overview/attention.tsx'
import { backlogFinding, queueFinding } from '../../../dashboards/pages/grading/words.ts'
import { daysFinding } from '../../../dashboards/pages/groups/words.ts'
import {
  agingFinding,
  cohortFinding,
  funnelFinding,
  gradeFinding,
  rank,
  rankingFinding,
  trendFinding,
} from '../../../dashboards/components/figures/findings.ts'
import { reading, readingOf } from '../../../language/language.ts'
import { createFormat } from '../../../language/format.ts'
import { freshnessState } from '../../../dashboards/components/stamp.tsx'
import { toMonday } from '../../../dashboards/pages/changes/moments.ts'
import { NoAssignments } from '../../../dashboards/components/messages.tsx'
import { filledNow } from '../filled-company.ts'
import { filledOverview, settings } from './serve.ts'
import { agingBuckets, type Metrics } from '../../../schemas/metrics/answer.ts'

const format = createFormat({ locale: 'en-GB', timeZone: 'Europe/Berlin', now: filledNow })
/** The answer for the filled company, with the numbers that the sentences below are about. */
const filled = await filledOverview()
const dayMs = 86_400_000
const rate = (numerator: number, denominator: number) => ({
  ...filled.by_team[0]!.on_time_rate,
  value: numerator / denominator,
  numerator,
  denominator,
})
const toTeam = (id: string, name: string, numerator: number, denominator: number) => ({
  ...filled.by_team[0]!,
  id,
  name,
  overdue: 10,
  on_time_rate: rate(numerator, denominator),
})
const teams = [toTeam('north', 'North', 98, 188), toTeam('new', 'New', 36, 41), toTeam('int', 'Few', 3, 6)]
const metrics: Metrics = {
  ...filled.answer.metrics,
  overdue: { value: 123 },
  on_time_rate: { ...filled.answer.metrics.on_time_rate, ...rate(874, 1230) },
  completion_rate: { value: 0.64, numerator: 64, denominator: 100, excluded: {} },
  aging: agingBuckets.map((bucket, i) => ({ bucket, count: [38, 24, 29, 17, 9, 6][i] ?? 0 })),
  due_soon: { value: 64 },
  reviewer_overdue: { value: 12 },
  reviewer_on_time: { ...rate(97, 116), excluded: filled.answer.metrics.reviewer_on_time.excluded },
  grading_turnaround: { p50_ms: 1.5 * dayMs, p90_ms: null, n: 40, censored: 3, unknown: 0 },
  grading_backlog: {
    value: 87,
    untouched: 71,
    partially_graded: 16,
    p50_age_ms: 2.4 * dayMs,
    oldest_age_ms: 19 * dayMs,
  },
}
const overview: Overview = { ...filled, by_team: teams, answer: { ...filled.answer, metrics } }
const withMetrics = (more: Partial<Metrics>): Overview => ({
  ...overview,
  answer: { ...overview.answer, metrics: { ...metrics, ...more } },
})

const stages = (...counts: number[]) =>
  metrics.funnel.map(({ stage }, i) => ({ stage, count: counts[i] ?? 0 }))
const period = (period_start: string, assigned: number, completed: number, overdue_at_end: number) => ({
  period_start,
  assigned,
  completed,
  graded: 0,
  became_overdue: 0,
  overdue_at_end,
})
const trend = [period('2026-11-09', 150, 130, 128), period('2026-11-16', 96, 85, 123)]
const cohorts = [
  { period_start: '2026-11-02', on_time: 15, late: 5, open: 0 },
  { period_start: '2026-11-09', on_time: 5, late: 15, open: 0 },
  { period_start: '2026-11-16', on_time: 0, late: 30, open: 50 },
]
const grades = { n: 1107, mean: 76.4, median: 79, histogram: [] }
const passed = { ...metrics.pass_rate, value: 0.92, denominator: 1107 }
const backlog = (...counts: number[]) =>
  backlogFinding(
    {
      backlog: counts.map((n, i) => ({
        period_start: `2026-11-${['02', '09', '16'][i]}`,
        waiting_at_end: n,
      })),
    },
    'week',
    format,
  )
const took = (p50_ms: number | null, more: object = {}) =>
  daysFinding({ p50_ms, p90_ms: null, n: 12, censored: 3, unknown: 0, ...more }, format)
const lead = (key: string, from = overview, days = 7) =>
  attention(from, { format }, days).find((item) => item.key === key)?.lead
const nobody = toTeam('', '', 4, 14)

const zones = { timeZone: 'Pacific/Auckland', dueZone: 'America/New_York' }
const far = createFormat({ locale: 'en-GB', ...zones, now: Date.parse('2026-12-31T12:00:00Z') })
const moved = { facts: [], grade: null, due_date: '2026-11-21T01:00:00Z' }

test.each<[about: string, say: () => unknown, english: unknown]>([
  ['not quite all', () => format.percent(0.9996), '>99%'],
  ['not quite all, finer', () => format.percent(0.99996, 1), '>99.9%'],
  ['not quite nothing', () => format.percent(0.0004), '<1%'],
  ['an hour', () => format.duration(3_600_000), '1 hour'],
  ['less than two days', () => format.duration(44 * 3_600_000), '44 hours'],
  ['days', () => format.duration(5.6 * dayMs), '5.6 days'],
  ['at least', () => format.durationOrMore(1.5 * 3_600_000), '1.5+ hours'],
  ['an instant, in the zone', () => format.instant('2026-11-20T23:30:00.000Z'), '21 Nov 2026, 00:30'],
  ['a calendar date', () => far.day('2026-11-16'), '16 Nov'],
  ['a due day, in the due zone', () => far.dueDay('2026-11-21T01:00:00Z'), '20 Nov'],
  ['a due day in another year', () => far.dueDay('2027-01-01T04:59:59Z'), '31 Dec'],
  [
    'a moved due date',
    () =>
      beforeAfter(
        { before: { ...moved, due_date: null }, after: moved, kinds: ['deadline_moved'] } as never,
        far,
      ),
    ['no due date → due 20 Nov'],
  ],
  [
    'the trend',
    () => trendFinding(trend, 'week', format),
    '85 completed and 96 assigned in the latest week, after 130 and 150. 123 overdue, down 5 since the week before.',
  ],
  [
    'the funnel',
    () => funnelFinding(stages(100, 90, 50, 45, 44, 40), format, 0),
    '40% of 100 passed. Most are lost between viewed and started (40). 4 were graded without a pass.',
  ],
  [
    'all without a pass failed',
    () => funnelFinding(stages(100, 98, 98, 98, 98, 40), format, 58),
    expect.stringContaining('(2). 58 failed.'),
  ],
  ['no funnel', () => funnelFinding(stages(), format, 0), 'Nothing was assigned in this scope.'],
  [
    'due weeks, without the one that runs',
    () => cohortFinding(cohorts, '2026-11-20', format),
    'Of 40 due or done in the last 2 full weeks, 50% were on time; lowest: week of 9 Nov (25%, 20 due).',
  ],
  [
    'ages',
    () => agingFinding(metrics.aging, 123, format),
    '32 of 123 overdue (26%) have been so for more than 30 days.',
  ],
  [
    'grades',
    () => gradeFinding(grades, passed, format),
    'The median grade is 79 (n = 1,107). 92% of 1,107 graded passed.',
  ],
  [
    'a ranking',
    () => rankingFinding(teams, 'team', format),
    'Lowest on time: North, 52% of 188. Highest: New, 88% of 41.',
  ],
  [
    'people without a team',
    () => rankingFinding([nobody], 'team', format),
    'People without a team: 29% of 14 on time. Too few in the others to compare.',
  ],
  ['the backlog', () => backlog(40, 99, 209), '209 waiting, up 110 since the week before.'],
  ['less than half completed', () => took(null), 'Fewer than half are completed (12 completed, 3 open).'],
  [
    'how long it took',
    () => took(dayMs, { unknown: 2 }),
    'Median 24 hours (12 completed, 3 open). 2 not counted: start or end unknown.',
  ],
  [
    'the queue',
    () => queueFinding(metrics, format),
    '87 assignments are waiting for a grade. Oldest: 19 days. Median: 2.4 days. 12 are past the review date. 84% of 116 grades were on time.',
  ],
  [
    'a queue of one',
    () => queueFinding({ ...metrics, grading_backlog: { ...metrics.grading_backlog, value: 1 } }, format),
    expect.stringContaining('1 assignment is waiting for a grade. Oldest: 19 days. 12 are'),
  ],
  [
    'due soon',
    () => [0, 1, 60].map((days) => lead('due-soon', overview, days)),
    ['today', 'within 1 day', 'within 60 days'].map((when) => `64 assignments are due ${when}`),
  ],
  [
    'a Monday is since the Monday before',
    () =>
      ['2026-11-23', '2026-11-24', '2026-11-29'].map((day) =>
        new Date(toMonday('Europe/Berlin', Date.parse(`${day}T08:00:00+01:00`))).toISOString().slice(0, 10),
      ),
    ['2026-11-15', '2026-11-22', '2026-11-22'],
  ],
])('says %s', (_, say, english) => expect(say()).toEqual(english))

test('groups with fewer than ten decided are never ranked, however bad', () => {
  const { ranked, few } = rank([...teams, toTeam('x', 'X', 0, 9)])
  expect(ranked.map(({ id }) => id)).toEqual(['north', 'new'])
  expect(few.map(({ id }) => id)).toEqual(expect.arrayContaining(['int', 'x']))
})

/** The text of an element on a page. */
const toPage = (element: { toString(): string }) => element.toString()

describe('the tiles of Home', () => {
  const context = {
    format,
    settings,
    path: '/teams/x',
    params: new URLSearchParams(),
    visitor: anybody,
  } as PageContext
  const show = (of: Overview, own = context) =>
    toPage(Headlines({ context: own, overview: of, rowParams: new URLSearchParams() }))

  test('a change of a part of a point is one, also with a decimal comma', () => {
    const change = (language: 'en' | 'de', locale: string) =>
      reading(readingOf(language), () => {
        const value = (metrics.on_time_rate.value ?? 0) - 0.003
        const before = { ...metrics, on_time_rate: { ...metrics.on_time_rate, value } }
        const previous = { as_of: '2026-11-13T13:05:00.000Z', metrics: before }
        const own = { ...context, format: createFormat({ locale, timeZone: 'UTC', now: filledNow }) }
        const html = show({ ...overview, previous }, own)
        return /headline-on-time[\s\S]*?<p class="change[^>]*>[\s\S]*?<\/span> ([^<]*)/.exec(html)?.[1]
      })
    expect(change('en', 'en-GB')).toBe('+0.3 points vs. 4 weeks ago')
    expect(change('de', 'de-DE')).toBe('+0,3 Prozentpunkte ggü. vor 4 Wochen')
  })
})

describe('needs attention', () => {
  test('nothing to show is nobody’s fault where a manager sees people without an assignment', () => {
    const words = (sees: object) =>
      toPage(
        NoAssignments({
          context: { visitor: { role: 'manager' }, ...sees } as PageContext,
          hasFilters: false,
        }),
      )
    expect(words({ sees: 0 })).toContain('None of the people whose work you see has an assignment.')
    expect(words({})).toContain('No assignment of anyone who is still here has arrived yet.')
  })

  test('begins with what is below target, and only where there is one, and enough to tell', () => {
    const targets = { completion_rate: 95, on_time_rate: 1, grading_turnaround: 1 }
    const [first, second] = attention(overview, { format, targets }, 7)
    expect([first?.lead, first?.detail]).toEqual([
      'Targets missed',
      ': completion 64% (target 95%), grading turnaround 36 hours (target 24 hours).',
    ])
    expect(second?.key).toBe('long-overdue')
    const ofFew = withMetrics({ completion_rate: { ...metrics.completion_rate, denominator: 9 } })
    expect(attention(ofFew, { format, targets: { completion_rate: 95 } }, 7)[0]?.key).toBe('long-overdue')
  })
})

describe('freshness', () => {
  const minutes = 60_000
  const ago = (ms: number) => new Date(filledNow - ms).toISOString()
  const state = (more: Partial<Overview['freshness']>) => {
    const base = {
      has_challenge_events: true,
      last_event_at: ago(minutes),
      complete_through: ago(1_000),
      last_hour: 5,
    }
    return freshnessState({ ...filled.freshness, ...base, ...more }, format)
  }

  test('quiet is not broken: nothing was sent, and all of it is counted', () => {
    expect(state({ last_event_at: ago(180 * minutes) })).toEqual({
      level: 'quiet',
      words: 'Complete up to 14:04. 5 webhooks in the last hour.',
    })
  })

  test('turns amber and red by how far the numbers are behind', () => {
    expect(state({ complete_through: ago(14 * minutes) }).level).toBe('fresh')
    expect(state({ complete_through: ago(16 * minutes) }).level).toBe('amber')
    expect(state({ complete_through: ago(61 * minutes) })).toEqual({
      level: 'red',
      words: 'Behind. Complete up to 13:04. 5 webhooks in the last hour.',
    })
  })
})
