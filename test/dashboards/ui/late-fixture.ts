/** The overdue and the waiting work of the fixture's company: for tests and screenshots of the pages only. */
import { agingBuckets } from '../../../schemas/metrics/answer.ts'
import type { Queries } from '../../../reporting/queries/queries.ts'
import type { LateGroup, LatePerson, Overdue } from '../../../reporting/statements/overdue.ts'
import { waitingAgeKeys, type Grading, type QueueRow } from '../../../reporting/queries/grading.ts'
import { reviewStates } from '../../../reporting/metrics/grading.ts'
import type { PageMoment } from '../../../reporting/statements/page-frame.ts'
import { fixtureNow, overviewFixture, type FixtureOptions } from './fixture.ts'

const dayMs = 86_400_000
const challenges = [
  'Discovery call: the first ten minutes',
  'Objection handling: price',
  'GDPR for everybody',
]
const managers = [
  'Ann Lee',
  'Bożena Wiśniewska-Kowalczyk',
  'Cem Öztürk',
  'Maximiliane von Hohenstein-Falkenberg',
  '',
]
const names = [
  'Ada Moreno',
  'Ben Ito',
  'Chloé Dupont',
  'Dmitri Volkov',
  'Edda Jónsdóttir',
  'Fatima al-Zahra',
  'Gwen',
]

function frame(options: FixtureOptions): PageMoment {
  const { freshness, options: names, answer } = overviewFixture(options)
  return { freshness, options: names, answer }
}

function people(count: number): LatePerson[] {
  return Array.from({ length: count }, (_, i) => {
    const mostDays = Math.max(1, 120 - i * 4)
    const overdue = 1 + (i % 3)
    const bucket = [7, 14, 30, 60, 90].filter((end) => mostDays > end).length
    return {
      user_id: `u-${i}`,
      name: `${names[i % names.length]}${i < names.length ? '' : ` ${i}`}`,
      // Every tenth has none, and one is not an address but an attempt to name other recipients.
      email: i % 10 === 9 ? '' : i === 3 ? 'x@a.example?cc=all@example.com' : `person.${i}@sales.example.com`,
      teams: ['g-north'],
      managers: i % 5 === 4 ? [] : [`m-${i % 5}`],
      overdue,
      most_days: mostDays,
      buckets: agingBuckets.map((_bucket, index) => (index === bucket ? overdue : 0)),
    }
  })
}

function groups(late: readonly LatePerson[]): LateGroup[] {
  return [...Map.groupBy(late, ({ managers: [id = ''] }) => id)].map(([id, own]) => ({
    id,
    name: id === '' ? '' : (managers[Number(id.slice(2))] ?? ''),
    overdue: own.reduce((sum, { overdue }) => sum + overdue, 0),
    most_days: Math.max(...own.map(({ most_days }) => most_days)),
    people: own,
  }))
}

function overdueFixture(options: FixtureOptions): Overdue {
  const late = people(options.nothing ? 0 : options.extraChallenges ? 3_000 : 43)
  const overdue = late.reduce((sum, person) => sum + person.overdue, 0)
  return {
    ...frame(options),
    overdue,
    open_with_due_date: options.nothing ? 0 : overdue * 5,
    aging: agingBuckets.map((bucket, index) => ({
      bucket,
      count: late.reduce((sum, { buckets }) => sum + (buckets[index] ?? 0), 0),
    })),
    people: late,
    by_manager: groups(late),
    due_days: Array.from({ length: 14 }, (_, i) => {
      const [handed_in, open, failed] = options.nothing
        ? [0, 0, 0]
        : [(i * 7) % 5, (i * 11) % 9, i === 3 ? 1 : 0]
      const day = new Date(Date.parse('2026-11-20') + i * dayMs).toISOString().slice(0, 10)
      return { day, due: handed_in + open + failed, handed_in, failed, open }
    }),
  }
}

function queueRow(i: number): QueueRow {
  return {
    assignment_id: `a-${i}`,
    user_id: i === 5 ? '' : `u-${i}`,
    user_name: i === 5 ? '' : (names[i % names.length] ?? ''),
    challenge_id: `c-00${(i % 3) + 1}`,
    challenge: challenges[i % 3] ?? '',
    submitted_at: new Date(fixtureNow - (40 - i) * dayMs).toISOString(),
    submission_known: i !== 2,
    graded_at: null,
    reviewers_due_at: i % 3 === 0 ? null : new Date(fixtureNow - (10 - i) * dayMs).toISOString(),
    review_overdue: i % 3 !== 0 && i < 10,
    partly_graded: i === 4,
  }
}

function gradingFixture(options: FixtureOptions): Grading {
  const n = (value: number) => (options.nothing ? 0 : value)
  const trend = overviewFixture(options).answer.metrics.trend
  const few = (options.grades ?? 100) < 10
  return {
    ...frame(options),
    waiting: n(87),
    by_age: waitingAgeKeys.map((age, i) => ({ age, count: n([12, 31, 22, 14, 6, 2][i] ?? 0) })),
    by_review: reviewStates.map((state, i) => ({ state, count: n([22, 31, 20, 14][i] ?? 0) })),
    turnaround: trend.map(({ period_start }, i) => ({
      period_start,
      n: n(few || i === 4 ? 3 : 20 + i),
      p50_ms: options.nothing ? null : (1.2 + (i % 4) * 0.4) * dayMs,
      p90_ms: options.nothing ? null : (4.1 + (i % 5) * 0.9) * dayMs,
    })),
    backlog: trend.map(({ period_start }, i) => ({ period_start, waiting_at_end: n(60 + ((i * 17) % 40)) })),
    by_challenge: options.nothing
      ? []
      : Array.from({ length: options.extraChallenges ?? 14 }, (_, i) => ({
          id: `c-${i}`,
          name: `${challenges[i % 3]} ${i}`,
          waiting: Math.max(0, 20 - i),
          oldest_ms: i < 20 ? (19 - i / 2) * dayMs : null,
          turnaround: { p50_ms: i === 3 ? null : (1 + i / 5) * dayMs, n: i === 3 ? 0 : 4 + i * 3 },
          grade: { median: i === 3 ? null : 71.5, n: i === 3 ? 0 : 4 + i * 3 },
        })),
  }
}

export function lateFixture(options: FixtureOptions) {
  return {
    overdue: async () => overdueFixture(options),
    lateAssignments: async (_scope, users) =>
      users.map((user_id, i) => ({
        assignment_id: `a-${i}`,
        user_id,
        challenge_id: 'c-001',
        challenge: challenges[i % 3] ?? '',
        due_day: '2026-10-20',
        days_overdue: 31,
        viewed: i % 2 === 0,
      })),
    grading: async () => gradingFixture(options),
    gradingQueue: async (_scope, { offset, limit, graded }) => ({
      rows: options.nothing
        ? []
        : Array.from({ length: Math.min(limit, 87 - offset) }, (_, i) => ({
            ...queueRow(i),
            ...(graded !== undefined && { graded_at: new Date(fixtureNow - 2 * dayMs).toISOString() }),
          })),
      total: options.nothing ? 0 : 87,
    }),
    under: async () => null,
    daysToComplete: async () => Array.from({ length: 60 }, (_, days) => ({ days, n: 3 })),
  } satisfies Partial<Queries>
}
