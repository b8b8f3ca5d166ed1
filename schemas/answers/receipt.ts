import { z } from 'zod'
import { instant } from './values.ts'

export const receiptAnswer = z
  .object({
    receipt: z.string(),
    state: z.enum(['waiting', 'stored', 'failed', 'unknown']).meta({
      description:
        'waiting: in the event log, not stored yet; stored: as an event; failed: kept as a failed event; unknown: not in the store, and not known to wait',
    }),
    says: z.string().meta({ description: 'The same in a sentence' }),
    event_type: z.string().nullable(),
    reasons: z.array(z.string()).meta({ description: 'Why it cannot be used; empty for others' }),
    problems: z.array(z.string()).meta({ description: 'The same in words, without anything of the body' }),
    deliveries: z
      .array(
        z.object({
          received_at: instant,
          source: z.string().meta({ description: 'Name of the ingest token' }),
          outcome: z.enum(['waiting', 'stored', 'failed', 'duplicate']),
        }),
      )
      .meta({ description: 'Each time it was delivered, the first one first. Repeats are known for 90 days' }),
    fixed_as: z.string().nullable().meta({ description: 'Receipt of the event that a person made of a failed one' }),
  })
  .meta({ id: 'ReceiptAnswer' })
export type Receipt = z.infer<typeof receiptAnswer>
