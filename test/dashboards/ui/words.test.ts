import { describe, expect, test } from 'vitest'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import { beforeAfter } from '../../../reporting/words/change-words.ts'
import { Headlines } from '../../../dashboards/components/figures/headlines.tsx'
import type { PageContext } from '../../../dashboards/page-context.ts'
import { anybody } from '../../../services/access/visitor.ts'
import { attention } from '../../../dashboards/pages/overview/attention.tsx'
import { backlogFinding, queueFinding, reviewWords } from '../../../dashboards/pages/grading/words.ts'
import { daysFinding } from '../../../dashboards/pages/groups/days.tsx'
import { exclusionSentence } from '../../../dashboards/scope/part-words.ts'
import { filterChips } from '../../../dashboards/scope/filter-words.ts'
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
import { freshnessState, unfinishedWords } from '../../../dashboards/components/stamp.tsx'
import { toMonday } from '../../../dashboards/pages/changes/moments.ts'
import { NoAssignments } from '../../../dashboards/components/messages.tsx'
import { weekChanges } from '../../../dashboards/components/week-changes.ts'
import type { BriefChangeCount } from '../../../reporting/queries/change-counts.ts'
import { fixtureNow, overviewFixture } from './fixture.ts'
import { lateFixture } from './late-fixture.ts'
import type { Queries } from '../../../reporting/queries/queries.ts'
import { settings, startPreview } from './serve.ts'
import { agingBuckets } from '../../../schemas/metrics/answer.ts'

const format = createFormat({ locale: 'en-GB', timeZone: 'Europe/Berlin', now: fixtureNow })
const overview = overviewFixture()
const { metrics } = overview.answer

describe('numbers', () => {
  test('what is not all is never 100 %, and what is not nothing never 0 %', () => {
    expect(format.percent(1)).toBe('100%')
    expect(format.percent(0.9996)).toBe('>99%')
    expect(format.percent(0.99996, 1)).toBe('>99.9%')
    expect(format.percent(0)).toBe('0%')
    expect(format.percent(0.0004)).toBe('<1%')
    expect(format.percent(0.7149)).toBe('71%')
  })

  test('changes of shares are in points, with a true minus sign', () => {
    expect(format.points(0.031)).toBe('+3.1 points')
    expect(format.points(-0.01)).toBe('−1 point')
  })

  test('durations are read in the unit a person would use', () => {
    expect(format.duration(40_000)).toBe('40 seconds')
    expect(format.duration(3_600_000)).toBe('1 hour')
    expect(format.duration(44 * 3_600_000)).toBe('44 hours')
    expect(format.duration(5.6 * 86_400_000)).toBe('5.6 days')
    expect(format.duration(19 * 86_400_000)).toBe('19 days')
    expect([0, 1.5 * 3_600_000].map(format.durationOrMore)).toEqual(['0 seconds', '1.5+ hours'])
  })

  test('instants are told in the zone of the page, calendar dates as they are', () => {
    expect(format.instant('2026-11-20T23:30:00.000Z')).toBe('21 Nov 2026, 00:30')
    expect(createFormat({ locale: 'en-GB', timeZone: 'America/New_York', now: 0 }).day('2026-11-16')).toBe(
      '16 Nov',
    )
  })

  test('due days are those of the due zone, whatever the zone of the page', () => {
    const zones = { timeZone: 'Pacific/Auckland', dueZone: 'America/New_York' }
    const page = createFormat({ locale: 'en-GB', ...zones, now: Date.parse('2026-12-31T12:00:00Z') })
    const days = (instant: string) => [page.dueDay(instant), page.instantDay(instant)]
    expect(days('2026-11-21T01:00:00Z')).toEqual(['20 Nov', '21 Nov 2026'])
    expect(days('2027-01-01T04:59:59Z')).toEqual(['31 Dec', '1 Jan'])
    const side = { facts: [], grade: null, due_date: '2026-11-21T01:00:00Z' }
    const change = { before: { ...side, due_date: null }, after: side, kinds: ['deadline_moved'] }
    expect(beforeAfter(change as never, page)).toEqual(['no due date → due 20 Nov'])
  })
})

