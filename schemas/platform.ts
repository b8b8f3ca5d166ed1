/** Users, guides, their assignments and webhook subscriptions, as the platform's API lists them. Only the id is required. */
import { z } from 'zod'
import type { WireUser } from './webhook/event.ts'
import { wireId, wireTime } from './webhook/field.ts'

/** A user as the platform's API lists one: absent says nothing, null clears, as in the user objects inside webhooks. */
export type PlatformUser = WireUser & { id: string }

const flag = z.boolean().nullish()
const time = wireTime.nullish()
const number = z.number().nullish()

export const platformGuideSchema = z.object({
  id: wireId.nullish(),
  title: z.string().nullish(),
  numTotalTasks: number,
  numTotalTestQuestions: number,
  createdAt: time,
  updatedAt: time,
  /** Names; some platforms may send objects. */
  tags: z
    .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).nullable())
    .nullish(),
})

export type PlatformGuide = z.infer<typeof platformGuideSchema> & { id: string }

export const platformGuideAssignmentSchema = z.object({
  id: wireId.nullish(),
  userId: wireId.nullish(),
  /** The guide, by its older name. */
  courseId: wireId.nullish(),
  guideId: wireId.nullish(),
  dueDate: time,
  score: number,
  isArchived: flag,
  isDeleted: flag,
  isCompleted: flag,
  completionPercentage: number,
  createdAt: time,
  updatedAt: time,
  completedAt: time,
  status: z.string().nullish(),
  passed: flag,
})

export type PlatformGuideAssignment = z.infer<typeof platformGuideAssignmentSchema> & { id: string }

/** A webhook registered at the platform. */
export const webhookSubscriptionSchema = z.object({
  id: wireId.nullish(),
  name: z.string().nullish(),
  url: z.string().nullish(),
  /** Empty or absent: the platform's default, probably all of them. */
  eventTypes: z.array(z.string().nullable()).nullish(),
  createdAt: wireTime.nullish(),
  updatedAt: wireTime.nullish(),
})

export type WebhookSubscription = z.infer<typeof webhookSubscriptionSchema> & { id: string }
