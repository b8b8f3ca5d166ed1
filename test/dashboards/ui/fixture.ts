/** A believable company as an `Overview`: for tests and screenshots of the pages only. The same options, the same bytes. */
import {
  type Metrics,
  type OnTimeRate,
  type Rate,
  type TrendPeriod,
  agingBuckets,
  effectiveStatuses,
  funnelStages,
} from '../../../schemas/metrics/answer.ts'
import type { Overview, RankingRow } from '../../../reporting/metrics/overview.ts'

const dayMs = 86_400_000
export const fixtureNow = Date.parse('2026-11-20T13:05:00.000Z')

export type FixtureOptions = {
  /** Extra challenges beside the dozen with names. */
  extraChallenges?: number
  compare?: boolean
  sample?: boolean
  /** Number of grades; under ten makes dots. */
  grades?: number
  lastEventAgoMs?: number | null
  behindMs?: number
  /** Nothing matches the filters. */
  nothing?: boolean
}

export function overviewFixture(options: FixtureOptions = {}): Overview {
  const { compare = true, sample = true, lastEventAgoMs = 2 * 60_000, behindMs = 1_000 } = options
  return {
    answer: {
      as_of: new Date(fixtureNow).toISOString(),
      time_zone: 'Europe/Berlin',
      due_zone: 'Europe/Berlin',
      due_end: 'end_of_day',
      period: 'week',
      complete_through: new Date(fixtureNow - behindMs).toISOString(),
      metrics: options.nothing ? emptyMetrics() : metrics(1, options.grades ?? 1107),
    },
    previous: compare
      ? { as_of: new Date(fixtureNow - 28 * dayMs).toISOString(), metrics: metrics(0.9, 940) }
      : null,
    due_cohorts: options.nothing ? [] : dueCohorts(),
    by_challenge: options.nothing ? [] : byChallenge(options.extraChallenges ?? 0),
    by_team: options.nothing ? [] : byTeam(),
    freshness: {
      has_challenge_events: lastEventAgoMs !== null,
      last_event_at: lastEventAgoMs === null ? null : new Date(fixtureNow - lastEventAgoMs).toISOString(),
      complete_through: new Date(fixtureNow - behindMs).toISOString(),
      last_hour: 5,
      failed_today: 3,
      unrecognised_today: 12,
      sample,
    },
    options: {
      challenges: byChallenge(options.extraChallenges ?? 0)
        .filter((row) => row.id !== '')
        .map(({ id, name }) => ({ id, name })),
      teams: byTeam()
        .filter((row) => row.id !== '')
        .map(({ id, name }) => ({ id, name })),
      people: [],
      attributes: [],
    },
  }
}

