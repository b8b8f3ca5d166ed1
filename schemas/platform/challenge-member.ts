/** A member of a challenge, as the platform lists one: without an assignment id, so enough to audit, not to rebuild. */
import { z } from 'zod'
import { wireTime } from '../webhook/field.ts'

const number = z.number().nullish()

export const challengeMemberSchema = z.object({
  completionDate: wireTime.nullish(),
  grade: z.object({ earnedPoints: number, totalPoints: number, incomplete: z.boolean().nullish() }).nullish(),
  isFullyGraded: z.boolean().nullish(),
  timeSpent: number,
  passed: z.boolean().nullish(),
  user: z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
})

export type ChallengeMember = z.infer<typeof challengeMemberSchema>
