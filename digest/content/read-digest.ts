/** Reads the content of a digest by the queries of pages, with the audience of its recipient. */
import type { Metrics } from '../../schemas/metrics/answer.ts'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import { toLocalDate } from '../../schemas/metrics/calendar.ts'
import { toSeenNotes, type Notes, type SeenNote } from '../../services/notes/notes.ts'
import { createScope } from '../../reporting/scope/parse-scope.ts'
import { type Change } from '../../reporting/queries/changes.ts'
import type { QueueRow } from '../../reporting/queries/grading.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import type { ChangeKind } from '../../reporting/metrics/changes.ts'

export type DigestQueries = Pick<
  Queries,
  'changes' | 'changeCounts' | 'counts' | 'gradingQueue' | 'isSample' | 'frame'
> & {
  /** All notes on days; who sees which is decided here. */
  readNotes: Notes['read']
}

export type Digest = {
  /** Epoch ms: what changed between these. */
  since: number
  asOf: number
  sample: boolean
  metrics: Pick<Metrics, 'completion_rate' | 'on_time_rate' | 'overdue' | 'due_soon'>
  /** The same at the beginning. */
  before: Pick<Metrics, 'completion_rate' | 'on_time_rate' | 'overdue'>
  /** By kind, in the order of `changeKinds`; kinds with any. */
  changes: { kind: ChangeKind; n: number }[]
  /** At most `mostNamed` of them. */
  newlyLate: { total: number; rows: Change[] }
  waiting: { total: number; rows: QueueRow[] }
  /** On the days from the first to the last, as charts show them to this reader. */
  notes: SeenNote[]
}

/** More lines than this nobody reads in a mail; a link leads to the rest. */
export const mostNamed = 8

export type DigestMoment = {
  since: number
  until?: number
  now: number
  settings: ScopeSettings
}

export async function readDigest(
  queries: DigestQueries,
  { since, now, until = now, settings }: DigestMoment,
): Promise<Digest> {
  // The scope of a page without filters, so that a link leads to the same numbers.
  const scope = { ...createScope(now, settings), asOf: until }
  const before = { ...scope, asOf: since }
  const [counts, past, sample, changed, notes] = await Promise.all([
    queries.counts(scope),
    queries.counts(before),
    queries.isSample(),
    readChanged(queries, before, scope),
    readNotes(queries, since, scope),
  ])
  const { completion_rate, on_time_rate, overdue, due_soon, statuses } = counts
  const waiting = statuses.find(({ status }) => status === 'awaiting_grading')?.count ?? 0
  const queue =
    waiting === 0 ? { rows: [] } : await queries.gradingQueue(scope, { offset: 0, limit: mostNamed })
  return {
    since,
    asOf: scope.asOf,
    sample,
    metrics: { completion_rate, on_time_rate, overdue, due_soon },
    before: {
      completion_rate: past.completion_rate,
      on_time_rate: past.on_time_rate,
      overdue: past.overdue,
    },
    ...changed,
    waiting: { total: waiting, rows: queue.rows },
    notes,
  }
}

async function readNotes(queries: DigestQueries, since: number, scope: Scope): Promise<SeenNote[]> {
  const [first, last] = [since, scope.asOf - 1].map((at) => toLocalDate(scope.timeZone, at)) as [
    string,
    string,
  ]
  const notes = (await queries.readNotes()).filter(({ day }) => first <= day && day <= last)
  const isOfTeams = notes.some(({ team }) => team !== '')
  return toSeenNotes(notes, isOfTeams ? (await queries.frame(scope)).options.teams : [])
}

async function readChanged(
  queries: DigestQueries,
  before: Scope,
  scope: Scope,
): Promise<Pick<Digest, 'changes' | 'newlyLate'>> {
  const { kinds } = await queries.changeCounts(before, scope)
  const changes = kinds.flatMap(({ kind, n }) => (n > 0 && kind !== 'other' ? [{ kind, n }] : []))
  const request = { limit: mostNamed, kinds: ['became_overdue'] as const, withEvents: false }
  const isAnyLate = changes.some(({ kind }) => kind === 'became_overdue')
  const late = isAnyLate ? (await queries.changes(before, scope, request)).changes : []
  return { changes, newlyLate: toNewlyLate(changes, late) }
}

function toNewlyLate(counts: Digest['changes'], late: readonly Change[]): Digest['newlyLate'] {
  const rows = late.toSorted(
    (a, b) => compare(a.user_name ?? '', b.user_name ?? '') || compare(a.assignment_id, b.assignment_id),
  )
  return { total: counts.find(({ kind }) => kind === 'became_overdue')?.n ?? 0, rows }
}

/** Whether there is nothing that somebody would do anything about. */
export function isEmpty({ changes, waiting, metrics }: Digest): boolean {
  return (
    changes.length === 0 && waiting.total === 0 && metrics.overdue.value === 0 && metrics.due_soon.value === 0
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
