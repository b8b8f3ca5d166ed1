import { agingBuckets } from '../../schemas/metrics/answer.ts'
import { createMembership, isThere } from './in-scope.ts'
import { isInTime, isLate, toAssignment, type Assignment } from './metrics/facts.ts'
import { lifeAt, toHistories, type AssignmentEvent } from './reading/lives.ts'
import { readDeliveries } from './reading/reading.ts'
import type { Delivery, PulledUser, Scope } from './scope.ts'

export type Cause = 'event' | 'time' | 'people'

/** Why an assignment differs between two moments (METRICS.md, Cause of a change). */
export type Causes = {
  /** Why it is in scope at one of the moments only; `null`: it is not. */
  scope: Cause | null
  /** Why it is there at one of the moments only, whatever the scope; `null`: it is not. */
  existence: Cause | null
  /** Why each derived fact differs; facts that do not are not in it. */
  facts: Map<ClockFact | StateFact, Cause>
}

type Value = boolean | number | string

/** Facts that the clock takes part in. */
const clockFacts = {
  late: ({ life }, scope) => isLate(life.state.dueDate, scope.asOf, scope),
  overdue: ({ overdue }) => overdue,
  due_soon: ({ dueSoon }) => dueSoon,
  first_late: ({ firstKnownDueDate }, scope) => isLate(firstKnownDueDate, scope.asOf, scope),
  reviewers_late: ({ life }, scope) => isLate(life.state.reviewersDueDate, scope.asOf, scope),
  reviewer_overdue: ({ reviewerOverdue }) => reviewerOverdue,
  reported_mismatch: ({ reportedMismatch }) => reportedMismatch,
  in_progress: ({ effectiveStatus }) => effectiveStatus === 'in_progress',
  not_started: ({ effectiveStatus }) => effectiveStatus === 'not_started',
  aging: ({ agingBucket }) => agingBucket !== undefined && agingBuckets.indexOf(agingBucket),
} satisfies Record<string, (assignment: Assignment, scope: Scope) => Value>
type ClockFact = keyof typeof clockFacts

const stateFacts = {
  completed: ({ completed }) => completed,
  failed: ({ failed }) => failed,
  submitted: ({ submitted }) => submitted,
  graded: ({ graded }) => graded,
  open: ({ open }) => open,
  awaiting_grading: ({ awaitingGrading }) => awaitingGrading,
  viewed: ({ viewed }) => viewed,
  started: ({ started }) => started,
  completed_in_time: ({ life: { state } }, scope) => isInTime(state.completedAt, state.dueDate, scope),
  completed_on_time: ({ completedOnTime }) => completedOnTime,
  completed_in_first_time: ({ life: { state }, firstKnownDueDate }, scope) =>
    isInTime(state.completedAt, firstKnownDueDate, scope),
  submitted_in_time: ({ life: { state }, firstSeenSubmitted }, scope) =>
    isInTime(firstSeenSubmitted?.timestamp, state.dueDate, scope),
  graded_in_time: ({ life: { state }, firstSeenGraded }, scope) =>
    isInTime(firstSeenGraded?.timestamp, state.reviewersDueDate, scope),
  deadline_moved: ({ deadlineMoved }) => deadlineMoved,
  passed: ({ life: { state } }) => state.passed,
  partially_graded: ({ life: { state } }) => state.isPartiallyGraded,
  reported_overdue: ({ life: { state } }) => String(state.isOverdue),
  reported_on_time: ({ life: { state } }) => String(state.isCompletedOnTime),
  created_assumed: ({ life }) => life.isCreatedAtAssumed,
  grade_known: ({ life: { state } }) => state.calculatedGrade !== undefined,
  due_known: ({ life: { state } }) => state.dueDate !== undefined,
  first_due_known: ({ firstKnownDueDate }) => firstKnownDueDate !== undefined,
  reviewers_due_known: ({ life: { state } }) => state.reviewersDueDate !== undefined,
  completed_at_known: ({ life: { state } }) => state.completedAt !== undefined,
  began_submitted: ({ wasFirstSeenAlreadySubmitted }) => wasFirstSeenAlreadySubmitted,
  began_graded: ({ wasFirstSeenAlreadyGraded }) => wasFirstSeenAlreadyGraded,
  submitted_with_grade: ({ firstSeenSubmitted, firstSeenGraded }) =>
    firstSeenGraded !== undefined && firstSeenSubmitted === firstSeenGraded,
  percentage_minus_one: ({ life: { state } }) => state.completionPercentage === -1,
} satisfies Record<string, (assignment: Assignment, scope: Scope) => Value>
type StateFact = keyof typeof stateFacts

const allFacts: Record<string, (assignment: Assignment, scope: Scope) => Value> = {
  ...clockFacts,
  ...stateFacts,
}

/** By assignment id. `before` and `after` are one scope as of two moments. */
export function computeCauses(
  deliveries: Delivery[],
  before: Scope,
  after: Scope,
  pulledUsers: PulledUser[] = [],
): Map<string, Causes> {
  const events = readDeliveries(deliveries)
  const was = createMembership(events, pulledUsers, before)
  const is = createMembership(events, pulledUsers, after)
  /** With the filters of a moment on its state, and the people of the first. */
  const isWithPeopleOfFirst = createMembership(events, pulledUsers, after, before)
  return new Map(
    toHistories(events).map((history): [string, Causes] => {
      const [first, second] = [stateAt(history, before.asOf), stateAt(history, after.asOf)]
      const isCreatedByTime =
        first === undefined && second !== undefined && wasKnownAndIsNew(history, before, after)
      const [at1, at2, held] = [
        first && toAssignment(first, before),
        second && toAssignment(second, after),
        second && !isCreatedByTime ? toAssignment(second, before) : undefined,
      ]
      const causeOf = (values: { before: Value; after: Value; held: Value }): Cause =>
        values.held !== values.before ? 'event' : values.after !== values.before ? 'time' : 'people'
      const wasIn = at1 !== undefined && was(at1)
      const isIn = at2 !== undefined && is(at2)
      const scope =
        wasIn === isIn
          ? null
          : causeOf({
              before: wasIn,
              held: held !== undefined && was(held),
              after: at2 !== undefined && isWithPeopleOfFirst(at2),
            })
      const existence =
        (at1 === undefined) === (at2 === undefined)
          ? null
          : causeOf({ before: at1 !== undefined, held: held !== undefined, after: at2 !== undefined })
      const facts = Object.entries(allFacts).flatMap(([name, read]) => {
        const values = {
          before: at1 !== undefined && read(at1, before),
          held: held !== undefined && read(held, before),
          after: at2 !== undefined && read(at2, after),
        }
        return values.before === values.after ? [] : [[name as ClockFact, causeOf(values)] as const]
      })
      return [history[0]!.assignmentId, { scope, existence, facts: new Map(facts) }]
    }),
  )
}

function stateAt(history: AssignmentEvent[], instant: number) {
  const life = lifeAt(history, instant)
  return life !== undefined && isThere(life, instant) ? life : undefined
}

/** Sent by the first moment, in the life of the second, and created between the two. */
function wasKnownAndIsNew(history: AssignmentEvent[], before: Scope, after: Scope): boolean {
  const [then, now] = [lifeAt(history, before.asOf), lifeAt(history, after.asOf)]
  return then?.isDeleted === false && now !== undefined && now.createdAt > before.asOf
}