/** A small generator with a fixed seed: the same numbers on every machine. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

function rate<Reason extends string>(
  numerator: number,
  denominator: number,
  excluded: Record<Reason, number>,
): Rate<Reason> {
  return { value: denominator === 0 ? null : numerator / denominator, numerator, denominator, excluded }
}

function onTime(numerator: number, denominator: number, scale: number): OnTimeRate {
  const n = (value: number) => Math.round(value * scale)
  return rate(numerator, denominator, {
    no_due_date: n(210),
    no_completion_time: n(4),
    failed: n(58),
    awaiting_grading: n(87),
    not_due_yet: n(304),
  })
}

function week(weeksAgo: number): string {
  return new Date(Date.parse('2026-11-16') - weeksAgo * 7 * dayMs).toISOString().slice(0, 10)
}

function trend(scale: number): TrendPeriod[] {
  const next = random(7)
  return Array.from({ length: 12 }, (_, i) => {
    const running = i === 11 ? 0.6 : 1
    const wave = i === 2 || i === 8 ? 1.9 : 1
    return {
      period_start: week(11 - i),
      assigned: Math.round((140 + next() * 40) * wave * running * scale),
      completed: Math.round((104 + i * 3 + next() * 28) * running * scale),
      graded: Math.round((98 + i * 3 + next() * 22) * running * scale),
      became_overdue: Math.round((18 + next() * 14) * running * scale),
      overdue_at_end: i === 11 ? Math.round(123 * scale) : Math.round((92 + i * 2.4 + next() * 22) * scale),
    }
  })
}

function metrics(scale: number, grades: number): Metrics {
  const n = (value: number) => Math.round(value * scale)
  const aging = [38, 24, 29, 17, 9, 6].map(n)
  const overdue = aging.reduce((a, b) => a + b, 0)
  const shape = [4, 6, 11, 19, 36, 71, 148, 261, 328, 223]
  const shapeSum = shape.reduce((a, b) => a + b, 0)
  const histogram = shape.map((share, i) => ({
    from: i * 10,
    to: i * 10 + 10,
    count: Math.round((share / shapeSum) * grades),
  }))
  const graded = histogram.reduce((sum, bin) => sum + bin.count, 0)
  const assigned = n(1893)
  const completed = n(1204)
  const statusCounts = [
    completed,
    n(58),
    n(87),
    overdue,
    n(211),
    assigned - completed - n(58) - n(87) - overdue - n(211),
  ]
  const trendNow = trend(scale)
  return {
    assigned: { value: assigned },
    completion_rate: rate(completed, assigned, {}),
    people_fully_complete: rate(n(96), n(238), {}),
    on_time_rate: onTime(n(874 * (scale < 1 ? 1.04 : 1)), n(1230), scale),
    submitted_on_time_rate: rate(n(1002), n(1324), {
      no_due_date: n(210),
      failed: n(58),
      not_due_yet: n(290),
      unknown: n(11),
    }),
    overdue: { value: overdue },
    overdue_rate: rate(overdue, n(544), { no_due_date: n(61) }),
    aging: agingBuckets.map((bucket, i) => ({ bucket, count: aging[i] ?? 0 })),
    due_soon: { value: n(64) },
    statuses: effectiveStatuses.map((status, i) => ({ status, count: statusCounts[i] ?? 0 })),
    pass_rate: rate(n(1019), n(1107), { awaiting_grading: n(87) }),
    grade: { n: graded, mean: graded === 0 ? null : 76.4, median: graded === 0 ? null : 79, histogram },
    grading_backlog: {
      value: n(87),
      untouched: n(71),
      partially_graded: n(16),
      p50_age_ms: 2.4 * dayMs,
      oldest_age_ms: 19 * dayMs,
    },
    reviewer_overdue: { value: n(22) },
    reviewer_on_time: rate(n(810), n(1011), {
      no_reviewers_due_date: n(160),
      unknown: n(8),
      not_due_yet: n(60),
    }),
    grading_turnaround: {
      p50_ms: 1.82 * dayMs * (scale < 1 ? 0.86 : 1),
      p90_ms: 5.6 * dayMs,
      n: n(1107),
      censored: n(87),
      unknown: n(31),
    },
    time_to_complete: {
      p50_ms: 9.3 * dayMs,
      p90_ms: 27 * dayMs,
      n: completed,
      censored: n(601),
      unknown: n(88),
    },
    funnel: funnelStages.map((stage, i) => ({
      stage,
      count: [assigned, n(1702), n(1548), n(1349), n(1262), n(1019)][i] ?? 0,
    })),
    cohorts: trendNow.map(({ period_start, assigned, completed }) => ({ period_start, assigned, completed })),
    trend: trendNow,
    deadline_moves: {
      value: n(73),
      on_time_by_first: onTime(n(21), n(60), scale),
      on_time_by_current: onTime(n(47), n(58), scale),
    },
    reported_mismatch: { value: n(9) },
  }
}

function emptyMetrics(): Metrics {
  const zero = metrics(0, 0)
  return {
    ...zero,
    grading_backlog: { ...zero.grading_backlog, p50_age_ms: null, oldest_age_ms: null },
    grading_turnaround: { ...zero.grading_turnaround, p50_ms: null, p90_ms: null },
    time_to_complete: { ...zero.time_to_complete, p50_ms: null, p90_ms: null },
  }
}

function dueCohorts(): Overview['due_cohorts'] {
  const next = random(11)
  return Array.from({ length: 14 }, (_, i) => {
    const weeksAgo = 11 - i
    const total = Math.round(88 + next() * 40 + (i === 5 ? 60 : 0))
    const open = weeksAgo > 0 ? Math.round(next() * 9) : Math.round(total * (weeksAgo === 0 ? 0.45 : 0.85))
    const late = weeksAgo < 0 ? 0 : Math.round((total - open) * (0.18 + next() * 0.16))
    return { period_start: week(weeksAgo), on_time: total - open - late, late, open }
  })
}

function row(
  id: string,
  name: string,
  assigned: number,
  decided: number,
  share: number,
  overdue: number,
  awaiting: number,
): RankingRow {
  const inTime = Math.round(decided * share)
  return {
    id,
    name,
    assigned,
    completion_rate: rate(Math.min(assigned, Math.round(assigned * (0.35 + share * 0.4))), assigned, {}),
    on_time_rate: rate(inTime, decided, {
      no_due_date: 0,
      no_completion_time: 0,
      failed: 0,
      awaiting_grading: awaiting,
      not_due_yet: Math.max(0, assigned - decided - awaiting),
    }),
    overdue,
    awaiting_grading: awaiting,
  }
}

function byTeam(): RankingRow[] {
  return [
    row('g-north', 'Sales North', 271, 188, 0.52, 41, 9),
    row('g-south', 'Sales South', 264, 180, 0.68, 22, 14),
    row('g-ent', 'Enterprise Accounts, Germany, Austria and Switzerland', 214, 143, 0.74, 12, 18),
    row('g-csm', 'Customer Success', 302, 214, 0.81, 9, 11),
    row('g-sup', 'Support, second line', 287, 199, 0.77, 15, 16),
    row('g-part', 'Partners', 143, 92, 0.63, 17, 8),
    row('g-onb', 'New joiners, autumn 2026', 96, 41, 0.88, 2, 6),
    row('g-fin', 'Finance & Legal', 172, 131, 0.86, 4, 5),
    row('g-int', 'Interns', 14, 6, 0.5, 1, 0),
    row('', '', 31, 9, 0.44, 3, 0),
  ]
}

const challengeNames = [
  'Discovery call: the first ten minutes',
  'Objection handling: price',
  'Security awareness 2026',
  'Demo of the new reporting module',
  'Writing a follow-up that gets an answer',
  'Escalations: keeping calm on the phone',
  'Contract basics for account managers',
  'GDPR for everybody',
  'Negotiation, part 2: walking away',
  'Product tour in seven minutes',
  'Handing over to Customer Success',
  'Competitor briefing: autumn release',
]

function byChallenge(extra: number): RankingRow[] {
  const next = random(23)
  const named = challengeNames.map((name, i) =>
    row(
      `c-${String(i + 1).padStart(3, '0')}`,
      name,
      90 + Math.round(next() * 160),
      60 + Math.round(next() * 90),
      0.55 + next() * 0.4,
      Math.round(next() * 24),
      Math.round(next() * 15),
    ),
  )
  const more = Array.from({ length: extra }, (_, i) =>
    row(
      `3f9c1d2e-77aa-4b1c-9d10-${String(i).padStart(12, '0')}`,
      `Refresher ${i + 1}: ${challengeNames[i % challengeNames.length]}`,
      40,
      30,
      0.5 + next() * 0.5,
      2,
      1,
    ),
  )
  return [...named, row('c-900', 'Pilot: video introduction', 12, 7, 0.71, 1, 2), ...more]
}
