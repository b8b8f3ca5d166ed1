/** The questions that pages and the API ask the store. */
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { FactCount } from '../../schemas/metrics/facts.ts'
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
import type { Receipt } from '../../schemas/answers/deliveries.ts'
import { readReceipt, type FindWaiting } from './receipt.ts'
import { findDaysToComplete } from '../columns/days-to-complete.ts'
import { columnsFor } from '../statements/columns-for.ts'
import { findOddZones } from './zones.ts'
import { createBlockReader, type BlockReader, type BlockRequest } from '../statements/read-blocks.ts'
import { readRowPage, streamAllRows } from '../statements/rows.ts'
import { readUnder } from '../statements/reporting-lines.ts'
import { readCompleteThrough, readIsSample, readLastStoredAt } from '../statements/standing.ts'
import { toCounts, toMetricsAnswer, type Counts } from '../metrics/to-metrics.ts'
import { toDueCohorts, toRanking } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'

/** Questions that are answered as their functions say, for the reader of the queries. */
const readers = {
  /** Iterate to the end or return the iterator. */
  allAssignments: streamAllRows,
  assignmentEvents: readAssignmentEvents,
  assignments: readRowPage,
  changeCounts: readChangeCounts,
  changes: readChanges,
  completeThrough: readCompleteThrough,
  daysToComplete: (reader: Reader, scope: Scope) => columnsFor(reader, scope, findDaysToComplete),
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
  oddZones: findOddZones,
  overdue: readOverdue,
  person: readPerson,
  search: readSearch,
}
type Ask<Read> = Read extends (reader: Reader, ...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : never

export type Queries = { [Name in keyof typeof readers]: Ask<(typeof readers)[Name]> } & {
  metrics(scope: Scope): Promise<MetricsAnswer>
  /** Those of the metrics that are counts and rates, sooner. */
  counts(scope: Scope): Promise<Counts>
  /** With the numbers of another scope to compare with. */
  overview(scope: Scope, previous: Scope | null): Promise<Overview>
  /** How many assignments have each combination of facts, and an answer of `metrics` from the same snapshot. */
  facts(scope: Scope): Promise<{ facts: FactCount[]; answer: MetricsAnswer }>
  /** Ids of the people to whom its managers or the reader narrow a scope; `null`: it is not narrowed. */
  under(scope: Scope): Promise<readonly string[] | null>
  /** Where the delivery with a receipt is now. */
  receipt(id: string): Promise<Receipt>
}

type QueriesOptions = {
  /** Where the numbers come from. Default: from the store at every question. */
  readBlocks?: BlockReader
  /** Looks for a delivery in the event log. Default: that is not known here. */
  findWaiting?: FindWaiting | undefined
}

export function createQueries(reader: Reader, options: QueriesOptions = {}): Queries {
  const { readBlocks = createBlockReader(reader) } = options

  type Bound = Pick<Queries, keyof typeof readers>
  const bound = Object.entries(readers).map(([name, read]) => [
    name,
    (...args: unknown[]) => (read as (reader: Reader, ...args: unknown[]) => unknown)(reader, ...args),
  ])

  return {
    ...(Object.fromEntries(bound) as Bound),

    async metrics(scope) {
      const reading = await readBlocks({ scope, detail: 'metrics' })
      return toMetricsAnswer(reading.blocks, reading.scope)
    },

    async counts(scope) {
      const { blocks, scope: answered } = await readBlocks({ scope, detail: 'counts' })
      return toCounts(blocks, answered)
    },

    async under(scope) {
      return scope.manager.length === 0 ? reader.seenIds() : readUnder(reader, scope)
    },

    async facts(scope) {
      const { blocks, scope: answered } = await readBlocks({ scope, detail: 'metrics' })
      return { facts: blocks.facts, answer: toMetricsAnswer(blocks, answered) }
    },

    async overview(scope, previous) {
      const [{ blocks, scope: answered }, before, frame] = await Promise.all([
        readBlocks({ scope, detail: 'overview' }),
        previous === null ? null : readBlocks(toPreviousRequest(scope, previous)),
        readFrame(reader, scope),
      ])
      return {
        ...frame,
        answer: toMetricsAnswer(blocks, answered),
        previous: before === null ? null : toMetricsAnswer(before.blocks, before.scope),
        due_cohorts: toDueCohorts(blocks.due_weeks),
        by_challenge: toRanking(blocks.challenges, frame.options.challenges),
        by_team: toRanking(blocks.team_sets, frame.options.teams),
      }
    },

    receipt: (id) => readReceipt(reader, id, options.findWaiting),
  }
}

/** Earlier numbers that are compared with those of now go with the clock, too. */
function toPreviousRequest(scope: Scope, previous: Scope): BlockRequest {
  const isOfNow = scope.asOf === scope.now
  return { scope: previous, detail: 'metrics', ...(isOfNow && { beforeNowMs: scope.asOf - previous.asOf }) }
}
