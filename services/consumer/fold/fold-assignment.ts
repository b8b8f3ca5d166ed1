/**
 * Turns the events of one assignment into versions: which state held from when until when. A pure function of the *set*
 * of events, so order, duplicates and batching cannot matter. Rules: METRICS.md, "Unit, order, life and state". Each
 * version is self-contained: every metric at T follows from it, T and the people.
 */
import { endOfTimeMs, stateBits, type StateFact } from '../../../schemas/metrics/state-bits.ts'
import type { KindOf, VersionColumn } from '../../../schemas/metrics/version.ts'
import { eventNumbers, flagBits } from '../../../schemas/webhook/event-bits.ts'
import type { FieldOf } from '../../clickhouse/insert-rows.ts'
import { compareEvents, type StoredEvent } from './stored-event.ts'

/** Half-open spans in which the learner had to act under one due date, epoch ms: [opened, closed, due]. */
export type DueSpan = [openedMs: number, closedMs: number, dueMs: number]

export type AssignmentVersion = ReturnType<typeof toVersion>

/**
 * An assignment whose deadline passed more often than this, each time under another due date, is nobody's work: the trend
 * counts its last ones. Every version holds its spans, so without a limit a few thousand events would take gigabytes.
 */
export const maxDueSpans = 100

/** The facts of one life so far. */
type Life = {
  number: number
  startedAtMs: number
  deleted: boolean
  beganSubmitted: boolean
  beganGraded: boolean
  firstSubmitted: StoredEvent | undefined
  firstGraded: StoredEvent | undefined
  firstDueDateMs: number
  createdAtMs: number
  userId: string
  challengeId: string
}

/** The versions of an assignment, oldest first; the last one is open-ended. Events may repeat, in any order. */
export function foldAssignment(events: readonly StoredEvent[]): AssignmentVersion[] {
  // One that repeats stands beside itself, and says nothing new.
  const ordered = [...events].sort(compareEvents)
  const versions: AssignmentVersion[] = []
  let spans: DueSpan[] = []
  let life: Life | undefined
  ordered.forEach((event, index) => {
    if (
      life === undefined ||
      (life.deleted && event.typeNumber === eventNumbers['assignmentCreated.challenge'])
    ) {
      life = beginLife(event, (life?.number ?? 0) + 1)
    }
    learn(life, event)

    // Only the last event of a moment makes a state, and none does before createdAt.
    const version = toVersion(event, life, ordered[index + 1]?.eventTimeMs ?? endOfTimeMs)
    if (version.validFromMs >= version.validToMs) return
    spans = extendSpans(spans, version)
    version.dueSpans = toHeldSpans(spans, version.validToMs)
    versions.push(version)
    spans = spans.filter(([, closed, due]) => closed > due)
  })
  return versions
}

function beginLife(event: StoredEvent, number: number): Life {
  const { submitted, graded } = toFacts(event)
  const nothingYet = { firstSubmitted: undefined, firstGraded: undefined, firstDueDateMs: 0, createdAtMs: 0 }
  const began = { startedAtMs: event.eventTimeMs, beganSubmitted: submitted, beganGraded: graded }
  return { number, deleted: false, ...began, ...nothingYet, userId: '', challengeId: '' }
}

function learn(life: Life, event: StoredEvent): void {
  const facts = toFacts(event)
  life.deleted ||= event.typeNumber === eventNumbers['assignmentDeleted.challenge']
  if (facts.submitted) life.firstSubmitted ??= event
  if (facts.graded) life.firstGraded ??= event
  life.firstDueDateMs ||= event.dueDateMs
  life.createdAtMs = event.createdAtMs || life.createdAtMs
  life.userId = event.userId || life.userId
  life.challengeId = event.challengeId || life.challengeId
}

function toFacts(event: StoredEvent) {
  const is = (flag: keyof typeof flagBits) => (event.flagsTrue & flagBits[flag]) !== 0
  const completed = is('isCompleted')
  const failed = event.status === 'failed' && !completed
  const graded = is('isFullyGraded')
  const submitted =
    is('isSubmitted') || event.status === 'needs_grading' || is('isPartiallyGraded') || graded || completed
  const started = (event.completionPercentage ?? 0) > 0 || event.status === 'in_progress' || submitted
  const viewed = event.firstViewedAtMs > 0 || started
  return { completed, failed, graded, submitted, started, viewed }
}

