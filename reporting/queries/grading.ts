/** The Grading page: what awaits a grade, how long grades take, and the backlog through time. As of the moment of a scope. */
import { z } from 'zod'
import {
  addDays,
  shiftPeriod,
  toLocalDate,
  toPeriodStart,
  toStartOfDay,
  toTrendPeriods,
} from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { AudienceError } from '../audience/audience.ts'
import { readPageMoment, type PageMoment } from './page-frame.ts'
import { selectRows, toDateTime, toScopeParams } from './sql.ts'
import type { Reader } from '../read/reader.ts'

/** Whole days since handed in, both ends inclusive. */
export const waitingAges = {
  '0': [0, 0],
  '1-2': [1, 2],
  '3-6': [3, 6],
  '7-13': [7, 13],
  '14-29': [14, 29],
  '30+': [30, 1_000_000],
} as const
export type WaitingAge = keyof typeof waitingAges
export const waitingAgeKeys = Object.keys(waitingAges) as WaitingAge[]

/** By the reviewers' due date: passed, within `due_soon_days`, later, or none. */
export const reviewStates = ['overdue', 'soon', 'later', 'none'] as const
export type ReviewState = (typeof reviewStates)[number]

/**
 * Of what was first seen graded in a period: how long it took from first seen submitted. As `grading_turnaround`, over just
 * these: nothing among them still waits, so p50 is the smallest time after which half of them were graded.
 */
export type PeriodTurnaround = { period_start: string; n: number; p50_ms: number | null; p90_ms: number | null }

/**
 * Of the assignments in scope at the moment: how many awaited grading at the end of a period (or at the moment, if that is
 * earlier), by the state in force then. As the trend's `overdue_at_end`, with awaiting grading instead of overdue.
 */
export type PeriodBacklog = { period_start: string; waiting_at_end: number }

export type ChallengeGrading = {
  id: string
  name: string
  waiting: number
  oldest_ms: number | null
  /** `grading_turnaround` over the assignments of the challenge. */
  turnaround: { p50_ms: number | null; n: number }
  /** `grade` over the assignments of the challenge. */
  grade: { median: number | null; n: number }
}

export type GradingCounts = {
  waiting: number
  by_age: { age: WaitingAge; count: number }[]
  by_review: { state: ReviewState; count: number }[]
  turnaround: PeriodTurnaround[]
  backlog: PeriodBacklog[]
  by_challenge: ChallengeGrading[]
}

export type Grading = PageMoment & GradingCounts

export type QueueCursor = { submittedAt: string; assignmentId: string }

export type QueueRequest = {
  /** Only what has waited so long. */
  age?: WaitingAge
  review?: ReviewState
  /** Instead of waiting ones: those first graded in the period that begins on this date, where it is known how long it took. */
  graded?: string
  after: QueueCursor | null
  limit: number
}

export type QueueRow = {
  assignment_id: string
  user_id: string
  user_name: string
  challenge_id: string
  challenge: string
  submitted_at: string
  /** Whether `submitted_at` is when it was handed in; else it is when we first heard of it. */
  submission_known: boolean
  graded_at: string | null
  reviewers_due_at: string | null
  review_overdue: boolean
  partly_graded: boolean
}

export type QueuePage = { rows: QueueRow[]; next: QueueCursor | null }

const countSchema = z.object({
  kind: z.enum(['challenge', 'period', 'grade', 'waiting', 'age', 'review']),
  id: z.string(),
  n: z.number(),
  censored: z.number(),
  highest: z.number(),
  median: z.number(),
  p50_ms: z.number().nullable(),
  p90_ms: z.number().nullable(),
})
type Count = z.infer<typeof countSchema>

const backlogSchema = z.object({ position: z.number(), n: z.number() })

export async function readGrading(reader: Reader, scope: Scope): Promise<Grading> {
  if (!reader.audience().persons)
    throw new AudienceError('persons', 'Grading challenge by challenge is not shown to you')
  const periods = toTrendPeriods(scope) ?? []
  const moments = toBacklogMoments(scope).map(toDateTime)
  const params = { ...toScopeParams(scope), period: scope.period }
  const [frame, found, levels] = await Promise.all([
    readPageMoment(reader, scope),
    selectRows(reader, 'grading', params),
    moments.length === 0 ? [] : selectRows(reader, 'grading-backlog', { ...params, moments }),
  ])
  const counts = countSchema.array().parse(found)
  const atEnd = new Map(
    backlogSchema
      .array()
      .parse(levels)
      .map(({ position, n }) => [position, n]),
  )
  const of = (kind: Count['kind']) =>
    new Map(counts.filter((count) => count.kind === kind).map((count) => [count.id, count]))
  const [ages, reviews, byPeriod] = [of('age'), of('review'), of('period')]
  return {
    ...frame,
    waiting: [...ages.values()].reduce((sum, { n }) => sum + n, 0),
    by_age: waitingAgeKeys.map((age) => ({ age, count: ages.get(age)?.n ?? 0 })),
    by_review: reviewStates.map((state) => ({ state, count: reviews.get(state)?.n ?? 0 })),
    turnaround: periods.map((period_start) => {
      const { n = 0, p50_ms = null, p90_ms = null } = byPeriod.get(period_start) ?? {}
      return { period_start, n, p50_ms, p90_ms }
    }),
    backlog: periods.map((period_start, index) => ({ period_start, waiting_at_end: atEnd.get(index + 1) ?? 0 })),
    by_challenge: toChallenges(of('challenge'), of('waiting'), of('grade'), frame.options.challenges),
  }
}

