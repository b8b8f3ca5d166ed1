/** A webhook registered at the platform. */
import { z } from 'zod'
import { wireId, wireTime } from '../webhook/field.ts'

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
