/** The questions that pages and the API ask the store. */
import type { ClickHouseClient } from '@clickhouse/client'
import { toAssignmentKey } from '../../schemas/webhook/assignment-key.ts'
import { z } from 'zod'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Option, Overview } from '../metrics/overview.ts'
import { storedAssignmentSchema, toAssignmentRow, type AssignmentRow } from './assignment-row.ts'
import { readGuides, type GuidesAnswer } from './guides.ts'
import { assignmentEventSchema, type AssignmentEvent } from './assignment-events.ts'
import { readChanges, type ChangePage } from './changes.ts'
import { readPreview, type Preview } from './preview.ts'
import type { WaitCounts } from '../forecast/forecast.ts'
import { readWaits } from './waits.ts'
import { createBlockReader, type BlockReader, type BlockRequest } from '../metrics/block-reader.ts'
import { readUnder, selectRows, streamRows, toDateTime, toScopeParams } from './sql.ts'
import { toMetricsAnswer } from '../metrics/to-answer.ts'
import { toDueCohorts, toFreshness, toOptions, toRanking, toTeamRows } from '../metrics/to-overview.ts'

/** The row after which a page begins. */
export type RowCursor = { createdAt: string; assignmentId: string }

export type RowRequest = {
  after: RowCursor | null
  limit: number
  withTotal: boolean
  /** Only assignments whose facts are one of these, as `facts` gives them. Default: all. */
  onlyFacts?: readonly string[]
  /** Only the assignment with this id. Default: all. */
  onlyAssignment?: string
}

/** Facts as bits, and how many assignments have them. */
export type StoredFacts = { bits: string; count: number }

export type RowPage = {
  rows: AssignmentRow[]
  /** All rows of the scope; `null` where it was not asked for. */
  total: number | null
  /** Where the next page begins, `null` after the last one. */
  next: RowCursor | null
}

export type Queries = {
  /** One statement, one snapshot. */
  metrics(scope: Scope): Promise<MetricsAnswer>
  /** One statement, and one more for the scope to compare with. */
  overview(scope: Scope, previous: Scope | null): Promise<Overview>
  /** How many assignments have each combination of facts, and an answer of `metrics` from the same snapshot. */
  facts(scope: Scope): Promise<{ facts: StoredFacts[]; answer: MetricsAnswer }>
  /** Ids of the people under the managers of a scope; `null` where it names none. */
  under(scope: Scope): Promise<string[] | null>
  /** Assignments that differ in scope or facts between two moments of one scope, and why. */
  changes(before: Scope, scope: Scope, page: { after: string; limit: number }): Promise<ChangePage>
  /** What would differ under another due zone and due end. */
  preview(scope: Scope, other: Pick<Scope, 'dueZone' | 'dueEnd'>): Promise<Preview>
  /** How long the assignments of a scope took or have been open, by days. */
  waits(scope: Scope): Promise<WaitCounts>
  /** The events of one assignment up to an instant, in event order; empty where it is not known then. */
  assignmentEvents(assignmentId: string, asOf: number): Promise<AssignmentEvent[]>
  /** Newest first by `created_at`, then by id. */
  assignments(scope: Scope, page: RowRequest): Promise<RowPage>
  /**
   * All rows of a scope in the same order, of one moment, streamed: memory is bounded, and a caller that stops early
   * stops the query. Iterate to the end or return the iterator.
   */
  allAssignments(scope: Scope): Promise<AsyncIterable<AssignmentRow[]>>
  /** Guides as of now; `guide`: only these, empty = all. */
  guides(scope: Scope, guide: readonly string[]): Promise<GuidesAnswer>
  /** Whether the data comes from the stand-in platform. */
  isSample(): Promise<boolean>
}

export type QueriesOptions = {
  /** Reads what is too large to hold. Default: the client itself; over HTTP any can. */
  streamer?: ClickHouseClient | undefined
  /** Where the numbers come from. Default: from the store at every question. */
  readBlocks?: BlockReader
}