/** The ends of the periods of a trend: the moments of its backlog. */
function toBacklogMoments(scope: Scope): number[] {
  return (toTrendPeriods(scope) ?? []).map((start) => toPeriodEnd(scope, start))
}

/** The last millisecond of a period, or the moment if that is earlier. */
function toPeriodEnd({ period, timeZone, asOf }: Scope, start: string): number {
  return Math.min(asOf, toStartOfDay(timeZone, shiftPeriod(period, start, 1)) - 1)
}

type CountsById = ReadonlyMap<string, Count>

/** Most waiting first, then the oldest, then by name. */
function toChallenges(
  waits: CountsById,
  waiting: CountsById,
  grades: CountsById,
  names: readonly { id: string; name: string }[],
) {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  return [...new Set([...waits.keys(), ...waiting.keys(), ...grades.keys()])]
    .map((id): ChallengeGrading => {
      const wait = waits.get(id)
      const grade = grades.get(id)
      return {
        id,
        name: nameOf.get(id) ?? '',
        waiting: waiting.get(id)?.n ?? 0,
        oldest_ms: waiting.get(id)?.highest ?? null,
        turnaround: { p50_ms: wait?.p50_ms ?? null, n: (wait?.n ?? 0) - (wait?.censored ?? 0) },
        grade: { median: grade?.median ?? null, n: grade?.n ?? 0 },
      }
    })
    .sort(
      (a, b) =>
        b.waiting - a.waiting ||
        (b.oldest_ms ?? 0) - (a.oldest_ms ?? 0) ||
        (a.name || a.id).localeCompare(b.name || b.id, 'en'),
    )
}

const queueSchema = z.object({
  assignment_id: z.string(),
  user_id: z.string(),
  user_name: z.string(),
  challenge_id: z.string(),
  challenge: z.string(),
  submitted_at: z.number(),
  graded_at: z.number(),
  reviewers_due_at: z.number(),
  is_review_overdue: z.coerce.boolean(),
  is_partly_graded: z.coerce.boolean(),
  is_submission_known: z.coerce.boolean(),
})

export async function readGradingQueue(reader: Reader, scope: Scope, request: QueueRequest): Promise<QueuePage> {
  if (!reader.audience().persons) throw new AudienceError('persons', 'Single assignments are not shown to you')
  const { age, review, graded, after, limit } = request
  const [fromDays, toDays] = age === undefined ? [0, 4_000_000_000] : waitingAges[age]
  const isDated = graded === undefined && (review === 'soon' || review === 'later')
  const flags = {
    graded: graded !== undefined,
    overdue: graded === undefined && review === 'overdue',
    undated: graded === undefined && review === 'none',
    dated: isDated,
    by_person: false,
  }
  const start = toPeriodStart(scope.period, graded ?? toLocalDate(scope.timeZone, scope.asOf))
  const found = await selectRows(
    reader,
    'grading-queue',
    {
      ...toScopeParams(scope),
      after_submitted_at: after === null ? '1970-01-01 00:00:00.000' : toDateTime(Date.parse(after.submittedAt)),
      after_assignment_id: after?.assignmentId ?? '',
      // One more row than asked for shows whether there is a next page.
      limit: limit + 1,
      from_days: fromDays,
      to_days: toDays,
      is_soon: review === 'soon',
      graded_from: start,
      graded_to: addDays(shiftPeriod(scope.period, start, 1), -1),
    },
    flags,
  )
  const rows = queueSchema.array().parse(found).map(toQueueRow)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit),
    next: last === undefined ? null : { submittedAt: last.submitted_at, assignmentId: last.assignment_id },
  }
}

/** What awaits a grade of each person, at most `each` of one, in the order of the queue. */
export async function readFirstWaiting(reader: Reader, scope: Scope, each: number): Promise<QueueRow[]> {
  const today = toLocalDate(scope.timeZone, scope.asOf)
  const params = {
    ...toScopeParams(scope),
    after_submitted_at: toDateTime(0),
    after_assignment_id: '',
    limit: each,
    from_days: 0,
    to_days: 4_000_000_000,
    is_soon: false,
    graded_from: today,
    graded_to: today,
  }
  const flags = { graded: false, overdue: false, undated: false, dated: false, by_person: true }
  return queueSchema
    .array()
    .parse(await selectRows(reader, 'grading-queue', params, flags))
    .map(toQueueRow)
}

function toQueueRow(row: z.infer<typeof queueSchema>): QueueRow {
  const {
    submitted_at,
    graded_at,
    reviewers_due_at,
    is_review_overdue,
    is_partly_graded,
    is_submission_known,
    ...rest
  } = row
  return {
    ...rest,
    submitted_at: new Date(submitted_at).toISOString(),
    submission_known: is_submission_known,
    graded_at: toInstant(graded_at),
    reviewers_due_at: toInstant(reviewers_due_at),
    review_overdue: is_review_overdue,
    partly_graded: is_partly_graded,
  }
}

function toInstant(epochMs: number): string | null {
  return epochMs === 0 ? null : new Date(epochMs).toISOString()
}
