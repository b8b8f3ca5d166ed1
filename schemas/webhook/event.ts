/**
 * The event envelope and its parts, named as in `api-specification` and as live platforms send them. This is the only
 * declaration of the wire: what ingest accepts, what the consumer stores and what counts as drift follow from it. Every
 * field is optional here; `parse-delivery.ts` decides what an event needs.
 */
import { z } from 'zod'
import { wireAttributes, wireId, wireReferences, wireText, wireTime } from './field.ts'

/**
 * The event types that make states. `number` is stored and never changes its meaning; 0 stands for every other type. Events of one
 * moment go by `order`.
 */
export const assignmentEvents = {
  'assignmentCreated.challenge': { number: 1, order: 1 },
  'assignmentProgress.challenge': { number: 2, order: 2 },
  'assignmentCompleted.challenge': { number: 3, order: 3 },
  'assignmentDeleted.challenge': { number: 4, order: 4 },
} as const satisfies Record<string, { number: number; order: number }>
export type AssignmentEventType = keyof typeof assignmentEvents
export const assignmentEventTypes = Object.keys(assignmentEvents) as AssignmentEventType[]

/** Status words of the specification; any other word means nothing and is drift. */
export const assignmentStatuses = [
  'not_started',
  'in_progress',
  'overdue',
  'needs_grading',
  'completed',
  'failed',
] as const

const text = wireText.nullish()
const flag = z.boolean().nullish()
const references = wireReferences.nullish()

const fieldSchemas = {
  id: wireId.nullish(),
  status: z.enum(assignmentStatuses).nullish(),
  flag,
  number: z.number().nullish(),
  time: wireTime.nullish(),
}

type Field = {
  readonly type: keyof typeof fieldSchemas
  /** Of `event_rows`. The view `events` has it by the name of the field. Ids are stored with those of the event. */
  readonly column?: string
  /** A flag is a bit of `flags_known` (it was sent) and of `flags_true` (it was true). A bit never changes its meaning. */
  readonly bit?: number
  /** It may be absent or null. Default: that is drift. */
  readonly isOptional?: true
  /** The highest number that is no drift. */
  readonly most?: number
  /** A time that may lie ahead. Default: that is drift. */
  readonly mayBeAhead?: true
  /** The value of a new assignment. Default: any. */
  readonly whenNew?: string | number | boolean | null
}

/** The fields of `challengeAssignment`. Reading, drift, limits, stored events and the view `events` follow from this table. */
export const assignmentFields = {
  id: { type: 'id' },
  challengeId: { type: 'id' },
  status: { type: 'status', column: 'status', whenNew: 'not_started' },
  isCompleted: { type: 'flag', bit: 0, whenNew: false },
  isCompletedOnTime: { type: 'flag', bit: 1, whenNew: false },
  isFullyGraded: { type: 'flag', bit: 2, whenNew: false },
  isOverdue: { type: 'flag', bit: 3, whenNew: false },
  isPartiallyGraded: { type: 'flag', bit: 4, whenNew: false },
  isSubmitted: { type: 'flag', bit: 5, whenNew: false, isOptional: true },
  passed: { type: 'flag', bit: 6, whenNew: false },
  calculatedGrade: { type: 'number', column: 'grade', most: 100, whenNew: 0 },
  completionPercentage: { type: 'number', column: 'completion_percentage', most: 100, whenNew: 0 },
  numDaysOverdue: {
    type: 'number',
    column: 'days_overdue_reported',
    most: Infinity,
    whenNew: null,
    isOptional: true,
  },
  createdAt: { type: 'time', column: 'created_at' },
  updatedAt: { type: 'time', column: 'updated_at' },
  completedAt: { type: 'time', column: 'completed_at', whenNew: null, isOptional: true },
  dueDate: { type: 'time', column: 'due_date', isOptional: true, mayBeAhead: true },
  reviewersDueDate: {
    type: 'time',
    column: 'reviewers_due_date',
    whenNew: null,
    isOptional: true,
    mayBeAhead: true,
  },
  firstViewedAt: { type: 'time', column: 'first_viewed_at', whenNew: null, isOptional: true },
  lastViewedAt: { type: 'time', column: 'last_viewed_at', whenNew: null, isOptional: true },
} as const satisfies Record<string, Field>

type AssignmentFields = typeof assignmentFields
export type AssignmentField = keyof AssignmentFields
export type FieldOfType<Type extends Field['type']> = {
  [Name in AssignmentField]: AssignmentFields[Name]['type'] extends Type ? Name : never
}[AssignmentField]

export const assignmentFieldList = Object.entries(assignmentFields) as [AssignmentField, Field][]

export const challengeAssignmentSchema = z.object(
  Object.fromEntries(assignmentFieldList.map(([name, { type }]) => [name, fieldSchemas[type]])) as {
    [Name in AssignmentField]: (typeof fieldSchemas)[AssignmentFields[Name]['type']]
  },
)

export const challengeSchema = z.object({ id: wireId.nullish(), displayTitle: text })

export const userSchema = z.object({
  id: wireId.nullish(),
  name: text,
  email: text,
  isDeleted: flag,
  isPermanentlyDeleted: flag,
  groups: references,
  managers: references,
  directReports: references,
  customAttributes: wireAttributes.nullish(),
})

export const webhookSchema = z.object({
  eventType: text,
  timestamp: wireTime.nullish(),
  user: userSchema.nullish(),
  challenge: challengeSchema.nullish(),
  challengeAssignment: challengeAssignmentSchema.nullish(),
})

export type WireAssignment = z.infer<typeof challengeAssignmentSchema>
export type WireUser = z.infer<typeof userSchema>
export type WireWebhook = z.infer<typeof webhookSchema>