describe('findings', () => {
  test('the trend says what the running period has brought so far, and compares overdue with the end of the last', () => {
    const base = { graded: 0, became_overdue: 0 }
    const trend = [
      { ...base, period_start: '2026-11-09', assigned: 150, completed: 130, overdue_at_end: 128 },
      { ...base, period_start: '2026-11-16', assigned: 96, completed: 85, overdue_at_end: 123 },
    ]
    const now = { moment: 'now', isRunning: true } as const
    expect(trendFinding(trend, 'week', format, now)).toBe(
      '85 completed and 96 assigned this week so far (last week: 130 and 150). 123 overdue now, 5 fewer than at the end of last week.',
    )
    expect(trendFinding([], 'week', format, now)).toBe('No period to show.')
  })

  test('those who failed and those without a pass are said once where they are the same', () => {
    const funnel = metrics.funnel.map(({ stage }, i) => ({ stage, count: [100, 98, 98, 98, 98, 40][i] ?? 0 }))
    expect(funnelFinding(funnel, format, 58)).toContain('(2). 58 failed.')
  })

  test('who failed, or was graded without a pass, is not called held up', () => {
    const counts = { assigned: 100, viewed: 98, started: 96, submitted: 95, graded: 95, passed: 40 }
    const funnel = metrics.funnel.map(({ stage }) => ({ stage, count: counts[stage] }))
    expect(funnelFinding(funnel, format, 3)).toBe(
      '40% of 100 passed. Most are lost between assigned and viewed (2). 55 were graded without a pass, 3 failed.',
    )
  })

  test('the trend of a past moment says nothing of now, that of a future one that it is a projection', () => {
    const at = (moment: 'past' | 'future', isRunning = true) =>
      trendFinding(metrics.trend, 'week', format, { moment, isRunning })
    expect(at('past')).toContain('assigned in the week up to then (the week before: ')
    expect(at('past')).toContain('123 overdue then, ')
    for (const text of [at('past'), at('past', false)]) expect(text).not.toMatch(/\bnow\b|so far|this week/)
    expect(at('future')).toContain('overdue then, if nothing more happens')
    expect(unfinishedWords('2026-11-12T13:05:00.000Z', format)).toBe(', up to 12 Nov')
    expect(unfinishedWords('2026-12-12T13:05:00.000Z', format)).toBe(', projected')
    expect(unfinishedWords(overview.answer.as_of, format)).toBe(', so far')
  })

  test('the funnel names the step with the greatest loss', () => {
    const counts = { assigned: 100, viewed: 90, started: 50, submitted: 45, graded: 44, passed: 40 }
    const funnel = metrics.funnel.map(({ stage }) => ({ stage, count: counts[stage] }))
    expect(funnelFinding(funnel, format, 0)).toBe(
      '40% of 100 passed. Most are lost between viewed and started (40). 4 were graded without a pass.',
    )
    expect(
      funnelFinding(
        funnel.map((s) => ({ ...s, count: 0 })),
        format,
        0,
      ),
    ).toBe('Nothing was assigned in this scope.')
  })

  test('due weeks that still run are not judged', () => {
    const cohorts = [
      { period_start: '2026-11-02', on_time: 15, late: 5, open: 0 },
      { period_start: '2026-11-09', on_time: 5, late: 15, open: 0 },
      { period_start: '2026-11-16', on_time: 0, late: 30, open: 50 },
    ]
    expect(cohortFinding(cohorts, '2026-11-20', format)).toBe(
      'Of 40 due or done in the last 2 full weeks, 50% were on time; lowest: week of 9 Nov (25%, 20 due).',
    )
    expect(cohortFinding([], '2026-11-20', format)).toContain('Nothing with a due date')
  })

  test('ages count those over 30 days', () => {
    expect(agingFinding(metrics.aging, 123, format)).toBe(
      '32 of 123 overdue (26%) have been so for more than 30 days.',
    )
    expect(
      agingFinding(
        metrics.aging.map((a) => ({ ...a, count: 0 })),
        0,
        format,
      ),
    ).toBe('No one is overdue.')
  })

  test('no grades is said, not shown as a median of zero', () => {
    expect(gradeFinding({ n: 0, mean: null, median: null, histogram: [] }, metrics.pass_rate, format)).toBe(
      'Nothing has been graded in this scope.',
    )
    expect(gradeFinding(metrics.grade, metrics.pass_rate, format)).toMatch(
      /^The median grade is 79 \(n = 1,1\d\d\)\. 92% of 1,107 graded passed\.$/,
    )
  })

  test('groups with fewer than ten decided are never ranked, however bad', () => {
    const { ranked, few } = rank(overview.by_team)
    expect(ranked.every((row) => row.on_time_rate.denominator >= 10)).toBe(true)
    expect(few.map((row) => row.id)).toEqual(['', 'g-int'])
    expect(ranked.map((row) => row.on_time_rate.value)).toEqual(
      ranked.map((row) => row.on_time_rate.value).sort((a, b) => (a ?? 0) - (b ?? 0)),
    )
    expect(rankingFinding(overview.by_team, 'team', format)).toBe(
      'Lowest on time: Sales North, 52% of 188. Highest: New joiners, autumn 2026, 88% of 41.',
    )
    expect(rankingFinding(few, 'team', format)).toContain('too few to rank')
  })

  test('exclusions are said in words, and only those that leave someone out', () => {
    const said = (excluded: Record<string, number>) =>
      exclusionSentence({ value: 1, numerator: 1, denominator: 1, excluded }, format)
    expect(said({ no_due_date: 2, failed: 0, not_due_yet: 5 })).toBe(
      'Left out: 2 have no due date, 5 are not due yet.',
    )
    expect(said({ no_due_date: 1, failed: 1, awaiting_grading: 1 })).toBe(
      'Left out: 1 has no due date, 1 failed, 1 waits for a grade.',
    )
  })
})

