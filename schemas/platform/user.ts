/** A user as the platform's API lists one. Absent says nothing, null clears, as in the user objects inside webhooks. */
import { z } from 'zod'
import { userSchema } from '../webhook/event.ts'
import { wireTime } from '../webhook/field.ts'

export const platformUserSchema = userSchema.extend({
  createdAt: wireTime.nullish(),
  updatedAt: wireTime.nullish(),
  isAdmin: z.boolean().nullish(),
})

export type PlatformUser = z.infer<typeof platformUserSchema> & { id: string }
