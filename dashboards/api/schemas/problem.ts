import { z } from 'zod'
import { errorCodes } from '../api-context.ts'

export const problemAnswer = z
  .object({
    error: z.object({
      code: z.enum(errorCodes),
      problems: z.array(z.object({ parameter: z.string(), message: z.string() })),
    }),
  })
  .meta({ id: 'Problems', description: 'Why there is no answer: every problem at once.' })