/** The text of an element on a page. */
const toPage = (element: { toString(): string }) => element.toString()

describe('lines that could be misread', () => {
  const context = {
    format,
    settings,
    path: '/teams/x',
    params: new URLSearchParams(),
    visitor: anybody,
  } as PageContext

  test('a change of a part of a point is one, also with a decimal comma', () => {
    const change = (language: 'en' | 'de', locale: string) =>
      reading(readingOf(language), () => {
        const { on_time_rate } = metrics
        const before = {
          ...metrics,
          on_time_rate: { ...on_time_rate, value: (on_time_rate.value ?? 0) - 0.003 },
        }
        const previous = { as_of: '2026-11-13T13:05:00.000Z', metrics: before }
        const own = { ...context, format: createFormat({ locale, timeZone: 'UTC', now: fixtureNow }) }
        const html = toPage(
          Headlines({ context: own, overview: { ...overview, previous }, rowParams: new URLSearchParams() }),
        )
        return /headline-on-time[\s\S]*?<p class="change[^>]*>[\s\S]*?<\/span> ([^<]*)/.exec(html)?.[1]
      })
    expect(change('en', 'en-GB')).toBe('+0.3 points vs. 4 weeks ago')
    expect(change('de', 'de-DE')).toBe('+0,3 Prozentpunkte ggü. vor 4 Wochen')
  })

  test('the grading turnaround without any grade does not say that few are graded', () => {
    const says = (grading_turnaround: Partial<typeof metrics.grading_turnaround>) => {
      const empty = { p50_ms: null, p90_ms: null, n: 0, censored: 0, unknown: 0, ...grading_turnaround }
      const answer = { ...overview.answer, metrics: { ...metrics, grading_turnaround: empty } }
      return toPage(
        Headlines({ context, overview: { ...overview, answer }, rowParams: new URLSearchParams() }),
      )
    }
    expect(says({})).toContain('no grade with a known time')
    expect(says({})).not.toMatch(/ewer than/)
    expect(says({ censored: 3 })).toContain('fewer than half are graded')
  })
})

