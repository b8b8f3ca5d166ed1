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

/** Readers skip longer lists; a link leads to the rest. */
export const mostNamed = 8

export type DigestMoment = { since: number; until: number; now: number; settings: ScopeSettings }

export async function readDigest(
  queries: DigestQueries,
  { since, now, until, settings }: DigestMoment,
): Promise<Digest> {
  // The scope of a page without filters, so that a link leads to the same numbers.
  const scope = { ...createScope(now, settings), asOf: until }
  const before = { ...scope, asOf: since }
  const [metrics, past, sample, { kinds }, notes] = await Promise.all([
    queries.counts(scope),
    queries.counts(before),
    queries.isSample(),
    queries.changeCounts(before, scope),
    readNotes(queries, since, scope),
  ])
  const changes = kinds.filter(({ kind, n }) => n > 0 && kind !== 'other')
  const overdue = kinds.find(({ kind }) => kind === 'became_overdue')?.n ?? 0
  const waiting = metrics.statuses.find(({ status }) => status === 'awaiting_grading')?.count ?? 0
  const request = { limit: mostNamed, kinds: ['became_overdue'] as const, withEvents: false }
  const late = overdue === 0 ? [] : (await queries.changes(before, scope, request)).changes
  const queued =
    waiting === 0 ? [] : (await queries.gradingQueue(scope, { offset: 0, limit: mostNamed })).rows
  return {
    since,
    asOf: until,
    sample,
    metrics,
    before: past,
    changes,
    newlyLate: { total: overdue, rows: late.toSorted(byPerson) },
    waiting: { total: waiting, rows: queued },
    notes,
  }
}

async function readNotes(queries: DigestQueries, since: number, scope: Scope): Promise<SeenNote[]> {
  const toDate = (at: number) => toLocalDate(scope.timeZone, at)
  const [first, last] = [toDate(since), toDate(scope.asOf - 1)]
  const notes = (await queries.readNotes()).filter(({ day }) => first <= day && day <= last)
  const isOfTeams = notes.some(({ team }) => team !== '')
  return toSeenNotes(notes, isOfTeams ? (await queries.frame(scope)).options.teams : [])
}

/** Whether there is nothing that anyone would act on. */
export function isEmpty({ changes, waiting, metrics }: Digest): boolean {
  return (
    changes.length === 0 && waiting.total === 0 && metrics.overdue.value === 0 && metrics.due_soon.value === 0
  )
}

function byPerson(a: Change, b: Change): number {
  const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  return compare(a.user_name ?? '', b.user_name ?? '') || compare(a.assignment_id, b.assignment_id)
}
