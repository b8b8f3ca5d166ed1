/**
 * Compares the platform's assignments of one person with ours. It ignores what time alone changes (`isOverdue`,
 * `numDaysOverdue`, the status word) and `lastViewedAt`: no number depends on these.
 */
import type { WireAssignment } from '../../../schemas/webhook/event.ts'
import type { DeliveredEvent } from '../../../schemas/webhook/parse-delivery.ts'
import { stateBits, type StateFact } from '../../../schemas/metrics/state-bits.ts'
import type { AssignmentPayload } from '../../platform/platform-client.ts'
import { foldAssignment, type AssignmentVersion } from '../../consumer/fold/fold-assignment.ts'
import { toStoredEvent } from '../../consumer/fold/stored-event.ts'

/** A row of `held-assignments`: what we hold of an assignment now. */
export type HeldAssignment = { assignmentId: string; isDeleted: 0 | 1 } & Pick<
  AssignmentVersion,
  | 'userId'
  | 'challengeId'
  | 'state'
  | 'status'
  | 'validFromMs'
  | 'updatedAtMs'
  | (typeof comparedFields)[number]
>

export type LostLife = {
  createdAtMs: number
  /** Another life runs until then, whose end did not come either. */
  isAfterAnother: boolean
  /** Source of the first event that came of it; '' = none came. */
  source: string
  userId: string
  challengeId: string
}

export type Difference = { assignmentId: string; userId: string; challengeId: string; fields: string[] } & (
  | { kind: 'missing'; payload: AssignmentPayload; ourRow: HeldAssignment | undefined }
  | { kind: 'stale'; payload: AssignmentPayload; ourRow: HeldAssignment }
  | { kind: 'extra' }
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

const wireNames = {
  createdAtMs: 'createdAt',
  completedAtMs: 'completedAt',
  dueDateMs: 'dueDate',
  reviewersDueDateMs: 'reviewersDueDate',
  firstViewedAtMs: 'firstViewedAt',
  grade: 'calculatedGrade',
  completionPercentage: 'completionPercentage',
} as const
const comparedFields = Object.keys(wireNames) as (keyof typeof wireNames)[]

const flagFacts = {
  isCompleted: 'completed',
  isFullyGraded: 'graded',
  isPartiallyGraded: 'partially_graded',
  passed: 'passed',
} as const

/**
 * `ourRows`: all of our assignments of the person or the payloads. `settledBeforeMs`: later changes at the platform may
 * still be on their way, and are left for the next time.
 */
export function compareAssignments(
  userId: string,
  payloads: readonly AssignmentPayload[],
  ourRows: readonly HeldAssignment[],
  settledBeforeMs: number,
): Comparison {
  const ours = new Map(ourRows.map((row) => [row.assignmentId, row]))
  const listed = new Set(payloads.map(({ event }) => event.assignment.id))
  const differences: Difference[] = []
  let tooFresh = 0
  const report = (difference: Difference, changedAtMs: number) => {
    if (changedAtMs < settledBeforeMs) differences.push(difference)
    else tooFresh++
  }

  for (const sent of payloads) {
    const { assignment, wire } = sent.event
    const about = { assignmentId: assignment.id, userId, challengeId: assignment.challengeId }
    const ourRow = ours.get(assignment.id)
    const updatedAtMs = wire.challengeAssignment?.updatedAt ?? 0
    if (ourRow === undefined || ourRow.isDeleted === 1) {
      report(
        { ...about, kind: 'missing', fields: [], payload: sent, ourRow },
        Math.max(updatedAtMs, ourRow?.validFromMs ?? 0),
      )
      continue
    }
    // Ours is newer: a webhook overtook the answer.
    if (updatedAtMs > 0 && ourRow.updatedAtMs > updatedAtMs) continue
    const payload = fillIn(sent, ourRow)
    const fields = toDifferentFields(payload.event, ourRow)
    if (fields.length > 0) report({ ...about, kind: 'stale', fields, payload, ourRow }, updatedAtMs)
  }
  for (const ourRow of ourRows) {
    if (ourRow.isDeleted === 1 || ourRow.userId !== userId || listed.has(ourRow.assignmentId)) continue
    const { assignmentId, challengeId, validFromMs } = ourRow
    report({ assignmentId, userId, challengeId, kind: 'extra', fields: [] }, validFromMs)
  }
  return { compared: new Set([...listed, ...ours.keys()]).size, differences, tooFresh }
}

/** What the list leaves out says nothing, so ours holds, unless the list has another life of the assignment. */
function fillIn(payload: AssignmentPayload, ours: HeldAssignment): AssignmentPayload {
  const { event } = payload
  const sent = event.wire.challengeAssignment ?? {}
  if ((sent.createdAt ?? 0) > ours.validFromMs) return payload
  const held: Partial<Record<keyof WireAssignment, unknown>> = {}
  if (sent.status == null && ours.status !== '') held.status = ours.status
  for (const [flag, fact] of Object.entries(flagFacts) as [keyof typeof flagFacts, StateFact][]) {
    if (sent[flag] == null && isSet(ours.state, fact)) held[flag] = true
  }
  // Where nothing else made ours submitted, the flag did. Otherwise the list says it by the same means.
  const isByOtherMeans =
    ours.status === 'needs_grading' ||
    (['completed', 'graded', 'partially_graded'] as const).some((fact) => isSet(ours.state, fact))
  if (sent.isSubmitted == null && isSet(ours.state, 'submitted') && !isByOtherMeans) held.isSubmitted = true
  for (const field of comparedFields) {
    const unknown = field === 'completionPercentage' ? -1 : 0
    const isKnown = field === 'grade' ? isSet(ours.state, 'grade_known') : ours[field] !== unknown
    // Of `createdAt` ours may be assumed, and a life keeps its own.
    if (isKnown && field !== 'createdAtMs' && sent[wireNames[field]] === undefined)
      held[wireNames[field]] = ours[field]
  }
  if (Object.keys(held).length === 0) return payload
  const json = JSON.parse(Buffer.from(payload.body).toString()) as { challengeAssignment?: object }
  const body = Buffer.from(
    JSON.stringify({ ...json, challengeAssignment: { ...json.challengeAssignment, ...held } }),
  )
  const challengeAssignment = { ...sent, ...held } as WireAssignment
  return { body, event: { ...event, wire: { ...event.wire, challengeAssignment } } }
}

function toDifferentFields(event: DeliveredEvent, ours: HeldAssignment): string[] {
  const theirs = foldAssignment([toStoredEvent(event, '')])[0]
  if (theirs === undefined) return []
  const fields: string[] = comparedFacts.filter(
    (fact) => isSet(theirs.state, fact) !== isSet(ours.state, fact),
  )
  const wire = event.wire.challengeAssignment
  for (const field of comparedFields) {
    const name = wireNames[field]
    // A field that the platform omits here says nothing.
    const isSaid = name === 'createdAt' ? wire?.createdAt != null : wire?.[name] !== undefined
    if (isSaid && ours[field] !== theirs[field]) fields.push(name)
  }
  if (theirs.challengeId !== '' && theirs.challengeId !== ours.challengeId) fields.push('challengeId')
  return fields
}

function isSet(state: AssignmentVersion['state'], fact: StateFact): boolean {
  return ((state >>> stateBits[fact]) & 1) === 1
}