describe('what waits', () => {
  const backlog = [40, 99, 87].map((waiting_at_end, i) => ({
    period_start: `2026-11-${['02', '09', '16'][i]}`,
    waiting_at_end,
  }))

  test('names the time of the most only where that is not now', () => {
    expect(backlogFinding({ backlog }, 'week', format)).toContain('Most: 99 (week of 9 Nov).')
    const rising = backlog.map((each, i) => (i === 2 ? { ...each, waiting_at_end: 209 } : each))
    expect(backlogFinding({ backlog: rising }, 'week', format)).toBe(
      '209 waiting, up 110 since the week before. The most in this chart.',
    )
  })
})

describe('at every moment', () => {
  const late = lateFixture({})
  const pageOf = async (path: string, queries: Partial<Queries> = {}) => {
    const { app, close } = await startPreview({ queries })
    const html = await (await app.request(path)).text()
    await close()
    return html.slice(html.indexOf('<main'))
  }

  test('how long it takes says its n, what is open, and what has no start or end', () => {
    const duration = { ...metrics.time_to_complete, p90_ms: null, n: 12, censored: 3, unknown: 0 }
    const says = (more: Partial<typeof duration>) => daysFinding({ ...duration, ...more }, format)
    expect(says({ p50_ms: null })).toBe('Fewer than half are completed (12 completed, 3 open).')
    expect(says({ p50_ms: 86_400_000, unknown: 2 })).toBe(
      'Median 24 hours (12 completed, 3 open). 2 not counted: start or end unknown.',
    )
    expect(says({ n: 0 })).toBe('Nothing completed yet.')
  })

  test('a wait is as long as it is at that moment, and what is due soon is so from that day', () => {
    expect(queueFinding(metrics, format)).toBe(
      '87 assignments are waiting for a grade. Oldest: 19 days. Median: 2.4 days.',
    )
    const one = { ...metrics.grading_backlog, value: 1 }
    expect(queueFinding({ ...metrics, grading_backlog: one }, format)).toBe(
      '1 assignment is waiting for a grade. Oldest: 19 days.',
    )
    expect([0, 1, 7].map((days) => reviewWords('soon', days))).toEqual([
      'due today',
      'due within 1 day',
      'due within 7 days',
    ])
  })

  test('the next 14 days are those from now only', async () => {
    const overdue = await late.overdue()
    const titleAt = async (as_of: string) => {
      const at = { ...overdue, answer: { ...overdue.answer, as_of } }
      return /Due in the [^<]*/.exec(await pageOf('/overdue', { overdue: async () => at }))?.[0]
    }
    const days = ['2026-10-01T00:00:00.000Z', overdue.answer.as_of, '2027-03-01T00:00:00.000Z']
    expect(await Promise.all(days.map(titleAt))).toEqual([
      'Due in the 14 days from then',
      'Due in the next 14 days',
      'Due in the 14 days from then',
    ])
  })

  test('without a period there is no axis of how long grades take', async () => {
    const grading = { ...(await late.grading()), turnaround: [], backlog: [] }
    const html = await pageOf('/grading', { grading: async () => grading })
    expect(html).not.toContain('Infinity')
    expect(html.split('No period in this scope.')).toHaveLength(3)
  })
})

