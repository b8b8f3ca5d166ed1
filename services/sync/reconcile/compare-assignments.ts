/**
 * Compares the platform's assignments of one person with ours. It ignores what time alone changes (`isOverdue`,
 * `numDaysOverdue`, the status word) and `lastViewedAt`: no number depends on these.
 */
import type { DeliveredEvent } from '../../../schemas/webhook/parse-delivery.ts'
import { stateBits, type StateFact } from '../../../schemas/metrics/state-bits.ts'
import type { AssignmentPayload } from '../../platform/platform-client.ts'
import { foldAssignment, type AssignmentVersion } from '../../consumer/fold/fold-assignment.ts'
import { toStoredEvent } from '../../consumer/rows.ts'
import type { LostLife } from './find-lost-lives.ts'

/** A row of `held-assignments.sql`. */
export type HeldAssignment = {
  assignment_id: string
  user_id: string
  challenge_id: string
  is_deleted: 0 | 1
  state: number
  valid_from_ms: number
  created_at_ms: number
  updated_at_ms: number
  completed_at_ms: number
  due_date_ms: number
  reviewers_due_date_ms: number
  first_viewed_at_ms: number
  grade: number
  completion_percentage: number
}

export type Difference = { assignmentId: string; userId: string; challengeId: string; fields: string[] } & (
  | { kind: 'missing'; payload: AssignmentPayload; held: HeldAssignment | undefined }
  | { kind: 'stale'; payload: AssignmentPayload; held: HeldAssignment }
  | { kind: 'extra'; held: HeldAssignment }
  /** `isTooEarly`: before deliveries began nothing is known of its life, and nothing is made up. */
  | { kind: 'created'; life: LostLife; isTooEarly: boolean }
)

export type Comparison = {
  compared: number
  differences: Difference[]
  /** Differences of the last moments, which webhooks on their way may still explain. */
  tooFresh: number
}

const comparedFacts: StateFact[] = [
  'completed',
  'failed',
  'submitted',
  'graded',
  'partially_graded',
  'passed',
  'viewed',
  'started',
  'grade_known',
]

/**
 * `held`: all of our assignments of the person or the payloads. `settledBeforeMs`: later changes at the platform may
 * still be on their way, and are left for the next time.
 */
export function compareAssignments(
  userId: string,
  payloads: readonly AssignmentPayload[],
  held: readonly HeldAssignment[],
  settledBeforeMs: number,
): Comparison {
  const ours = new Map(held.map((row) => [row.assignment_id, row]))
  const listed = new Set(payloads.map(({ event }) => event.assignment.id))
  const differences: Difference[] = []
  let tooFresh = 0
  const found = (difference: Difference, changedAtMs: number) => {
    if (changedAtMs < settledBeforeMs) differences.push(difference)
    else tooFresh++
  }

  for (const payload of payloads) {
    const { assignment, wire } = payload.event
    const about = { assignmentId: assignment.id, userId, challengeId: assignment.challengeId }
    const own = ours.get(assignment.id)
    const updatedAtMs = wire.challengeAssignment?.updatedAt ?? 0
    if (own === undefined || own.is_deleted === 1) {
      found(
        { ...about, kind: 'missing', fields: [], payload, held: own },
        Math.max(updatedAtMs, own?.valid_from_ms ?? 0),
      )
      continue
    }
    // Ours is newer: a webhook overtook the answer.
    if (updatedAtMs > 0 && own.updated_at_ms > updatedAtMs) continue
    const fields = toDifferentFields(payload.event, own)
    if (fields.length > 0) found({ ...about, kind: 'stale', fields, payload, held: own }, updatedAtMs)
  }
  for (const own of held) {
    if (own.is_deleted === 1 || own.user_id !== userId || listed.has(own.assignment_id)) continue
    found(
      {
        assignmentId: own.assignment_id,
        userId,
        challengeId: own.challenge_id,
        kind: 'extra',
        fields: [],
        held: own,
      },
      own.valid_from_ms,
    )
  }
  return { compared: new Set([...listed, ...ours.keys()]).size, differences, tooFresh }
}

function toDifferentFields(event: DeliveredEvent, own: HeldAssignment): string[] {
  const theirs = foldAssignment([toStoredEvent(event, '')])[0]
  if (theirs === undefined) return []
  const fields: string[] = comparedFacts.filter((fact) => isSet(theirs.state, fact) !== isSet(own.state, fact))
  const wire = event.wire.challengeAssignment
  const differ = (name: keyof NonNullable<typeof wire>, ourValue: number, theirValue: number) => {
    // A field that the platform omits here says nothing.
    if (wire?.[name] !== undefined && ourValue !== theirValue) fields.push(name)
  }
  if (wire?.createdAt != null) differ('createdAt', own.created_at_ms, theirs.createdAtMs)
  differ('completedAt', own.completed_at_ms, theirs.completedAtMs)
  differ('dueDate', own.due_date_ms, theirs.dueDateMs)
  differ('reviewersDueDate', own.reviewers_due_date_ms, theirs.reviewersDueDateMs)
  differ('firstViewedAt', own.first_viewed_at_ms, theirs.firstViewedAtMs)
  differ('calculatedGrade', own.grade, theirs.grade)
  differ('completionPercentage', own.completion_percentage, theirs.completionPercentage)
  if (theirs.challengeId !== '' && theirs.challengeId !== own.challenge_id) fields.push('challengeId')
  return fields
}

function isSet(state: AssignmentVersion['state'], fact: StateFact): boolean {
  return ((state >>> stateBits[fact]) & 1) === 1
}
