/** What a digest says, read as the person who gets it: by the queries of pages, and so with her audience. */
import type { Metrics } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { changeKinds, type Change, type ChangeKind } from '../../reporting/queries/changes.ts'
import type { QueueRow } from '../../reporting/queries/grading.ts'
import type { Queries } from '../../reporting/queries/queries.ts'
import { parsePage } from '../url/parse-page.ts'
import type { DashboardSettings } from '../settings.ts'

export type DigestQueries = Pick<Queries, 'changes' | 'changeCounts' | 'metrics' | 'gradingQueue' | 'isSample'>

export type Digest = {
  /** Epoch ms: what changed between these. */
  since: number
  asOf: number
  sample: boolean
  metrics: Pick<Metrics, 'completion_rate' | 'on_time_rate' | 'overdue'>
  /** By kind, in the order of `changeKinds`; kinds with any. */
  changes: { kind: ChangeKind; n: number }[]
  /** At most `mostNamed` of them. */
  newlyLate: { total: number; rows: Change[] }
  waiting: { total: number; oldestMs: number | null; rows: QueueRow[] }
}

/** More lines than this nobody reads in a mail; a link leads to the rest. */
export const mostNamed = 8
/** So many changes are counted here; of more the store counts. */
const mostCounted = 1_000

export async function readDigest(
  queries: DigestQueries,
  { since, now, settings }: { since: number; now: number; settings: DashboardSettings },
): Promise<Digest> {
  // The scope of a page without filters, so that a link leads to the same numbers.
  const { scope } = parsePage(new URLSearchParams(), { now, settings })
  const before = { ...scope, asOf: since }
  const [{ metrics }, sample, changed] = await Promise.all([
    queries.metrics(scope),
    queries.isSample(),
    readChanged(queries, before, scope),
  ])
  const { completion_rate, on_time_rate, overdue, grading_backlog: backlog } = metrics
  const queue =
    backlog.value === 0 ? { rows: [] } : await queries.gradingQueue(scope, { after: null, limit: mostNamed })
  return {
    since,
    asOf: scope.asOf,
    sample,
    metrics: { completion_rate, on_time_rate, overdue },
    ...changed,
    waiting: { total: backlog.value, oldestMs: backlog.oldest_age_ms, rows: queue.rows },
  }
}

async function readChanged(
  queries: DigestQueries,
  before: Scope,
  scope: Scope,
): Promise<Pick<Digest, 'changes' | 'newlyLate'>> {
  const all = await queries.changes(before, scope, { after: '0', limit: mostCounted, withEvents: false })
  const counts =
    all.next === null
      ? changeKinds.map((kind) => ({ kind, n: all.changes.filter(({ kinds }) => kinds.includes(kind)).length }))
      : (await queries.changeCounts(before, scope)).kinds.map(({ kind, n }) => ({ kind, n }))
  const changes = counts.filter(({ kind, n }) => n > 0 && kind !== 'other')
  const total = changes.find(({ kind }) => kind === 'became_overdue')?.n ?? 0
  const isLate = ({ kinds }: Change) => kinds.includes('became_overdue')
  const late =
    all.next === null || total === 0
      ? all.changes.filter(isLate)
      : (
          await queries.changes(before, scope, {
            after: '0',
            limit: mostNamed,
            kinds: ['became_overdue'],
            withEvents: false,
          })
        ).changes
  const rows = late
    .toSorted((a, b) => compare(a.user_name ?? '', b.user_name ?? '') || compare(a.assignment_id, b.assignment_id))
    .slice(0, mostNamed)
  return { changes, newlyLate: { total, rows } }
}

/** Whether there is nothing that somebody would do anything about. */
export function isEmpty({ changes, waiting, metrics }: Digest): boolean {
  return changes.length === 0 && waiting.total === 0 && metrics.overdue.value === 0
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
