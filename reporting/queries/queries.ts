/** The questions that pages and the API ask the store. */
import type { Scope } from '../../schemas/metrics/scope.ts'
import type { Overview } from '../metrics/overview.ts'
import { readGrading, readGradingQueue } from './grading.ts'
import { readGuideRows } from '../statements/guides.ts'
import { readGuides } from './guides.ts'
import { readAssignmentEvents } from './assignment-events.ts'
import { countByPerson } from '../columns/learners.ts'
import { readLearners, readPerson } from '../statements/learners.ts'
import { readLateAssignments, readOverdue } from '../statements/overdue.ts'
import { readFrame } from '../statements/page-frame.ts'
import { readChangeCounts, readChanges } from './changes.ts'
import { readGroups, readManagers } from '../statements/groups.ts'
import { readSearch } from '../statements/search.ts'
import { readFailedEvents } from './failed.ts'
import { readReceipt, type FindWaiting } from './receipt.ts'
import { findDaysToComplete } from '../columns/days-to-complete.ts'
import { columnsFor } from '../statements/columns-for.ts'
import { findOddZones } from './zones.ts'
import { createBlockReader, type BlockReader, type BlockRequest } from '../statements/read-blocks.ts'
import { readRowPage, streamAllRows } from '../statements/rows.ts'
import { readUnder } from '../statements/reporting-lines.ts'
import { readCompleteThrough, readIsSample, readLastStoredAt } from '../statements/standing.ts'
import { toCounts, toMetricsAnswer } from '../metrics/to-metrics.ts'
import { toDueCohorts, toRanking } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'

/** Who asks, and the ways to answers that a process may have. */
type Asking = Reader & {
  /** Where the numbers come from. Default: from the store at every question. */
  readBlocks?: BlockReader
  /** Looks for a delivery in the event log. Default: that is not known here. */
  findWaiting?: FindWaiting | undefined
}

const blocksFor = (asking: Asking, request: BlockRequest) =>
  (asking.readBlocks ?? createBlockReader(asking))(request)

/** How many assignments have each combination of facts, and an answer of `metrics` from the same snapshot. */
async function readFacts(asking: Asking, scope: Scope) {
  const { blocks, scope: answered } = await blocksFor(asking, { scope, detail: 'metrics' })
  return { facts: blocks.facts, answer: toMetricsAnswer(blocks, answered) }
}

/** With the numbers of another scope to compare with. */
async function readOverview(asking: Asking, scope: Scope, previous: Scope | null): Promise<Overview> {
  const [{ blocks, scope: answered }, before, frame] = await Promise.all([
    blocksFor(asking, { scope, detail: 'overview' }),
    previous === null ? null : blocksFor(asking, toPreviousRequest(scope, previous)),
    readFrame(asking, scope),
  ])
  return {
    ...frame,
    answer: toMetricsAnswer(blocks, answered),
    previous: before === null ? null : toMetricsAnswer(before.blocks, before.scope),
    due_cohorts: toDueCohorts(blocks.due_weeks),
    by_challenge: toRanking(blocks.challenges, frame.options.challenges),
    by_team: toRanking(blocks.team_sets, frame.options.teams),
  }
}

/** Questions that are answered as their functions say. */
const readers = {
  /** Iterate to the end or return the iterator. */
  allAssignments: streamAllRows,
  assignmentEvents: readAssignmentEvents,
  assignments: readRowPage,
  changeCounts: readChangeCounts,
  changes: readChanges,
  completeThrough: readCompleteThrough,
  /** Those of the metrics that are counts and rates, sooner. */
  async counts(asking: Asking, scope: Scope) {
    const { blocks, scope: answered } = await blocksFor(asking, { scope, detail: 'counts' })
    return toCounts(blocks, answered)
  },
  daysToComplete: (reader: Reader, scope: Scope) => columnsFor(reader, scope, findDaysToComplete),
  failedEvents: readFailedEvents,
  facts: readFacts,
  frame: readFrame,
  grading: readGrading,
  gradingQueue: readGradingQueue,
  groups: readGroups,
  guideRows: readGuideRows,
  guides: readGuides,
  isSample: readIsSample,
  lastStoredAt: readLastStoredAt,
  lateAssignments: readLateAssignments,
  learnerCounts: (reader: Reader, scope: Scope) => columnsFor(reader, scope, countByPerson),
  learners: readLearners,
  managers: readManagers,
  metrics: async (asking: Asking, scope: Scope) => (await readFacts(asking, scope)).answer,
  oddZones: findOddZones,
  overdue: readOverdue,
  overview: readOverview,
  person: readPerson,
  /** Where the delivery with a receipt is now. */
  receipt: (asking: Asking, id: string) => readReceipt(asking, id, asking.findWaiting),
  search: readSearch,
  /** Ids of the people to whom its managers or the reader narrow a scope; `null`: it is not narrowed. */
  under: (reader: Reader, scope: Scope) =>
    scope.manager.length === 0 ? reader.seenIds() : readUnder(reader, scope),
}
type Ask<Read> = Read extends (asking: Asking, ...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : never
export type Queries = { [Name in keyof typeof readers]: Ask<(typeof readers)[Name]> }

export function createQueries(reader: Reader, options: Omit<Asking, keyof Reader> = {}): Queries {
  const asking: Asking = { ...reader, ...options }
  const bound = Object.entries(readers).map(([name, read]) => [
    name,
    (...args: unknown[]) => (read as (asking: Asking, ...args: unknown[]) => unknown)(asking, ...args),
  ])
  return Object.fromEntries(bound) as Queries
}

/** Earlier numbers that are compared with those of now go with the clock, too. */
function toPreviousRequest(scope: Scope, previous: Scope): BlockRequest {
  const isOfNow = scope.asOf === scope.now
  return { scope: previous, detail: 'metrics', ...(isOfNow && { beforeNowMs: scope.asOf - previous.asOf }) }
}
