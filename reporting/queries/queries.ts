/** The questions that pages and the API ask the store. */
import { toLocalDate } from '../../schemas/metrics/calendar.ts'
import type { MetricsAnswer } from '../../schemas/metrics/answer.ts'
import type { Scope, ScopeSettings } from '../../schemas/metrics/scope.ts'
import type { Overview, PageFrame } from '../metrics/overview.ts'
import type { AssignmentRow } from '../../schemas/metrics/columns.ts'
import { readGrading, readGradingQueue, type Grading, type QueuePage, type QueueRequest } from './grading.ts'
import { readGuideRows, type GuideRowPage, type GuideRowRequest } from '../statements/guides.ts'
import { readGuides, type GuidesPageAnswer } from './guides.ts'
import { readEventsOf, type AssignmentEvent } from './assignment-events.ts'
import {
  readLearners,
  readPerson,
  type LearnerPage,
  type LearnerRequest,
  type OnePerson,
} from '../statements/learners.ts'
import { readLateAssignments, readOverdue, type LateAssignment, type Overdue } from '../statements/overdue.ts'
import { readFrame, readNames } from './page-frame.ts'
import { readBriefChanges, readChangeCounts, type BriefChangeCount, type ChangeCounts } from './change-counts.ts'
import { readChanges, type ChangePage, type ChangePageRequest } from './changes.ts'
import {
  readGroups,
  readLeaders,
  readManagers,
  readReports,
  type GroupRow,
  type Leaders,
  type ManagerRow,
  type Reports,
} from '../statements/groups.ts'
import type { WaitCounts } from '../forecast/forecast.ts'
import type { PastWaits } from '../forecast/hazard.ts'
import { readSearch, type Found } from '../statements/search.ts'
import { readReceipt, type FindWaiting, type Receipt } from './receipt.ts'
import { readPastWaits, readWaits } from '../statements/waits.ts'
import { createBlockReader, type BlockReader, type BlockRequest } from '../metrics/block-reader.ts'
import { readRowPage, streamAllRows, type RowPage, type RowRequest } from '../statements/rows.ts'
import type { RowOrder } from './row-order.ts'
import { readUnder } from './reporting-lines.ts'
import { readIsSample, readStoredThrough } from './standing.ts'
import { withCoarse } from '../coarse/with-coarse.ts'
import { toMetricsAnswer } from '../metrics/to-answer.ts'
import { toDueCohorts, toFilterOptions, toFreshness, toRanking, toTeamRows } from '../metrics/to-overview.ts'
import type { Reader } from '../read/reader.ts'

/** Facts as bits, and how many assignments have them. */
export type StoredFacts = { bits: string; count: number }

export type Queries = {
  /** One statement, one snapshot. */
  metrics(scope: Scope): Promise<MetricsAnswer>
  /** One statement, and one more for the scope to compare with. */
  overview(scope: Scope, previous: Scope | null): Promise<Overview>
  /** How many assignments have each combination of facts, and an answer of `metrics` from the same snapshot. */
  facts(scope: Scope): Promise<{ facts: StoredFacts[]; answer: MetricsAnswer }>
  /** Ids of the people to whom its managers or the reader narrow a scope; `null`: it is not narrowed. */
  under(scope: Scope): Promise<readonly string[] | null>
  /** Assignments that differ in scope or facts between two moments of one scope, and why. */
  changes(before: Scope, scope: Scope, page: ChangePageRequest): Promise<ChangePage>
  /** How many of them, by kind and cause, team and challenge. */
  changeCounts(before: Scope, scope: Scope): Promise<ChangeCounts>
  /** The same of some kinds, for a summary. */
  briefChanges(before: Scope, scope: Scope): Promise<BriefChangeCount[]>
  /** A line for each challenge or team in a scope. */
  groups(scope: Scope, by: 'challenge' | 'team'): Promise<GroupRow[]>
  /** A line for each manager of somebody in a scope, at most `depth` links below. */
  managers(scope: Scope, depth?: number): Promise<ManagerRow[]>
  /** For SQL that follows the reporting lines itself. */
  /** The direct reports of a manager. */
  reports(scope: Scope, manager: string): Promise<Reports>
  /** What would differ under another due zone and due end. */
  /** How long the assignments of a scope took or have been open, by days. */
  waits(scope: Scope): Promise<WaitCounts>
  /** When assignments like these were created, completed and due. */
  pastWaits(scope: Scope): Promise<PastWaits>
  /** The events of one assignment up to an instant, in event order; empty where it is not known then. */
  assignmentEvents(assignmentId: string, asOf: number): Promise<AssignmentEvent[]>
  /** One statement. */
  assignments(scope: Scope, page: RowRequest): Promise<RowPage>
  /**
   * All rows of a scope in the same order, of one moment, streamed: memory is bounded, and a caller that stops early
   * stops the query. Iterate to the end or return the iterator.
   */
  allAssignments(scope: Scope, order?: RowOrder): Promise<AsyncIterable<AssignmentRow[]>>
  /** The people of a scope, most overdue first. */
  learners(scope: Scope, request: LearnerRequest): Promise<LearnerPage>
  /** One person at the moment of a scope; `null`: nobody by this id is known then. */
  person(userId: string, scope: Scope): Promise<OnePerson | null>
  /** The events of these assignments up to an instant, in event order, by assignment. */
  eventsOf(assignmentIds: readonly string[], asOf: number): Promise<Map<string, AssignmentEvent[]>>
  /** What a page of rows shows around them: names for filters, and how fresh the data are. */
  frame(scope: Scope): Promise<PageFrame>
  /** Guides as of now; `guide`: only these, empty = all. */
  guides(scope: Scope, guide: readonly string[]): Promise<GuidesPageAnswer>
  /** Managers to choose from, at most so many: those with the most direct reports. */
  leaders(scope: Scope, most: number): Promise<Leaders>
  /** The guide assignments behind a number of `guides`. */
  guideRows(scope: Scope, request: GuideRowRequest): Promise<GuideRowPage>
  /** Teams, challenges and people of a moment whose name holds a text or whose id is it; at most `limit` of each kind. */
  search(text: string, at: Pick<Scope, 'asOf' | 'now'>, limit: number): Promise<Found[]>
  /** Where the delivery with a receipt is now. */
  receipt(id: string): Promise<Receipt>
  /** What is overdue, whose people it concerns, and what falls due next. */
  overdue(scope: Scope): Promise<Overdue>
  /** The overdue assignments of these people, at most `perPerson` of each. */
  lateAssignments(scope: Scope, users: readonly string[], perPerson: number): Promise<LateAssignment[]>
  /** What awaits a grade, how long grades take, and the backlog through time. */
  grading(scope: Scope): Promise<Grading>
  /** Single assignments that await a grade, or were graded in a period: handed in longest ago first. */
  gradingQueue(scope: Scope, request: QueueRequest): Promise<QueuePage>
  /** A text that changes when something has been stored, and only then. */
  storedThrough(): Promise<string>
  /** Whether this is sample data. */
  isSample(): Promise<boolean>
}

