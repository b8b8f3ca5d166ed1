/** The Grading page: what awaits a grade, how long grades take, and the backlog through time. As of the moment of a scope. */
import {
  addDays,
  shiftPeriod,
  toPeriodStart,
  toStartOfDay,
  toTrendPeriods,
} from '../../schemas/metrics/calendar.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { readPageMoment } from '../statements/page-frame.ts'
import type { Reader } from '../read/reader.ts'
import { columnsFor } from '../statements/columns-for.ts'
import { countBacklog, countGrading, findQueue, type Queued } from '../columns/grading.ts'
import { waitingAges, type WaitingAge } from '../metrics/grading.ts'
import { readNamesById } from '../statements/people.ts'

export const waitingAgeKeys = Object.keys(waitingAges) as WaitingAge[]

export type ChallengeGrading = Awaited<ReturnType<typeof countGrading>>['by_challenge'][number] & {
  name: string
}

export type Grading = Awaited<ReturnType<typeof readGrading>>

export type QueueRequest = {
  /** Only work that has waited so long. */
  age?: WaitingAge | undefined
  /** Instead of waiting ones: those first graded in the period that begins on this date, where it is known how long it took. */
  graded?: string | undefined
  offset: number
  limit: number
}

export type QueueRow = Queued & { user_name: string; challenge: string }

export async function readGrading(reader: Reader, scope: Scope) {
  const periods = toTrendPeriods(scope) ?? []
  const ends = periods.map((start) => toPeriodEnd(scope, start))
  const [frame, counts, atEnd] = await Promise.all([
    readPageMoment(reader, scope),
    columnsFor(reader, scope, countGrading),
    ends.length === 0
      ? []
      : columnsFor(
          reader,
          scope,
          (memory, inScope) => countBacklog(memory, inScope, ends),
          Math.min(...ends),
        ),
  ])
  const { by_age, byPeriod, by_challenge } = counts
  const nameOf = new Map(frame.options.challenges.map(({ id, name }) => [id, name]))
  return {
    ...frame,
    waiting: by_age.reduce((sum, { count }) => sum + count, 0),
    by_age,
    /**
     * From first seen submitted to first seen graded, of assignments graded in a period. The same as `grading_turnaround` over these: none of
     * them still waits, so p50 is the smallest time after which half were graded.
     */
    turnaround: periods.map((period_start) => {
      const { n = 0, p50_ms = null, p90_ms = null } = byPeriod.get(period_start) ?? {}
      return { period_start, n, p50_ms, p90_ms }
    }),
    /**
     * How many of the assignments in scope at the moment awaited grading at the end of a period (or at the moment, if that is earlier). The same
     * as the trend's `overdue_at_end`, for awaiting grading.
     */
    backlog: periods.map((period_start, index) => ({ period_start, waiting_at_end: atEnd[index]! })),
    by_challenge: by_challenge.map((line) => ({ ...line, name: nameOf.get(line.id) ?? '' })).sort(compare),
  }
}

/** The last millisecond of a period, or the moment if that is earlier. Nothing waited before 1970, and the engine has few instants before it. */
function toPeriodEnd({ period, timeZone, asOf }: Scope, start: string): number {
  return Math.max(0, Math.min(asOf, toStartOfDay(timeZone, shiftPeriod(period, start, 1)) - 1))
}

/** Most waiting first, then the oldest, then by name and id. */
const compare = (a: ChallengeGrading, b: ChallengeGrading): number =>
  b.waiting - a.waiting ||
  (b.oldest_ms ?? 0) - (a.oldest_ms ?? 0) ||
  (a.name || a.id).localeCompare(b.name || b.id, 'en') ||
  (a.id < b.id ? -1 : 1)

export async function readGradingQueue(
  reader: Reader,
  scope: Scope,
  { age, graded, offset, limit }: QueueRequest,
): Promise<{ rows: QueueRow[]; total: number }> {
  const of = graded === undefined ? { age } : toPeriod(scope, graded)
  const { rows, total } = await columnsFor(reader, scope, (memory, inScope) =>
    findQueue(memory, inScope, { offset, limit, of }),
  )
  const users = rows.map(({ user_id }) => user_id)
  const nameOf = await readNamesById(reader, scope, users)
  const named = rows.map((row) => ({
    ...row,
    user_name: nameOf('person', row.user_id),
    challenge: nameOf('challenge', row.challenge_id),
  }))
  return { rows: named, total }
}

function toPeriod({ period }: Scope, date: string) {
  const start = toPeriodStart(period, date)
  return { gradedFrom: start, gradedTo: addDays(shiftPeriod(period, start, 1), -1) }
}