describe('needs attention', () => {
  const quiet = overviewFixture({ nothing: true, compare: false })

  test('says what is so now: of those that fell overdue, it cannot know how many have finished since', () => {
    const texts = attention(overview, { format }, 7).map(({ lead }) => lead)
    expect(texts).toContain('38 assignments are 1 to 7 days overdue')
    expect(texts.join()).not.toContain('fell overdue')
  })

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

  test('says nothing when nothing is wrong', () => {
    expect(attention(quiet, { format }, 7)).toEqual([])
  })

  test('leaves out no age of what is overdue', () => {
    const { answer } = quiet
    const ages = (bucket: string) => {
      const aging = answer.metrics.aging.map((each) => ({ ...each, count: each.bucket === bucket ? 3 : 0 }))
      return attention(
        { ...quiet, answer: { ...answer, metrics: { ...answer.metrics, aging, overdue: { value: 3 } } } },
        { format },
        7,
      )
    }
    expect(agingBuckets.map((bucket) => ages(bucket).length)).toEqual(agingBuckets.map(() => 1))
    expect(ages('8-14')).toMatchObject([
      {
        lead: '3 assignments are 8 to 30 days overdue',
        detail: '.',
        page: { narrow: { aging: ['8-14', '15-30'] } },
      },
    ])
  })

  test('names a team only when it is far under the whole and large enough', () => {
    const keys = (o: Overview) => attention(o, { format }, 7).map((item) => item.key)
    expect(keys(overview)).toContain('late-team')
    const alike = { ...overview, by_team: overview.by_team.filter((row) => row.id !== 'g-north') }
    expect(keys(alike)).not.toContain('late-team')
  })

  test('speaks of the people of a narrowed page without “your”: a stranger may read it', () => {
    const team = attention(overview, { format, sees: 9 }, 7).find(({ key }) => key === 'late-team')
    expect(team?.detail).toMatch(/^ \(all people here: \d+%\)\.$/)
  })

  test('no team is not said to be late: people without a team are, and their rows are a filter', () => {
    const rate = { ...metrics.on_time_rate, value: 4 / 14, numerator: 4, denominator: 14 }
    const nobody = { ...overview.by_team[0]!, id: '', name: '', on_time_rate: rate, overdue: 10 }
    const named = { ...nobody, id: 'g', name: 'Gamma', on_time_rate: { ...rate, value: 1, numerator: 14 } }
    const late = () =>
      attention({ ...overview, by_team: [nobody] }, { format }, 7).find(({ key }) => key === 'late-team')
    expect(late()).toMatchObject({
      lead: 'People without a team complete 29% on time and have 10 overdue',
      page: { narrow: { without: 'team' } },
    })
    expect(reading(readingOf('de'), () => late()?.lead)).toMatch(
      /^Personen ohne Team schließen 29.* überfällige$/,
    )
    expect(rankingFinding([nobody], 'team', format)).toBe(
      'People without a team completed 29% of 14 on time; no team has enough to compare.',
    )
    expect(rankingFinding([nobody, named], 'team', format)).toBe(
      'Lowest on time: people without a team, 29% of 14. Highest: Gamma, 100% of 14.',
    )
  })

  test('begins with what is below target, and only where there is one, and enough to tell', () => {
    const targets = { completion_rate: 95, on_time_rate: 1, grading_turnaround: 1 }
    const [first, second] = attention(overview, { format, targets }, 7)
    expect([first?.lead, first?.detail]).toEqual([
      'Targets missed',
      `: completion ${format.percent(overview.answer.metrics.completion_rate.value ?? 0)} (target 95%), grading turnaround ${format.duration(overview.answer.metrics.grading_turnaround.p50_ms ?? 0)} (target 24 hours).`,
    ])
    expect(second?.key).toBe('long-overdue')
    const { metrics } = overview.answer
    const few = { ...metrics, completion_rate: { ...metrics.completion_rate, denominator: 9 } }
    const ofFew = { ...overview, answer: { ...overview.answer, metrics: few } }
    expect(attention(ofFew, { format, targets: { completion_rate: 95 } }, 7)[0]?.key).toBe('long-overdue')
  })

  test('says within how many days the work falls due that the page was asked about', () => {
    const lead = (days: number) =>
      attention(overview, { format }, days).find(({ key }) => key === 'due-soon')?.lead
    const { value } = metrics.due_soon
    expect([0, 1, 60].map(lead)).toEqual(
      ['today', 'within 1 day', 'within 60 days'].map((when) => `${value} assignments are due ${when}`),
    )
    expect(reading(readingOf('de'), () => lead(60))).toBe(`${value} Zuweisungen werden in 60 Tagen fällig`)
  })
})