export type QueriesOptions = {
  /** Reads what is too large to hold. Default: the reader itself; over HTTP any can. */
  streamer?: Reader | undefined
  /** Where the numbers come from. Default: from the store at every question. */
  readBlocks?: BlockReader
  /** Looks for a delivery in the event log. Default: that is not known here. */
  findWaiting?: FindWaiting | undefined
  /** The zones of everybody, for readers who may not ask for single people. Left out: they are refused. */
  settings?: ScopeSettings
}

export function createQueries(reader: Reader, options: QueriesOptions = {}): Queries {
  const { streamer = reader, readBlocks = createBlockReader(reader) } = options

  const exact: Queries = {
    async metrics(scope) {
      const reading = await readBlocks({ scope, detail: 'metrics' })
      return toMetricsAnswer(reading.blocks, reading.scope)
    },

    changes: (before, scope, page) => readChanges(reader, before, scope, page),

    changeCounts: (before, scope) => readChangeCounts(reader, before, scope),

    briefChanges: (before, scope) => readBriefChanges(reader, before, scope),

    groups: (scope, by) => readGroups(reader, scope, by),

    managers: (scope, depth) => readManagers(reader, scope, depth),

    reports: (scope, manager) => readReports(reader, scope, manager),

    waits: (scope) => readWaits(reader, scope),

    pastWaits: (scope) => readPastWaits(reader, scope),

    async assignmentEvents(assignmentId, asOf) {
      const events = await readEventsOf(reader, [assignmentId], asOf)
      return events.get(assignmentId) ?? []
    },

    async under(scope) {
      return scope.manager.length === 0 ? reader.seenIds() : readUnder(reader, scope)
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
        readNames(reader, scope, [...scope.manager, ...scope.user]),
      ])
      return {
        answer: toMetricsAnswer(blocks, answered),
        previous:
          before === null ? null : toPrevious(toMetricsAnswer(before.blocks, before.scope), scope, before.scope),
        due_cohorts: toDueCohorts(blocks.due_weeks),
        by_challenge: toRanking(blocks.challenges, 'challenge', blocks.names),
        by_team: toRanking(toTeamRows(blocks.team_sets), 'team', blocks.names),
        freshness: toFreshness(blocks),
        options: toFilterOptions(blocks.names, people),
      }
    },

    assignments: (scope, page) => readRowPage(reader, scope, page),

    allAssignments: (scope, order) => streamAllRows(streamer, scope, order),

    learners: (scope, request) => readLearners(reader, scope, request),

    person: (userId, scope) => readPerson(reader, userId, scope),

    eventsOf: (assignmentIds, asOf) => readEventsOf(reader, assignmentIds, asOf),

    frame: (scope) => readFrame(reader, scope),

    guides: (scope, guide) => readGuides(reader, scope, guide),

    leaders: (scope, most) => readLeaders(reader, scope, most),

    guideRows: (scope, request) => readGuideRows(reader, scope, request),

    storedThrough: () => readStoredThrough(reader),

    search: (text, at, limit) => readSearch(reader, text, at, limit),
    receipt: (id) => readReceipt(reader, id, options.findWaiting),
    overdue: (scope) => readOverdue(reader, scope),

    lateAssignments: (scope, users, perPerson) => readLateAssignments(reader, scope, users, perPerson),

    grading: (scope) => readGrading(reader, scope),

    gradingQueue: (scope, request) => readGradingQueue(reader, scope, request),

    isSample: () => readIsSample(reader),
  }
  return withCoarse(exact, reader, options.settings)
}

/** What is compared with now goes with the clock, too. */
function toPreviousRequest(scope: Scope, previous: Scope): BlockRequest {
  const isOfNow = scope.asOf === scope.now
  return { scope: previous, detail: 'metrics', ...(isOfNow && { beforeNowMs: scope.asOf - previous.asOf }) }
}

function toPrevious({ as_of, metrics }: MetricsAnswer, scope: Scope, previous: Scope): Overview['previous'] {
  const { assignedFrom: from, assignedTo: to } = previous
  const isSame = from === undefined || (from === scope.assignedFrom && to === scope.assignedTo)
  return { as_of, metrics, cohort: isSame ? null : { from, to: to ?? toLocalDate(previous.timeZone, previous.asOf) } }
}