/** One state of an assignment during [validFromMs, validToMs). Times are epoch ms, 0 = unknown. */
function toVersion(event: StoredEvent, life: Life, validToMs: number) {
  const facts = toFacts(event)
  const { flagsKnown: known, flagsTrue: set } = event
  const createdAtMs = life.createdAtMs || life.startedAtMs
  const state = toBits({
    ...facts,
    partially_graded: (set & flagBits.isPartiallyGraded) !== 0,
    passed: (set & flagBits.passed) !== 0,
    reported_overdue_known: (known & flagBits.isOverdue) !== 0,
    reported_overdue: (set & flagBits.isOverdue) !== 0,
    reported_on_time_known: (known & flagBits.isCompletedOnTime) !== 0,
    reported_on_time: (set & flagBits.isCompletedOnTime) !== 0,
    created_assumed: life.createdAtMs === 0,
    grade_known: event.grade !== null,
    began_submitted: life.beganSubmitted,
    began_graded: life.beganGraded,
    deleted: life.deleted,
    submitted_with_grade: life.firstGraded !== undefined && life.firstGraded === life.firstSubmitted,
    percentage_minus_one: event.completionPercentage === -1,
    deadline_moved: event.dueDateMs !== life.firstDueDateMs,
  })
  const settled = facts.completed || facts.failed || facts.graded
  return {
    class: life.deleted ? 3 : settled ? 2 : facts.submitted ? 1 : 0,
    userId: life.userId,
    challengeId: life.challengeId,
    validFromMs: Math.max(event.eventTimeMs, createdAtMs),
    validToMs,
    life: life.number,
    state,
    status: event.status,
    createdAtMs,
    updatedAtMs: event.updatedAtMs,
    completedAtMs: event.completedAtMs,
    dueDateMs: event.dueDateMs,
    firstDueDateMs: life.firstDueDateMs,
    reviewersDueDateMs: event.reviewersDueDateMs,
    firstViewedAtMs: event.firstViewedAtMs,
    lastViewedAtMs: event.lastViewedAtMs,
    lifeStartedAtMs: life.startedAtMs,
    firstSubmittedAtMs: life.firstSubmitted?.eventTimeMs ?? 0,
    firstGradedAtMs: life.firstGraded?.eventTimeMs ?? 0,
    grade: event.grade ?? 0,
    completionPercentage: event.completionPercentage ?? -1,
    daysOverdueReported: event.daysOverdueReported,
    dueSpans: [] as DueSpan[],
  } satisfies Fields
}

/** What a version says, by the table of versions. */
type Fields = {
  [
    Name in Exclude<VersionColumn, 'assignment_id'> as FieldOf<
      Name,
      KindOf<Name> extends 'instant' | 'time' | 'end' ? true : false
    >
  ]: unknown
}

/** The earlier spans and this version's; joined with the previous one where nothing changed. */
function extendSpans(spans: DueSpan[], version: AssignmentVersion): DueSpan[] {
  if (version.class !== 0 || version.dueDateMs === 0) return spans
  const last = spans.at(-1)
  const continues = last !== undefined && last[1] === version.validFromMs && last[2] === version.dueDateMs
  const span: DueSpan = [continues ? last[0] : version.validFromMs, version.validToMs, version.dueDateMs]
  return [...(continues ? spans.slice(0, -1) : spans), span].slice(-maxDueSpans)
}

/** Nobody knows yet when the last one will close. */
function toHeldSpans(spans: DueSpan[], validToMs: number): DueSpan[] {
  const last = spans.at(-1)
  if (last === undefined || last[1] !== validToMs) return spans
  return [...spans.slice(0, -1), [last[0], endOfTimeMs, last[2]]]
}

const stateFacts = Object.entries(stateBits) as [StateFact, number][]

function toBits(facts: Partial<Record<StateFact, boolean>>): number {
  let bits = 0
  for (const [name, bit] of stateFacts) if (facts[name]) bits |= 1 << bit
  return bits >>> 0
}