describe('freshness', () => {
  const state = (options: Parameters<typeof overviewFixture>[0]) =>
    freshnessState(overviewFixture(options).freshness, settings, format)
  const minutes = 60_000

  test('quiet is not broken: nothing was sent, and all of it is counted', () => {
    expect(state({ lastEventAgoMs: 180 * minutes })).toEqual({
      level: 'quiet',
      words: 'Complete up to 14:04. 5 webhooks in the last hour.',
    })
  })

  test('turns amber and red by how far the numbers are behind', () => {
    expect(state({ behindMs: 14 * minutes }).level).toBe('fresh')
    expect(state({ behindMs: 16 * minutes }).level).toBe('amber')
    expect(state({ behindMs: 61 * minutes })).toEqual({
      level: 'red',
      words: 'Behind. Complete up to 13:04. 5 webhooks in the last hour.',
    })
  })

  test('knows the empty store', () => {
    expect(state({ lastEventAgoMs: null }).words).toBe('No event yet')
  })
})

test('chips name the filters, and each takes exactly itself away', () => {
  const params = new URLSearchParams(
    'team=g-north&team=g-south&range=90d&challenge=c-002&due_to=2026-11-30&compare=last_month&bogus=1',
  )
  const chips = filterChips(params, overview.options, format)
  expect(chips.map((c) => `${c.label}: ${c.value}`)).toEqual([
    'Challenge: Objection handling: price',
    'Team: Sales North',
    'Team: Sales South',
    'Due to: 30 Nov 2026',
    'Assigned: last 90 days',
  ])
  expect(chips[1]?.rest.getAll('team')).toEqual(['g-south'])
  expect(chips[1]?.rest.get('compare')).toBe('last_month')
})

test('managers and people are named, and how far below a manager goes with the last of them', () => {
  const { options } = overviewFixture()
  const people = [{ id: '7', name: 'Ada Moreno' }]
  const chips = filterChips(
    new URLSearchParams('manager=7&manager_depth=1&user=8'),
    { ...options, people },
    format,
  )
  expect(chips.map((c) => `${c.label}: ${c.value}`)).toEqual([
    'Reports to: Ada Moreno',
    'Levels: direct reports only',
    'Person: 8',
  ])
  expect(chips[0]?.rest.toString()).toBe('user=8')
})

describe('the strip of changes', () => {
  const count = (kind: BriefChangeCount['kind'], n: number, by_team: { id: string; n: number }[] = []) => ({
    kind,
    n,
    by_team,
  })
  const teams = [
    { id: 'a', name: 'Alpha' },
    { id: 'b', name: 'Beta' },
  ]
  const late = count('became_overdue', 10, [
    { id: '', n: 9 },
    { id: 'a', n: 6 },
    { id: 'b', n: 5 },
  ])
  const mostly = (given: string[]) => weekChanges([late], teams, given, format)[0]?.mostly

  test('names the team with most of what became overdue, if it has half of it and can be narrowed to', () => {
    expect(mostly([])).toEqual({ id: 'a', n: 6, words: '6 of them in Alpha' })
    // Somebody in a chosen and in another team: narrowed to the other one, others would be counted.
    expect(mostly(['b', 'c'])?.words).toBe('5 of them in Beta')
    expect(mostly(['b'])).toBeNull()
    const spread = count('became_overdue', 20, [{ id: 'a', n: 9 }])
    expect(weekChanges([spread], teams, [], format)[0]?.mostly).toBeNull()
  })

  test('tells trouble first, and nothing of what did not happen', () => {
    const counts = [count('assigned', 5), count('failed', 0), count('regraded', 4), late]
    expect(weekChanges(counts, teams, [], format).map(({ kind }) => kind)).toEqual([
      'became_overdue',
      'regraded',
      'assigned',
    ])
  })
})

test('since Monday is since the Monday before on a Monday, of which nothing was seen yet', () => {
  const since = (day: string) =>
    new Date(toMonday('Europe/Berlin', Date.parse(`${day}T08:00:00+01:00`))).toISOString()
  expect([since('2026-11-23'), since('2026-11-24'), since('2026-11-29')]).toEqual([
    '2026-11-15T23:00:00.000Z',
    '2026-11-22T23:00:00.000Z',
    '2026-11-22T23:00:00.000Z',
  ])
})
