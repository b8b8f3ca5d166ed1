/** The Grading page: what awaits a grade, how long grades take, and the backlog through time. As of the moment of a scope. */
import { toInstant, toInstantOrNull } from '../../schemas/instant.ts'
import {
  addDays,
  shiftPeriod,
  toPeriodStart,
  toStartOfDay,
  toTrendPeriods,
} from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { readPageMoment, type PageMoment } from '../statements/page-frame.ts'
import type { Reader } from '../read/reader.ts'
import { columnsFor } from '../statements/columns-for.ts'
import { countBacklog, countGrading, findQueue } from '../columns/grading.ts'
import type { Memory } from '../columns/memory.ts'
import type { InScope } from '../columns/select.ts'
import {
  reviewStates,
  waitingAges,
  type GradingCount,
  type Queued,
  type QueueArgs,
  type ReviewState,
  type WaitingAge,
} from '../metrics/grading.ts'
import { readNamesById } from '../statements/people.ts'

export const waitingAgeKeys = Object.keys(waitingAges) as WaitingAge[]

/**
 * How long grading took, from first seen submitted to first seen graded, of assignments graded in a period. The same as
 * `grading_turnaround` over these: none of them still waits, so p50 is the smallest time after which half were graded.
 */
type PeriodTurnaround = { period_start: string; n: number; p50_ms: number | null; p90_ms: number | null }

/**
 * How many assignments, of those in scope at the moment, awaited grading at the end of a period (or at the moment, if that is
 * earlier), by the state in force then. The same as the trend's `overdue_at_end`, for awaiting grading.
 */
type PeriodBacklog = { period_start: string; waiting_at_end: number }

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

type GradingCounts = {
  waiting: number
  by_age: { age: WaitingAge; count: number }[]
  by_review: { state: ReviewState; count: number }[]
  turnaround: PeriodTurnaround[]
  backlog: PeriodBacklog[]
  by_challenge: ChallengeGrading[]
}

export type Grading = PageMoment & GradingCounts

export type QueueRequest = {
  /** Only work that has waited so long. */
  age?: WaitingAge | undefined
  review?: ReviewState | undefined
  /** Instead of waiting ones: those first graded in the period that begins on this date, where it is known how long it took. */
  graded?: string | undefined
  offset: number
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

type QueuePage = { rows: QueueRow[]; total: number }

export async function readGrading(reader: Reader, scope: Scope): Promise<Grading> {
  const periods = toTrendPeriods(scope) ?? []
  const moments = toBacklogMoments(scope)
  const [frame, counts, atEnd] = await Promise.all([
    readPageMoment(reader, scope),
    columnsFor(reader, scope, countGrading),
    moments.length === 0 ? new Map<number, number>() : readBacklog(reader, scope, moments),
  ])
  const of = (kind: GradingCount['kind']) =>
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
    backlog: periods.map((period_start, index) => ({
      period_start,
      waiting_at_end: atEnd.get(index + 1) ?? 0,
    })),
    by_challenge: toChallenges(of('challenge'), of('waiting'), of('grade'), frame.options.challenges),
  }
}

/** By place of the moment, from 1 on. */
function readBacklog(reader: Reader, scope: Scope, moments: readonly number[]): Promise<Map<number, number>> {
  const count = (memory: Memory, inScope: InScope) => countBacklog(memory, inScope, moments)
  return columnsFor(reader, scope, count, Math.min(...moments))
}

/** The ends of the periods of a trend: the moments of its backlog. */
function toBacklogMoments(scope: Scope): number[] {
  return (toTrendPeriods(scope) ?? []).map((start) => toPeriodEnd(scope, start))
}

/** The last millisecond of a period, or the moment if that is earlier. Nothing waited before 1970, and the engine has few instants before it. */
function toPeriodEnd({ period, timeZone, asOf }: Scope, start: string): number {
  return Math.max(0, Math.min(asOf, toStartOfDay(timeZone, shiftPeriod(period, start, 1)) - 1))
}

type CountsById = ReadonlyMap<string, GradingCount>

/** Most waiting first, then the oldest, then by name and id. */
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
        (a.name || a.id).localeCompare(b.name || b.id, 'en') ||
        (a.id < b.id ? -1 : 1),
    )
}

export async function readGradingQueue(
  reader: Reader,
  scope: Scope,
  request: QueueRequest,
): Promise<QueuePage> {
  const { age, review, graded, offset, limit } = request
  const of = graded === undefined ? { age, review } : toPeriod(scope, graded)
  const list: QueueArgs = { offset, limit, of }
  const { rows, total } = await columnsFor(reader, scope, (memory, inScope) =>
    findQueue(memory, inScope, list),
  )
  const nameOf = await readNamesById(
    reader,
    scope,
    rows.map(({ user_id }) => user_id),
  )
  const named = rows.map((row) => ({
    ...toQueueRow(row),
    user_name: nameOf('person', row.user_id),
    challenge: nameOf('challenge', row.challenge_id),
  }))
  return { rows: named, total }
}

function toPeriod({ period }: Scope, date: string) {
  const start = toPeriodStart(period, date)
  return { gradedFrom: start, gradedTo: addDays(shiftPeriod(period, start, 1), -1) }
}

function toQueueRow(row: Queued): Omit<QueueRow, 'user_name' | 'challenge'> {
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
    submitted_at: toInstant(submitted_at),
    submission_known: is_submission_known,
    graded_at: toInstantOrNull(graded_at),
    reviewers_due_at: toInstantOrNull(reviewers_due_at),
    review_overdue: is_review_overdue,
    partly_graded: is_partly_graded,
  }
}
