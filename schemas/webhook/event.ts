/**
 * The event envelope and its parts, named as in `api-specification` and as live platforms send them. This is the only
 * declaration of the wire: what ingest accepts, what the consumer stores and what counts as drift follow from it. Every
 * field is optional here; `parse-delivery.ts` decides what an event needs.
 */
import { z } from 'zod'
import { wireAttributes, wireId, wireReferences, wireText, wireTime } from './field.ts'

export const assignmentEventTypes = [
  'assignmentCreated.challenge',
  'assignmentProgress.challenge',
  'assignmentCompleted.challenge',
  'assignmentDeleted.challenge',
] as const
export type AssignmentEventType = (typeof assignmentEventTypes)[number]

/** Status words of the specification; any other word means nothing and is drift. */
export const assignmentStatuses = [
  'not_started',
  'in_progress',
  'overdue',
  'needs_grading',
  'completed',
  'failed',
] as const

const flag = z.boolean().nullish()
const time = wireTime.nullish()
const number = z.number().nullish()
const text = wireText.nullish()
const references = wireReferences.nullish()

export const challengeAssignmentSchema = z.object({
  id: wireId.nullish(),
  challengeId: wireId.nullish(),
  calculatedGrade: number,
  completionPercentage: number,
  numDaysOverdue: number,
  status: z.enum(assignmentStatuses).nullish(),
  isCompleted: flag,
  isCompletedOnTime: flag,
  isFullyGraded: flag,
  isOverdue: flag,
  isPartiallyGraded: flag,
  isSubmitted: flag,
  passed: flag,
  completedAt: time,
  createdAt: time,
  dueDate: time,
  firstViewedAt: time,
  lastViewedAt: time,
  reviewersDueDate: time,
  updatedAt: time,
})

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
  timestamp: time,
  user: userSchema.nullish(),
  challenge: challengeSchema.nullish(),
  challengeAssignment: challengeAssignmentSchema.nullish(),
})

export type WireAssignment = z.infer<typeof challengeAssignmentSchema>
export type WireUser = z.infer<typeof userSchema>
export type WireWebhook = z.infer<typeof webhookSchema>