export function createQueries(client: ClickHouseClient, options: QueriesOptions = {}): Queries {
  const { streamer = client, readBlocks = createBlockReader(client) } = options

  async function assignments(
    scope: Scope,
    { after, limit, withTotal, onlyFacts, onlyAssignment = '' }: RowRequest,
  ): Promise<RowPage> {
    if (onlyFacts?.length === 0) return { rows: [], total: 0, next: null }
    const found = await selectRows(client, 'assignments', {
      ...toScopeParams(scope),
      only_facts: (onlyFacts ?? []).map(BigInt),
      only_assignment: onlyAssignment,
      after_created_at: after === null ? '2299-01-01 00:00:00.000' : toDateTime(Date.parse(after.createdAt)),
      after_assignment_id: after?.assignmentId ?? '',
      // One more row than asked for shows whether there is a next page.
      limit: limit + 1,
      with_total: withTotal,
    })
    const stored = storedAssignmentSchema.array().parse(found)
    const rows = stored.slice(0, limit).map(toAssignmentRow)
    const last = rows.at(-1)
    const hasMore = stored.length > limit && last !== undefined
    return {
      rows,
      total: withTotal ? (stored[0]?.total ?? (after === null ? 0 : null)) : null,
      next: hasMore ? { createdAt: last.created_at, assignmentId: last.assignment_id } : null,
    }
  }

  return {
    async metrics(scope) {
      const reading = await readBlocks({ scope, detail: 'metrics' })
      return toMetricsAnswer(reading.blocks, reading.scope)
    },

    changes: (before, scope, page) => readChanges(client, before, scope, page),

    preview: (scope, other) => readPreview(client, scope, other),

    waits: (scope) => readWaits(client, scope),

    async assignmentEvents(assignmentId, asOf) {
      const found = await selectRows(client, 'assignment-events', {
        akey: toAssignmentKey(assignmentId),
        assignment_id: assignmentId,
        as_of: toDateTime(asOf),
      })
      return assignmentEventSchema.array().parse(found)
    },

    async under(scope) {
      return scope.manager.length === 0 ? null : readUnder(client, scope)
    },

    async facts(scope) {
      const { blocks, scope: answered } = await readBlocks({ scope, detail: 'metrics' })
      return {
        facts: blocks.facts.map(([bits, count]) => ({ bits, count })),
        answer: toMetricsAnswer(blocks, answered),
      }
    },

    async overview(scope, previous) {
      const [{ blocks, scope: answered }, before, people] = await Promise.all([
        readBlocks({ scope, detail: 'overview' }),
        previous === null ? null : readBlocks(toPreviousRequest(scope, previous)),
        readPeopleNames(client, scope),
      ])
      return {
        answer: toMetricsAnswer(blocks, answered),
        previous: before === null ? null : toPrevious(toMetricsAnswer(before.blocks, before.scope)),
        due_cohorts: toDueCohorts(blocks.due_days),
        by_challenge: toRanking(blocks.challenges, 'challenge', blocks.names),
        by_team: toRanking(toTeamRows(blocks.team_sets), 'team', blocks.names),
        freshness: toFreshness(blocks),
        options: {
          challenges: toOptions(blocks.names, 'challenge'),
          teams: toOptions(blocks.names, 'team'),
          people,
        },
      }
    },

    assignments,

    async allAssignments(scope) {
      return toRows(await streamRows(streamer, 'all-assignments', toScopeParams(scope)))
    },

    guides: (scope, guide) => readGuides(client, scope, guide),

    async isSample() {
      const rows = await selectRows(client, 'sample', {})
      return rows.length > 0
    },
  }
}

const namesSchema = z.array(z.object({ id: z.string(), name: z.string() }))

/** Names of the people in a scope's filters; without such filters it asks nothing. */
async function readPeopleNames(client: ClickHouseClient, { manager, user, asOf, now }: Scope): Promise<Option[]> {
  const users = [...manager, ...user]
  if (users.length === 0) return []
  const rows = await selectRows(client, 'people-names', { users, as_of: toDateTime(asOf), now: toDateTime(now) })
  return namesSchema.parse(rows)
}

async function* toRows(stored: AsyncIterable<unknown[]>): AsyncGenerator<AssignmentRow[]> {
  for await (const rows of stored) yield storedAssignmentSchema.array().parse(rows).map(toAssignmentRow)
}

/** What is compared with now goes with the clock, too. */
function toPreviousRequest(scope: Scope, previous: Scope): BlockRequest {
  const isOfNow = scope.asOf === scope.now
  return { scope: previous, detail: 'metrics', ...(isOfNow && { beforeNowMs: scope.asOf - previous.asOf }) }
}

function toPrevious({ as_of, metrics }: MetricsAnswer): Overview['previous'] {
  return { as_of, metrics }
}
